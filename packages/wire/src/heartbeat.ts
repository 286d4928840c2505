/** Beats of one side, and what is owed for them. Never that a peer which reads no echoes makes this side keep them. */
import { randomBytes } from 'node:crypto';
import { ErrorCode, StreamType } from './codes.ts';
import { type Deadline, deadline } from './deadline.ts';
import type { MuxStream, StreamHandler } from './mux-stream.ts';
import type { MuxSession } from './session.ts';

export interface Heartbeat {
  /** Beats now, out of turn, unless a beat is on its way already. */
  beat(): void;
  stop(): void;
}

export interface HeartbeatOptions {
  readonly intervalMs: number;
  readonly toleranceMs: number;
  readonly dead: () => void;
  readonly beat?: (roundTripMs: number) => void;
}

const BEAT_BYTES = 4;
/** Of echoes: peers that behave have one beat on its way at a time. */
const MAX_UNREAD_BYTES = 16 * BEAT_BYTES;

/**
 * Opens a heartbeat stream and beats: 4 random bytes at once and then each `intervalMs`; `dead()` once when no right
 * echo came within `toleranceMs` or the peer closed the stream (not when the session ends: that is told elsewhere);
 * `beat(roundTripMs)` after each echo.
 */
export function startHeartbeat(session: MuxSession, options: HeartbeatOptions): Heartbeat {
  let timer: NodeJS.Timeout | undefined;
  let echo: Deadline | undefined;
  let stopped = false;
  let sent = randomBytes(BEAT_BYTES);
  let sentAt = performance.now();
  let echoed = 0;

  const clear = (): void => {
    clearTimeout(timer);
    echo?.met();
  };
  const stop = (): void => {
    stopped = true;
    clear();
    stream?.reset(ErrorCode.streamCancelled);
  };
  const die = (): void => {
    if (stopped) return;
    stop();
    options.dead();
  };
  const beat = (): void => {
    sent = randomBytes(BEAT_BYTES);
    sentAt = performance.now();
    echoed = 0;
    clear();
    echo = deadline(options.toleranceMs, die);
    stream?.write(sent);
  };
  const handler: StreamHandler = {
    data: (chunk) => {
      for (const byte of chunk) {
        if (echoed >= BEAT_BYTES || byte !== sent[echoed]) return die();
        echoed++;
      }
      if (echoed < BEAT_BYTES) return;
      const roundTripMs = performance.now() - sentAt;
      clear();
      timer = setTimeout(beat, Math.max(0, options.intervalMs - roundTripMs));
      timer.unref();
      options.beat?.(roundTripMs);
    },
    end: die,
    drain: () => {},
    close: () => {
      clear();
      if (!session.isClosed) die();
    },
  };
  const stream = session.open(StreamType.heartbeat, handler, sent);
  if (stream === null) {
    // Without a stream there is no telling whether the peer lives.
    if (!session.isClosed) queueMicrotask(die);
  } else {
    echo = deadline(options.toleranceMs, die);
  }
  const isOnItsWay = (): boolean => echoed < BEAT_BYTES;
  return {
    beat: () => {
      if (!stopped && !isOnItsWay()) beat();
    },
    stop,
  };
}

/**
 * The other side of a heartbeat stream: echoes every byte. Keeps nothing: a peer that sends more than a few beats before it has
 * read their echoes loses the stream (enhanceYourCalm).
 */
export function echoHeartbeat(stream: MuxStream): void {
  let unread = 0;
  stream.handler = {
    data: (chunk) => {
      unread += chunk.length;
      if (unread > MAX_UNREAD_BYTES) {
        stream.reset(ErrorCode.enhanceYourCalm);
        return;
      }
      // A view would keep the whole buffer that it came in.
      if (stream.write(Buffer.from(chunk))) unread = 0;
    },
    end: () => stream.end(),
    drain: () => {
      unread = 0;
    },
    close: () => {},
  };
}

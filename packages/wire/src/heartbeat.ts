/**
 * Sends heartbeats on a stream and echoes those of the peer.
 * Invariant: a peer that does not read its echoes cannot make this side keep them.
 */
import { randomBytes } from 'node:crypto';
import { ErrorCode, StreamType } from './codes.ts';
import { type Deadline, deadline } from './deadline.ts';
import type { MuxStream, StreamHandler } from './mux-stream.ts';
import type { MuxSession } from './session.ts';

export interface Heartbeat {
  /** Sends a beat now, unless one is unanswered. */
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
/** Bytes of echoes that a peer may leave unread. Correct peers have one beat in flight. */
const MAX_UNREAD_BYTES = 16 * BEAT_BYTES;

/**
 * Opens a heartbeat stream and sends 4 random bytes, at once and then every `intervalMs`. Calls `beat(roundTripMs)`
 * after each echo. Calls `dead()` once, if no right echo came within `toleranceMs` or the peer closed the stream. The
 * end of the session is reported elsewhere.
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
    // Without a heartbeat stream, a dead peer would not be noticed.
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
 * Echoes every byte of a heartbeat stream and keeps none. A peer that leaves more than a few echoes unread loses the
 * stream (enhanceYourCalm).
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
      // A view would keep the whole network buffer.
      if (stream.write(Buffer.from(chunk))) unread = 0;
    },
    end: () => stream.end(),
    drain: () => {
      unread = 0;
    },
    close: () => {},
  };
}

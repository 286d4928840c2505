/**
 * Serves visitors whose connection is at another daemon: each comes as a stream of a link, and goes to exactly one tunnel
 * of this daemon.
 * Invariant: nothing goes to a tunnel that has ended or is fenced, not even on a stream that was open before.
 */
import { ErrorCode, type MuxStream, type StreamHandler } from '@underpass/wire';
import { ipOf, sourceKey } from '../../core/ip/client-address.ts';
import { codeOfFault, withoutCause } from '../../online/dial-codes.ts';
import { type HopHeader, readHopHeader } from '../../online/hop.ts';
import type { TunnelHandle } from '../../online/online.ts';
import type { Backend, ByteStream } from '../sites/site.ts';
import type { Share } from './source-shares.ts';
import type { Streams } from './streams.ts';

export interface ArrivedHopsParts {
  readonly streams: Streams;
  /** The online tunnel of a number; undefined: this daemon has none. */
  readonly tunnelOf: (number: number) => TunnelHandle | undefined;
  /** Requests that other daemons give back idle streams of a session. */
  readonly giveBack: (session: string, incarnations: Iterable<number>) => void;
}

/** Streams of one session. */
interface OfSession {
  /** Numbers of streams, by the daemons that opened them. */
  readonly from: Map<number, number>;
  /** Time of the last request to give streams back, in milliseconds of `performance.now()`. */
  askedAt: number;
}

/** Milliseconds between two requests to give back streams of a session. */
const ASK_AGAIN_MS = 100;

export class ArrivedHops {
  readonly #parts: ArrivedHopsParts;
  readonly #sessions = new Map<string, OfSession>();
  #size = 0;

  constructor(parts: ArrivedHopsParts) {
    this.#parts = parts;
    // For visitors of this daemon, too.
    parts.streams.onNoRoom = (session) => this.#askForRoom(session);
  }

  /** Open streams. */
  get size(): number {
    return this.#size;
  }

  /** Sessions of agents with open streams. */
  get sessions(): number {
    return this.#sessions.size;
  }

  /** Serves a stream of the daemon with the incarnation `from`. */
  accept(stream: MuxStream, from: number): void {
    readHopHeader(stream, (header) => this.#serve(stream, header, from));
  }

  #serve(arrived: MuxStream, { number, connection, hasOthers, takesCauses }: HopHeader, from: number): void {
    const { streams, tunnelOf } = this.#parts;
    const tunnel = tunnelOf(number);
    if (tunnel === undefined || (hasOthers && tunnel.isSuspect)) {
      arrived.reset(tunnel === undefined ? ErrorCode.streamRefused : ErrorCode.acceptQueueFull);
      return;
    }
    const source = sourceKey(ipOf(connection.clientAddr));
    const opened = streams.open({ backend: only(tunnel), connection, source, tried: null });
    if (typeof opened === 'string' || 'kind' in opened) {
      arrived.reset(ErrorCode.streamRefused);
      return;
    }
    this.#count(tunnel.session, from, 1);
    const over = (): void => this.#count(tunnel.session, from, -1);
    const hop = new Hop({
      ...{ arrived, tunnel, over },
      ...{ agent: opened.stream, share: opened.share, takesCauses: takesCauses === true },
    });
    hop.start();
  }

  /** Idle streams that other daemons keep may have filled the agent's session. */
  #askForRoom(session: string): void {
    const known = this.#sessions.get(session);
    const now = performance.now();
    if (known === undefined || now - known.askedAt < ASK_AGAIN_MS) return;
    known.askedAt = now;
    this.#parts.giveBack(session, known.from.keys());
  }

  #count(session: string, incarnation: number, change: 1 | -1): void {
    const known = this.#sessions.get(session) ?? {
      from: new Map<number, number>(),
      askedAt: Number.NEGATIVE_INFINITY,
    };
    this.#size += change;
    const count = (known.from.get(incarnation) ?? 0) + change;
    if (count > 0) known.from.set(incarnation, count);
    else known.from.delete(incarnation);
    if (known.from.size > 0) this.#sessions.set(session, known);
    else this.#sessions.delete(session);
  }
}

/** Leads to one tunnel, and to nothing else. */
function only(tunnel: TunnelHandle): Backend {
  return {
    id: tunnel.id,
    pick: (tried) => (tunnel.closed.aborted ? 'nothingOnline' : tried.has(tunnel) ? 'tunnelBusy' : tunnel),
    leadsTo: (opener) => opener === tunnel,
    tunnels: () => [tunnel],
  };
}

/** Bytes after which the other daemon waits until this one has passed them on. */
const UNACKNOWLEDGED_BYTES = 32 * 1024;

interface HopParts {
  readonly arrived: MuxStream;
  readonly agent: ByteStream;
  readonly tunnel: TunnelHandle;
  readonly share: Share;
  readonly takesCauses: boolean;
  readonly over: () => void;
}

/** One visitor's bytes, both ways. */
class Hop {
  readonly #arrived: MuxStream;
  readonly #agent: ByteStream;
  readonly #tunnel: TunnelHandle;
  readonly #share: Share;
  readonly #takesCauses: boolean;
  readonly #over: () => void;
  readonly #onClosed = (): void => this.#tunnelClosed();
  #isOver = false;
  /** The last bytes came from the agent, so what comes from the visitor may be a new request. */
  #isAnswered = false;
  /** Bytes until the other daemon waits for a sign; 0: it had one. */
  #unacknowledged = UNACKNOWLEDGED_BYTES;

  constructor({ arrived, agent, tunnel, share, takesCauses, over }: HopParts) {
    this.#arrived = arrived;
    this.#agent = agent;
    this.#tunnel = tunnel;
    this.#share = share;
    this.#takesCauses = takesCauses;
    this.#over = over;
  }

  start(): void {
    this.#tunnel.closed.addEventListener('abort', this.#onClosed, { once: true });
    this.#agent.handler = this.#fromAgent;
    this.#arrived.handler = this.#fromVisitor;
  }

  readonly #fromVisitor: StreamHandler = {
    data: (chunk) => {
      if (!this.#mayPass()) return;
      const hasRoom = this.#agent.write(chunk);
      if (!hasRoom) this.#arrived.pause();
      if (this.#unacknowledged === 0) return;
      this.#unacknowledged = Math.max(0, this.#unacknowledged - chunk.length);
      // Without room, the sign is sent when there is some.
      if (this.#unacknowledged === 0 && hasRoom) this.#arrived.acknowledge();
    },
    end: () => this.#agent.end(),
    drain: () => this.#agent.resume(),
    close: (code) => {
      this.#end();
      if (!this.#agent.closed && code !== ErrorCode.none) this.#agent.reset(ErrorCode.streamCancelled);
    },
  };

  readonly #fromAgent: StreamHandler = {
    data: (chunk) => {
      this.#isAnswered = true;
      if (!this.#arrived.write(chunk)) this.#agent.pause();
    },
    end: () => this.#arrived.end(),
    drain: () => {
      this.#arrived.resume();
      this.#arrived.acknowledge();
    },
    close: (code) => {
      this.#end();
      if (!this.#arrived.closed && code !== ErrorCode.none) this.#arrived.reset(this.#codeOf(code));
    },
  };

  #codeOf(code: ErrorCode): ErrorCode {
    if (!this.#takesCauses) return withoutCause(code);
    const { dialFault } = this.#agent;
    return dialFault === undefined ? code : codeOfFault(dialFault, code);
  }

  /** Returns false, and ends the stream, if bytes of the visitor may not go to the tunnel any more. */
  #mayPass(): boolean {
    const isNew = this.#isAnswered;
    if (isNew) {
      this.#isAnswered = false;
      this.#tunnel.expectAnswer();
    }
    if (this.#tunnel.isFenced !== true && !(isNew && this.#tunnel.closed.aborted)) return true;
    this.#arrived.reset(ErrorCode.streamRefused);
    return false;
  }

  /** Requests under way may finish. */
  #tunnelClosed(): void {
    const { finishMs = 0 } = this.#tunnel;
    if (finishMs === 0) this.#cut();
    else setTimeout(() => this.#cut(), finishMs).unref();
  }

  #cut(): void {
    if (!this.#isOver) this.#arrived.reset(ErrorCode.streamCancelled);
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#tunnel.closed.removeEventListener('abort', this.#onClosed);
    this.#share.release();
    this.#over();
  }
}

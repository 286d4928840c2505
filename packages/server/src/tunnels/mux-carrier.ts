/**
 * Carries tunnels over the mux session of an agent (agent protocol, sections 5 and 6).
 * Invariant: the agent is notified of the end of a tunnel only after it can know the tunnel, and not if its id was
 * bound again.
 */
import {
  call,
  encodeProxyHeader,
  MOST_WIDE,
  type MuxSession,
  noopHandler,
  type ProxyHeader,
  StreamType,
} from '@underpass/wire';
import { errorCode, type Problem } from '../errors/problem.ts';
import type { ByteStream } from '../online/online.ts';
import type { Refusal } from '../online/refusal.ts';
import { errorText } from './answers.ts';
import type { Carrier, StoppedTunnel } from './carrier.ts';
import type { IngressContext } from './context.ts';
import type { RefusalReports } from './refusal-reports.ts';
import type { SilenceWatch } from './silence-watch.ts';

/** Some agents never answer. */
const answerMs = 10_000;

export interface MuxCarrierParts extends Pick<IngressContext, 'uptime'> {
  readonly mux: MuxSession;
  readonly silence: Pick<SilenceWatch, 'isSuspect' | 'expect'>;
  readonly errorPrefix: string;
  readonly registerMs: number;
  readonly hidesDials: boolean;
  /** Streams that the agent offers beyond those of the protocol, with narrow windows; null: none. */
  readonly capacity: number | null;
  /** Null: the agent does not know what a report is. */
  readonly reports: Pick<RefusalReports, 'add'> | null;
}

export class MuxCarrier implements Carrier {
  readonly registerMs: number;
  readonly hidesDials: boolean;
  readonly capacity?: number;
  readonly refusesForNow = true;
  readonly #parts: MuxCarrierParts;
  /** Milliseconds of the monotonic clock. */
  #leavesUntil = 0;

  constructor(parts: MuxCarrierParts) {
    this.#parts = parts;
    this.registerMs = parts.registerMs;
    this.hidesDials = parts.hidesDials;
    if (parts.capacity !== null) this.capacity = parts.capacity;
  }

  get isSuspect(): boolean {
    return this.#parts.silence.isSuspect || this.#parts.uptime() < this.#leavesUntil;
  }

  /** The agent is about to end the session. If the session outlives this time, it counts as any other again. */
  expectLeave(withinMs: number): void {
    this.#leavesUntil = this.#parts.uptime() + withinMs;
  }

  get wantsRefusals(): boolean {
    return this.#parts.reports !== null;
  }

  expectAnswer(): void {
    this.#parts.silence.expect();
  }

  open(header: ProxyHeader): ByteStream | null {
    this.expectAnswer();
    const { mux, capacity } = this.#parts;
    const isNarrow = capacity !== null && mux.wideCount >= MOST_WIDE;
    const type = isNarrow ? StreamType.proxyNarrow : StreamType.proxy;
    // The caller sets its own handler at once.
    const sent = this.hidesDials ? header : { ...header, TakesCauses: true };
    const stream = mux.open(type, noopHandler, encodeProxyHeader(sent), !this.hidesDials);
    if (isNarrow && stream !== null) mux.narrow(stream);
    return stream;
  }

  refused(bindId: string, make: () => Refusal): void {
    this.#parts.reports?.add(bindId, make);
  }

  stop(tunnel: StoppedTunnel, reason: Problem): void {
    const { mux, errorPrefix, uptime } = this.#parts;
    const message = {
      Id: tunnel.bindId,
      Message: errorText(reason, errorPrefix),
      ErrorCode: errorCode(errorPrefix, reason.code),
    };
    const tell = (): void => {
      if (mux.isClosed || tunnel.isBoundAgain()) return;
      // The agent may be gone or too old to know the message: it is offline either way.
      call(mux, StreamType.stopTunnel, message, answerMs).catch(() => {});
    };
    const knownInMs = tunnel.boundAt + this.registerMs - uptime();
    if (knownInMs <= 0) tell();
    else setTimeout(tell, knownInMs).unref();
  }
}

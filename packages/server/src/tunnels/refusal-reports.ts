/**
 * Reports refused visitors to one agent: a few of them in a batch, and the number of the others.
 * Invariant: a flood of refused visitors costs its agent one short message a second, and this process a bounded list.
 */
import { call, type MuxSession, StreamType } from '@underpass/wire';
import type { Refusal } from '../online/refusal.ts';
import type { RefusalRoom } from './refusal-room.ts';

/** Refusals of one batch, and of a burst. */
const mostInBatch = 20;
/** Refusals of an agent that are reported in full when visitors are refused all the time. */
const perSecond = 2;
/** Milliseconds from a refusal to its report, so that refusals of one page load share a message. */
const gatherMs = 100;
/** Milliseconds from the response to a report until the next one. */
const pauseMs = 1_000;
/** Milliseconds that an agent may take to respond. */
const answerMs = 10_000;

export interface RefusalReportsParts {
  readonly mux: MuxSession;
  readonly account: string;
  readonly room: RefusalRoom;
  /** Milliseconds of a clock that never jumps. */
  readonly uptime: () => number;
}

export class RefusalReports {
  readonly #parts: RefusalReportsParts;
  #waiting: object[] = [];
  /** Number of refusals that are not reported in full, by the bind id of their tunnel. */
  #leftOut = new Map<string, number>();
  #tokens = mostInBatch;
  #tokensAt: number;
  #timer: NodeJS.Timeout | null = null;
  #isSending = false;
  #isStopped = false;

  constructor(parts: RefusalReportsParts) {
    this.#parts = parts;
    this.#tokensAt = parts.uptime();
  }

  /** `make` is called only for a refusal that is reported in full. */
  add(bindId: string, make: () => Refusal): void {
    if (this.#isStopped) return;
    if (this.#takeToken()) this.#waiting.push(shown(bindId, make()));
    else this.#leftOut.set(bindId, (this.#leftOut.get(bindId) ?? 0) + 1);
    this.#sendIn(gatherMs);
  }

  /** Call it after the end of the session. */
  stop(): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#take();
  }

  #takeToken(): boolean {
    const { room, account, uptime } = this.#parts;
    const now = uptime();
    const gained = ((now - this.#tokensAt) / 1_000) * perSecond;
    this.#tokens = Math.min(mostInBatch, this.#tokens + gained);
    this.#tokensAt = now;
    if (this.#tokens < 1 || this.#waiting.length >= mostInBatch || !room.take(account)) return false;
    this.#tokens -= 1;
    return true;
  }

  #sendIn(ms: number): void {
    if (this.#isSending || this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#send();
    }, ms);
    this.#timer.unref();
  }

  /** Everything that waits, which counts for nothing any more. */
  #take(): { readonly Refusals: readonly object[]; readonly LeftOut: readonly object[] } {
    const { room, account } = this.#parts;
    const report = {
      Refusals: this.#waiting,
      LeftOut: Array.from(this.#leftOut, ([Id, Count]) => ({ Id, Count })),
    };
    room.release(account, this.#waiting.length);
    this.#waiting = [];
    this.#leftOut.clear();
    return report;
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    // An agent that does not respond misses its reports, and nothing else.
    await call(this.#parts.mux, StreamType.refusals, this.#take(), answerMs).catch(() => {});
    await this.#pause();
    this.#isSending = false;
    if (!this.#isStopped && (this.#waiting.length > 0 || this.#leftOut.size > 0)) this.#sendIn(0);
  }

  #pause(): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    return new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
  }
}

function shown(bindId: string, refusal: Refusal): object {
  return {
    Id: bindId,
    Time: new Date(refusal.at).toISOString(),
    ClientAddr: refusal.clientAddr,
    Host: refusal.host,
    Method: refusal.method,
    Path: refusal.path,
    Status: refusal.status,
    ErrorCode: refusal.code,
    Reason: refusal.reason,
    Module: refusal.module,
  };
}

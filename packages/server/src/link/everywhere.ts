/**
 * Waits until the other daemons have applied a revision of the documents.
 * Invariant: no response waits for a daemon that was late until that daemon has caught up.
 */
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { LinkStream, type Peer, type Peers } from './peers.ts';

/** Milliseconds after which a daemon is late. */
const LATE_MS = 250;

interface Waiting {
  readonly revision: number;
  readonly resolve: (isApplied: boolean) => void;
  readonly timer: NodeJS.Timeout;
}

type Answered = { readonly isApplied?: unknown } | null;

/** Answers other daemons about revisions. `reached`: that of all followers of this daemon. */
export function serveApplied(
  peers: Pick<Peers, 'answer'>,
  reached: (revision: number) => Promise<boolean>,
  lateMs = LATE_MS,
): void {
  peers.answer(LinkStream.applied, async (body) => {
    const { revision } = body as { readonly revision: number };
    const over = new AbortController();
    const late = pause(lateMs, false, { signal: over.signal }).catch(() => false);
    try {
      const isApplied = await Promise.race([reached(revision), late]);
      // Synchronous effects of the change, such as listening on a port, end with this turn.
      await turn();
      return { isApplied };
    } finally {
      over.abort();
    }
  });
}

export class Everywhere {
  readonly #peers: Pick<Peers, 'all'>;
  readonly #lateMs: number;
  readonly #progress = new WeakMap<Peer, Progress>();

  constructor(peers: Pick<Peers, 'all'>, lateMs = LATE_MS) {
    this.#peers = peers;
    this.#lateMs = lateMs;
  }

  /** Returns the number of linked daemons that are late with a revision. A promise only if it waits for one. */
  late(revision: number): number | Promise<number> {
    let count = 0;
    const waits: Promise<boolean>[] = [];
    for (const peer of this.#peers.all()) {
      const isApplied = peer.isUp ? this.#of(peer).reached(revision) : true;
      if (isApplied instanceof Promise) waits.push(isApplied);
      else if (!isApplied) count += 1;
    }
    if (waits.length === 0) return count;
    return Promise.all(waits).then((all) => count + all.filter((isApplied) => !isApplied).length);
  }

  #of(peer: Peer): Progress {
    const known = this.#progress.get(peer);
    if (known !== undefined) return known;
    const progress = new Progress(peer, this.#lateMs);
    this.#progress.set(peer, progress);
    return progress;
  }
}

/** The revisions that one daemon has applied. One call is under way at a time; the next one has the latest revision. */
class Progress {
  readonly #peer: Peer;
  readonly #lateMs: number;
  #applied = 0;
  #wanted = 0;
  #isLate = false;
  #isAsking = false;
  #waiting: Waiting[] = [];

  constructor(peer: Peer, lateMs: number) {
    this.#peer = peer;
    this.#lateMs = lateMs;
  }

  reached(revision: number): boolean | Promise<boolean> {
    // The database continues from another history.
    if (revision < this.#wanted) this.#applied = 0;
    this.#wanted = revision;
    if (this.#applied >= revision) return true;
    if (!this.#isAsking) void this.#ask();
    if (this.#isLate) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => this.#fallBehind(), this.#lateMs);
    this.#waiting.push({ revision, resolve, timer });
    return promise;
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    while (this.#peer.isUp && (this.#isLate || this.#applied < this.#wanted)) {
      const revision = this.#wanted;
      const began = performance.now();
      if (await this.#call(revision)) this.#took(revision, performance.now() - began);
      else {
        this.#fallBehind();
        await pause(this.#lateMs, undefined, { ref: false });
      }
    }
    this.#isAsking = false;
    // The link is down.
    this.#settle(() => true, false);
  }

  async #call(revision: number): Promise<boolean> {
    try {
      const answer = await this.#peer.call(LinkStream.applied, { revision });
      return (answer as Answered)?.isApplied === true;
    } catch {
      return false;
    }
  }

  /** `durationMs`: of the call. A daemon that was late has caught up with a call that is not. */
  #took(revision: number, durationMs: number): void {
    if (revision <= this.#wanted) this.#applied = Math.max(this.#applied, revision);
    if (durationMs <= this.#lateMs) this.#isLate = false;
    this.#settle((one) => one.revision <= this.#applied, true);
  }

  #fallBehind(): void {
    this.#isLate = true;
    this.#settle(() => true, false);
  }

  #settle(isOver: (one: Waiting) => boolean, isApplied: boolean): void {
    const left: Waiting[] = [];
    for (const one of this.#waiting) {
      if (isOver(one)) {
        clearTimeout(one.timer);
        one.resolve(isApplied);
      } else left.push(one);
    }
    this.#waiting = left;
  }
}

/**
 * Notices that the database has gone on from another history than this process knew: after a failover that lost commits, a restore of
 * a moment, or a dump that was loaded over it.
 *
 * Revisions, positions and ids are unique only within one history. Each transaction that writes leaves a random mark beside its
 * revision; what is known is of the same history if the database has the same mark at its revision. Before a server of another timeline takes
 * its first write, revisions and positions skip so many numbers that none that was lost is given again (apply.ts).
 */
import type { Revision } from '../store.ts';
import { UnsuitableServerError } from './failure.ts';
import type { Identity } from './identity.ts';

/** A revision with the mark of the transaction that wrote it. */
export interface Position {
  readonly revision: Revision;
  readonly mark: string;
}

/** Followers find it one after the other; one report is enough within so many milliseconds. */
const ONE_REPORT_MS = 10_000;

export interface HistoryEvents {
  /** Another history: nothing that was known before may be relied on. A sentence for the operator. */
  readonly changed: (message: string) => void;
  /** Connections are made to another server than before: older ones lead to one that is no longer the primary. */
  readonly moved: () => void;
}

export class History {
  readonly #events: HistoryEvents;
  readonly #now: () => number;
  #known: Position | null = null;
  #identity: Pick<Identity, 'system' | 'timeline'> | null = null;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #count = 0;
  #lastId = '';

  constructor(events: HistoryEvents, now = () => performance.now()) {
    this.#events = events;
    this.#now = now;
  }

  /** The number of changes that this process has seen. */
  get count(): number {
    return this.#count;
  }

  /** The newest position that was read or written; null before the first, and after a change. */
  get known(): Position | null {
    return this.#known;
  }

  /** The newest suffix of an id that was seen in the database, a lost history included. */
  get lastId(): string {
    return this.#lastId;
  }

  learn(position: Position, lastId = ''): void {
    if (this.#known === null || position.revision >= this.#known.revision) this.#known = position;
    if (lastId > this.#lastId) this.#lastId = lastId;
  }

  /** Something known is not in the database. `now`: the database's own position. */
  differs(now: Revision): void {
    const before = this.#known;
    this.#known = null;
    this.#count += 1;
    if (this.#now() - this.#reportedAt < ONE_REPORT_MS) return;
    this.#reportedAt = this.#now();
    const known = before === null ? '' : ` This daemon knew revision ${before.revision}.`;
    this.#events.changed(
      `the database goes on from another history, at revision ${now}.${known} Writes that were answered may be lost, as after a failover to a server that had not received them. Everything is listed anew. A synchronous standby prevents the loss`,
    );
  }

  /** Judges the server of a new connection. Throws UnsuitableServerError for an earlier primary than one that was seen. */
  admit({ system, timeline }: Identity): void {
    if (system === null || timeline === null) return;
    const before = this.#identity;
    if (before?.system === system && before.timeline === timeline) return;
    if (before?.system === system && timeline < (before.timeline ?? 0))
      throw new UnsuitableServerError(
        `the server is at timeline ${timeline} of its cluster, and this daemon has used timeline ${before.timeline}: it is an earlier primary. Shut it down; if an old backup was restored on purpose, restart the daemon`,
      );
    this.#identity = { system, timeline };
    if (before !== null) this.#events.moved();
  }
}

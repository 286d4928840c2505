/**
 * Detects that the database continues from another history than this process knew. Causes are a failover that lost
 * commits, a restore to a moment, or a dump loaded over it.
 *
 * Revisions, positions and ids are unique only within one history. Each writing transaction stores a random mark beside
 * its revision. A known state is of the same history if the database has the same mark at its revision. Before a server
 * of another timeline accepts its first write, revisions and positions skip many numbers. So no lost number is assigned
 * again (apply.ts).
 */
import type { Revision } from '../store.ts';
import { UnsuitableServerError } from './failure.ts';
import type { Identity } from './identity.ts';

/** A revision with the mark of the transaction that wrote it. */
export interface Position {
  readonly revision: Revision;
  readonly mark: string;
}

/** Milliseconds within which one report is enough, because followers find a change one after the other. */
const ONE_REPORT_MS = 10_000;

export interface HistoryEvents {
  /** Receives a message for the operator if the history changed. All earlier state is invalid. */
  readonly changed: (message: string) => void;
  /** Called if connections lead to another server than before. Older connections may lead to a former primary. */
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

  /** Changes of history that this process has seen. */
  get count(): number {
    return this.#count;
  }

  /** The newest position that was read or written; null before the first one, and after a change. */
  get known(): Position | null {
    return this.#known;
  }

  /** The newest id suffix that was seen in the database, including lost histories. */
  get lastId(): string {
    return this.#lastId;
  }

  learn(position: Position, lastId = ''): void {
    if (this.#known === null || position.revision >= this.#known.revision) this.#known = position;
    if (lastId > this.#lastId) this.#lastId = lastId;
  }

  /** Reports that a known state is not in the database. `now` is the database's own position. */
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

  /** Checks the server of a new connection. Throws UnsuitableServerError for a former primary. */
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

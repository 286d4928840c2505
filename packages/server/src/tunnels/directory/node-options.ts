/** The surroundings of a daemon in the directory: its connection, its clock, and the receivers of what it learns. */
import type { SessionFacts } from '../../online/session.ts';
import type { DirectoryDatabase, OverReason, StoredPlace } from '../../store/postgres/directory.ts';
import type { Moment, NodeTimes } from './fence.ts';
import type { IsolationOptions } from './isolation-watch.ts';
import type { Incarnation, KnownNode } from './row.ts';

/** The part of a connection to the directory that a node needs. */
export interface NodeLink {
  /** `isOther`: the server may have another history than the one before. */
  start(events: { connected(isOther: boolean): void; news(): void }): void;
  run<T>(call: (database: DirectoryDatabase) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

export interface NodeOptions {
  readonly link: NodeLink;
  /** Facts for people: machine, version and so on. */
  readonly facts: object;
  readonly times: NodeTimes;
  readonly now: () => Moment;
  /** The incarnation of the process before this one, which has ended; null: there was none. */
  readonly previous: Incarnation | null;
  /** Called with the new incarnation before anything is claimed with it. */
  readonly joined: (incarnation: Incarnation) => void;
  /** Called with all other daemons that may live, after each read of the directory. */
  readonly nodes?: (others: ReadonlyMap<Incarnation, KnownNode>) => void;
  /**
   * Ends a tunnel of this daemon in this turn, with its open streams. Its row is deleted afterwards. `reason`: null for a
   * tunnel that was replaced.
   */
  readonly over: (number: number, reason: OverReason | null) => void;
  /** Receives binds that their agents have ended, or lost for good, since the last time. */
  readonly forgotten?: (places: readonly StoredPlace[]) => void;
  /** Receives the error of a change that the database refused. It is tried again. */
  readonly failed: (error: unknown) => void;
  /**
   * Has other daemons end their tunnels with these numbers, by incarnation. Resolves when all have. Absent: they follow
   * the directory.
   */
  readonly replaced?: (numbers: ReadonlyMap<Incarnation, readonly number[]>) => Promise<unknown>;
  /**
   * Ends all tunnels of this daemon. `dead`: it was declared dead. `lost`: the database lacks some of them. `silent`: it cannot
   * renew. `isolated`: it alone cannot.
   */
  readonly fenced: (reason: 'dead' | 'lost' | 'silent' | 'isolated') => void;
  /** Absent: it is never isolated. */
  readonly isolation?: IsolationOptions;
  /** Receives sessions that ended with another daemon, or with the process before this one. One daemon receives each. */
  readonly ended?: (sessions: readonly SessionFacts[]) => void;
}

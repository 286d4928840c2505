/** The directory of the tunnels of all daemons, for parts that lead visitors to other daemons. */

import type { RenewalReport } from './directory/isolation.ts';
import type { Mark } from './directory/mark.ts';
import type { DirectoryRow, Incarnation, KnownNode } from './directory/row.ts';
import type { Tunnel } from './tunnel.ts';

export interface SharedDirectory {
  /** This daemon; null: it is about to join. */
  readonly incarnation: Incarnation | null;
  /** True if this daemon sends its agents to others. */
  readonly draining: Pick<Mark, 'is' | 'onChange'>;
  /** True if this daemon serves nothing, because it alone is cut off from the database. */
  readonly isolated: Pick<Mark, 'is' | 'onChange'>;
  /** Marks this daemon as draining, for others. Without the database, nothing is marked. */
  drain(): Promise<void>;
  /** The renewals of this daemon, for another one; null: there was none in this life. */
  readonly renewals: RenewalReport | null;
  /** Declares another daemon dead that has reported its isolation. Rejects without the database. */
  bury(incarnation: Incarnation): Promise<void>;
  /** Daemons of the database, as far as this one knows. A row may be of one that is not known yet. */
  readonly nodes: ReadonlyMap<Incarnation, KnownNode>;
  /** Calls the listener in the turn in which the rows of a key have changed, or their daemon is known to be dead. */
  onRows(listener: (key: string) => void): void;
  /** Rows of other daemons that visitors of a key may be led to. */
  liveElsewhere(key: string): readonly DirectoryRow[];
  row(number: number): DirectoryRow | undefined;
  /** Keys that have rows: see `directory/stored.ts`. */
  keys(): Iterable<string>;
  /** The tunnel of this daemon that has the row, while it is online. */
  tunnelOf(number: number): Tunnel | undefined;
}

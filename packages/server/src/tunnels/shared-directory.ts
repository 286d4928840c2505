/** The directory of the tunnels of all daemons, for parts that lead visitors to other daemons. */
import type { Draining } from './directory/draining.ts';
import type { DirectoryRow, Incarnation, KnownNode } from './directory/row.ts';
import type { Tunnel } from './tunnel.ts';

export interface SharedDirectory {
  /** This daemon; null: it is about to join. */
  readonly incarnation: Incarnation | null;
  /** True if this daemon sends its agents to others. */
  readonly draining: Pick<Draining, 'is' | 'onChange'>;
  /** Marks this daemon as draining, for others. Without the database, nothing is marked. */
  drain(): Promise<void>;
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

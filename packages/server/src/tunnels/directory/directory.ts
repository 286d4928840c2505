/**
 * One daemon's copy of the directory, and the rules by which its own tunnels follow it.
 * Invariant: whatever the order in which rows of a key arrive, the highest version wins.
 */
import { type DirectoryRow, isLive, type KeyRows } from './row.ts';

/** Returns the newer of two states of a key. */
export function newer(known: KeyRows | undefined, arrived: KeyRows): KeyRows {
  return known !== undefined && known.version >= arrived.version ? known : arrived;
}

export class Directory {
  readonly #keys = new Map<string, KeyRows>();
  readonly #rows = new Map<number, { readonly key: string; readonly row: DirectoryRow }>();

  get(key: string): KeyRows | undefined {
    return this.#keys.get(key);
  }

  entries(): Iterable<[string, KeyRows]> {
    return this.#keys;
  }

  keys(): Iterable<string> {
    return this.#keys.keys();
  }

  /** Forgets a key without rows: all that arrives later about it is newer. */
  forgetEmpty(key: string): void {
    if (this.#keys.get(key)?.rows.length === 0) this.#keys.delete(key);
  }

  /** Forgets all. */
  clear(): void {
    this.#keys.clear();
    this.#rows.clear();
  }

  /** Merges rows that arrived on any way. Returns true if they are news. */
  merge(key: string, arrived: KeyRows): boolean {
    const known = this.#keys.get(key);
    const merged = newer(known, arrived);
    if (merged === known) return false;
    for (const { number } of known?.rows ?? []) this.#rows.delete(number);
    for (const row of merged.rows) this.#rows.set(row.number, { key, row });
    this.#keys.set(key, merged);
    return true;
  }

  row(number: number): DirectoryRow | undefined {
    return this.#rows.get(number)?.row;
  }

  keyOf(number: number): string | undefined {
    return this.#rows.get(number)?.key;
  }

  /**
   * Returns true if a daemon has to end its own tunnel. Some version after that of the claim, `version`, has no such row,
   * or has it as replaced.
   */
  isOver(key: string, number: number, version: number): boolean {
    const known = this.#keys.get(key);
    if (known === undefined || known.version < version) return false;
    const row = rowOf(known, number);
    return row === undefined || !isLive(row);
  }

  /** Tunnels of other daemons that visitors of a key may be led to. */
  live(key: string): readonly DirectoryRow[] {
    return this.#keys.get(key)?.rows.filter(isLive) ?? [];
  }
}

export function rowOf({ rows }: KeyRows, number: number): DirectoryRow | undefined {
  return rows.find((row) => row.number === number);
}

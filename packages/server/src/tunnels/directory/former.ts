/**
 * Tunnels that were live in another history of the database, and are not in this one. Their daemons may serve them until
 * they hear of it, or are fenced.
 * Invariant: until then no other credential has their names.
 */
import { type Claimant, decide, type Row } from './decide.ts';
import { type DirectoryRow, isLive } from './row.ts';

export class FormerTunnels {
  readonly #rows = new Map<string, Row[]>();
  #until = Number.NEGATIVE_INFINITY;

  /** Keeps live tunnels of names and ports until a moment. `isGone`: it is not in the new history. */
  keep(
    rows: Iterable<readonly [string, readonly DirectoryRow[]]>,
    isGone: (number: number) => boolean,
    until: number,
  ): void {
    for (const [key, of] of rows)
      for (const row of of)
        if (isLive(row) && isGone(row.number)) this.#add(key, { facts: row.facts, heldUntil: until });
    this.#until = Math.max(this.#until, until);
  }

  /** Returns the milliseconds for which a claim is refused; null: it is not. */
  waitOf(key: string, wish: Claimant, now: number): number | null {
    if (now >= this.#until) this.#rows.clear();
    const rows = this.#rows.get(key);
    if (rows === undefined) return null;
    const decision = decide(rows, wish, now);
    return decision.outcome === 'refused' && decision.error === 'bindNameHeld'
      ? decision.seconds * 1_000
      : null;
  }

  #add(key: string, row: Row): void {
    this.#rows.set(key, [...(this.#rows.get(key) ?? []), row]);
  }
}

/** Lets the reads of one turn share a transaction. */
import type { DatabaseSync } from 'node:sqlite';

/**
 * Combines the reads of one turn of the event loop, because SQLite's locks cost three times as much as a look-up. A
 * receiver of commits calls `end` first. The next read then begins a transaction that sees the commit.
 */
export class ReadTransaction {
  readonly #database: DatabaseSync;
  readonly #begin;
  readonly #commit;
  #open = false;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#begin = database.prepare('BEGIN');
    this.#commit = database.prepare('COMMIT');
  }

  join(): void {
    if (this.#open) return;
    this.#begin.run();
    this.#open = true;
    setImmediate(this.end);
  }

  readonly end = (): void => {
    if (!this.#open) return;
    this.#open = false;
    // SQLite ends the transaction by itself after some errors.
    if (this.#database.isOpen && this.#database.isTransaction) this.#commit.run();
  };
}

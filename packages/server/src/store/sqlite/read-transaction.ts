/** Lets the reads of one moment share a transaction. */
import type { DatabaseSync } from 'node:sqlite';

/**
 * Taking and releasing SQLite's locks costs three times what a look-up costs, so reads of one turn of the event loop
 * do it once. Whoever is told of a commit calls `end` first; the next read then begins a transaction that sees it.
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

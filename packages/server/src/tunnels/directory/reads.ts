/**
 * Reads what has changed in the directory, one read at a time, and once more if there are news meanwhile.
 * Invariant: an answer that was on its way when all was forgotten is not learned.
 */
import type { DirectoryChanges } from '../../store/postgres/directory.ts';
import type { NodeLink } from './node-options.ts';

export interface ReadsOptions {
  readonly link: Pick<NodeLink, 'run'>;
  /** Receives all rows (`isWhole`), or those that changed since the last read. */
  readonly learn: (changes: DirectoryChanges, isWhole: boolean) => void;
  /** Called after each read, when the connection is free. */
  readonly learned: (isWhole: boolean) => void;
}

export class Reads {
  readonly #options: ReadsOptions;
  /** Null: all is to be read. Each `forget` makes another object. */
  #since: { readonly seen: string | null } = { seen: null };
  #isReading = false;
  #isAgain = false;
  #isStopped = false;

  constructor(options: ReadsOptions) {
    this.#options = options;
  }

  /** True if the next read returns all rows. */
  get isNextWhole(): boolean {
    return this.#since.seen === null;
  }

  forget(): void {
    this.#since = { seen: null };
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Never rejects: after an error, the next connection reads all. */
  async read(): Promise<void> {
    this.#isAgain = true;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#isAgain && !this.#isStopped) {
        this.#isAgain = false;
        await this.#readOnce();
      }
    } catch {
      // The next connection reads all.
    } finally {
      this.#isReading = false;
    }
  }

  async #readOnce(): Promise<void> {
    const { link, learn, learned } = this.#options;
    const since = this.#since;
    const isWhole = since.seen === null;
    const isLearned = await link.run(async (database) => {
      const changes = await database.changes(since.seen);
      if (this.#since !== since) return false;
      this.#since = { seen: changes.seen };
      learn(changes, isWhole);
      return true;
    });
    if (isLearned) learned(isWhole);
    else this.#isAgain = true;
  }
}

/**
 * The account of users of the console's provider: the one that the operator names, or else the only one.
 * Invariant: a request of an unknown browser reads nothing from the database, because accounts are followed.
 */
import type { Logger } from 'pino';
import type { Change, DocumentFeed, StoredDocument } from '../documents/index.ts';
import { followDocuments } from '../documents/store.ts';
import { failureLog } from '../store/outage-log.ts';

export interface ConsoleAccountOptions {
  readonly store: DocumentFeed;
  /** Id that the operator names; null for the only account. */
  readonly named: string | null;
  readonly log: Logger;
}

export class ConsoleAccount {
  readonly #named: string | null;
  readonly #ids = new Set<string>();
  #following: { stop(): Promise<void> } | null = null;

  private constructor(named: string | null) {
    this.#named = named;
  }

  static async start({ store, named, log }: ConsoleAccountOptions): Promise<ConsoleAccount> {
    const account = new ConsoleAccount(named);
    const onError = failureLog(log, 'following accounts failed');
    account.#following = await followDocuments(store, ['account'], account, { onError });
    return account;
  }

  async stop(): Promise<void> {
    await this.#following?.stop();
  }

  /** Null if the account is gone, or one of several. */
  get id(): string | null {
    if (this.#named !== null) return this.#ids.has(this.#named) ? this.#named : null;
    const [first = null] = this.#ids;
    return this.#ids.size === 1 ? first : null;
  }

  /** Callback of `follow`: all documents. */
  reset(documents: readonly StoredDocument<'account'>[]): void {
    this.#ids.clear();
    for (const { id } of documents) this.#ids.add(id);
  }

  /** Callback of `follow`: the changes. */
  apply(changes: readonly Change<'account'>[]): void {
    for (const { id, document } of changes) {
      if (document === null) this.#ids.delete(id);
      else this.#ids.add(id);
    }
  }
}

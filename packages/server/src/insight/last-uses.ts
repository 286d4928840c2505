/**
 * Last uses of API keys and credentials: kept in memory, and written once a minute.
 * Invariant: a use costs no write of its own, and the latest use of all daemons stays.
 */
import type { Logger } from 'pino';
import type { DocumentStore } from '../documents/index.ts';
import type { After } from '../events/resting.ts';
import { Rounds } from '../events/rounds.ts';
import type { LastUse } from '../resources/last-use.ts';
import { failureLog } from '../store/outage-log.ts';
import type { JsonObject, WriteOperation } from '../store/store.ts';

export interface LastUsesOptions {
  readonly store: Pick<DocumentStore, 'notesAt' | 'write'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly after: After;
  readonly log: Logger;
}

interface Use {
  readonly account: string;
  readonly id: string;
  /** Milliseconds since 1970. */
  at: number;
  ip: string;
}

/** Milliseconds between two writes. */
const EVERY_MS = 60_000;
/** Uses in one write at most. */
const MOST_IN_BATCH = 200;
/** Keys in memory at most: further ones are written at the next use after the write. */
const MOST_PENDING = 50_000;

export class LastUses {
  readonly #options: LastUsesOptions;
  readonly #rounds: Rounds;
  readonly #failed: (error: unknown) => void;
  /** Uses since the last write, by id. */
  #pending = new Map<string, Use>();
  /** Uses on their way into the database. */
  #writing: ReadonlyMap<string, Use> = new Map();

  constructor(options: LastUsesOptions) {
    this.#options = options;
    this.#failed = failureLog(options.log, 'writing last uses of keys failed');
    this.#rounds = new Rounds({
      ...{ after: options.after, failed: this.#failed, retryMs: EVERY_MS },
      step: () => this.flush().then(() => EVERY_MS),
    });
  }

  start(): void {
    this.#rounds.start();
  }

  /** Writes what is left. */
  async stop(): Promise<void> {
    await this.#rounds.stop();
    await this.flush();
  }

  /** Notes a use now. */
  used(account: string, id: string, ip: string): void {
    const at = this.#options.now();
    const known = this.#pending.get(id);
    if (known !== undefined) {
      known.at = at;
      known.ip = ip;
    } else if (this.#pending.size < MOST_PENDING) this.#pending.set(id, { account, id, at, ip });
  }

  /** Returns the last uses of an account's documents, by id. Rejects with errors of the store. */
  async of(account: string, ids: readonly string[]): Promise<ReadonlyMap<string, LastUse>> {
    const found = new Map<string, LastUse>();
    for (const { key, at, body } of await this.#options.store.notesAt('use', account, ids))
      found.set(key, { at, ip: ipIn(body) });
    for (const id of ids)
      for (const use of [this.#writing.get(id), this.#pending.get(id)])
        if (use?.account === account && use.at >= (found.get(id)?.at ?? 0))
          found.set(id, { at: use.at, ip: use.ip });
    return found;
  }

  /** Writes the uses since the last write. */
  async flush(): Promise<void> {
    if (this.#pending.size === 0) return;
    const uses = this.#pending;
    this.#pending = new Map();
    this.#writing = uses;
    try {
      const left = [...uses.values()];
      while (left.length > 0) {
        const batch = left.slice(0, MOST_IN_BATCH);
        await this.#options.store.write(() => batch.map(noteOf));
        left.splice(0, batch.length);
        for (const { id } of batch) uses.delete(id);
      }
    } catch (error) {
      this.#failed(error);
      for (const use of uses.values()) if (!this.#pending.has(use.id)) this.#pending.set(use.id, use);
    } finally {
      this.#writing = new Map();
    }
  }
}

/** Nothing is written for a key that was deleted meanwhile. */
function noteOf({ account, id, at, ip }: Use): WriteOperation {
  const text = JSON.stringify({ ip });
  return { op: 'note', kind: 'use', account, key: id, at, text, needsDocument: true };
}

function ipIn({ ip }: JsonObject): string {
  return typeof ip === 'string' ? ip : '';
}

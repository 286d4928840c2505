/** The TXT records of the zone in the store, for the name server. */
import type { Logger } from 'pino';
import type { Change, DocumentFeed, StoredDocument } from '../documents/index.ts';
import { followDocuments } from '../documents/store.ts';
import { failureLog } from '../store/outage-log.ts';

const kinds = ['dns_text'] as const;

export class ZoneTexts {
  readonly #names = new Map<string, string>();
  readonly #values = new Map<string, readonly string[]>();
  #following: { stop(): Promise<void> } | null = null;

  static async start(store: DocumentFeed, log?: Pick<Logger, 'error'>): Promise<ZoneTexts> {
    const texts = new ZoneTexts();
    const onError = failureLog(log, 'following TXT records failed');
    texts.#following = await followDocuments(store, kinds, texts, { onError });
    return texts;
  }

  async stop(): Promise<void> {
    await this.#following?.stop();
  }

  /** Undefined: there is no such name. */
  get(name: string): readonly string[] | undefined {
    return this.#values.get(name);
  }

  /** Callback of `follow`. */
  reset(documents: readonly StoredDocument<'dns_text'>[]): void {
    this.#names.clear();
    this.#values.clear();
    for (const document of documents) this.#put(document);
  }

  /** Callback of `follow`. */
  apply(changes: readonly Change<'dns_text'>[]): void {
    for (const { id, document } of changes) {
      this.#remove(id);
      if (document !== null) this.#put(document);
    }
  }

  #put({ id, body: { name, values } }: StoredDocument<'dns_text'>): void {
    this.#names.set(id, name);
    this.#values.set(name, values);
  }

  #remove(id: string): void {
    const name = this.#names.get(id);
    if (name === undefined) return;
    this.#names.delete(id);
    this.#values.delete(name);
  }
}

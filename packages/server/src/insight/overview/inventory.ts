/**
 * Facts of every account's documents, which follow the store while overviews are read.
 * Invariant: without readers nothing is kept.
 */
import type { Change, DocumentFeed, StoredDocument } from '../../documents/index.ts';
import { followDocuments } from '../../documents/store.ts';
import { type FactName, type FactsByKind, factOf, type OverviewKind, overviewKinds } from './facts.ts';

/** Facts of one account by their kind and by the id of the document. */
export type AccountFacts = { readonly [Name in FactName]: ReadonlyMap<string, FactsByKind[Name]> };

/** Milliseconds after the last reader until the facts are forgotten. */
const KEPT_MS = 600_000;

type Tables = Record<FactName, Map<string, object>>;

export class Inventory {
  readonly #store: DocumentFeed;
  readonly #onError: (error: unknown) => void;
  readonly #keptMs: number;
  readonly #accounts = new Map<string, Tables>();
  /** The account and the table of each document. */
  readonly #places = new Map<string, { readonly account: string; readonly is: FactName }>();
  #following: Promise<{ stop(): Promise<void> }> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(store: DocumentFeed, onError: (error: unknown) => void, keptMs = KEPT_MS) {
    this.#store = store;
    this.#onError = onError;
    this.#keptMs = keptMs;
  }

  /** Number of documents with facts. */
  get size(): number {
    return this.#places.size;
  }

  /** Returns the facts of an account. The first call lists the documents of all accounts. */
  async of(account: string): Promise<AccountFacts> {
    this.#following ??= followDocuments(
      this.#store,
      overviewKinds,
      { reset: (documents) => this.#reset(documents), apply: (changes) => this.#apply(changes) },
      { onError: this.#onError },
    );
    this.#timer ??= setTimeout(() => void this.stop(), this.#keptMs).unref();
    this.#timer.refresh();
    await this.#following;
    return (this.#accounts.get(account) ?? emptyTables()) as AccountFacts;
  }

  /** Forgets everything. A later call of `of` begins anew. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
    const following = this.#following;
    this.#following = null;
    await (await following)?.stop();
    if (this.#following === null) this.#clear();
  }

  #clear(): void {
    this.#accounts.clear();
    this.#places.clear();
  }

  #reset(documents: readonly StoredDocument<OverviewKind>[]): void {
    this.#clear();
    for (const document of documents) this.#put(document);
  }

  #apply(changes: readonly Change<OverviewKind>[]): void {
    for (const { id, document } of changes) {
      if (document === null) this.#remove(id);
      else this.#put(document);
    }
  }

  #put(document: StoredDocument<OverviewKind>): void {
    const { id, account } = document;
    const { is, facts } = factOf(document);
    const tables = this.#accounts.get(account) ?? emptyTables();
    this.#accounts.set(account, tables);
    tables[is].set(id, facts);
    if (!this.#places.has(id)) this.#places.set(id, { account, is });
  }

  #remove(id: string): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    this.#places.delete(id);
    const tables = this.#accounts.get(place.account);
    tables?.[place.is].delete(id);
    if (tables !== undefined && Object.values(tables).every(({ size }) => size === 0))
      this.#accounts.delete(place.account);
  }
}

function emptyTables(): Tables {
  return {
    ...{ reserved_domain: new Map(), reserved_addr: new Map(), edge: new Map(), https_edge_route: new Map() },
    ...{ tunnel_group_backend: new Map(), tls_certificate: new Map(), event_destination: new Map() },
    ...{ event_delivery: new Map(), event_subscription: new Map(), ip_restriction: new Map() },
    domain_proof: new Map(),
  };
}

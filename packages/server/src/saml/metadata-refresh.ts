/**
 * Refreshes metadata of SAML identity providers from their URLs, about once an hour. With several daemons one of them does it for all.
 * Invariant: valid metadata stays if the new document is unavailable or unusable.
 */
import type { Logger } from 'pino';
import type { Cidr } from '../core/ip/cidr.ts';
import type { Change, DocumentStore, SamlModule, StoredDocument } from '../documents/index.ts';
import { followDocuments } from '../documents/store.ts';
import { WorkLease } from '../documents/work-lease.ts';
import { Problem } from '../errors/problem.ts';
import { readIdpMetadata } from '../pki/idp-metadata.ts';
import { failureLog } from '../store/outage-log.ts';
import { ConflictError } from '../store/store.ts';
import { fetchIdpMetadata } from './metadata-fetch.ts';

const kinds = ['https_edge_route', 'endpoint_configuration'] as const;
type Followed = (typeof kinds)[number];
type Carrier = StoredDocument<Followed>;

const usualMs = 60 * 60_000;
const retryMs = 5 * 60_000;
/** Part of each interval, so that modules do not request at the same time. */
const jitter = 0.2;
/** Milliseconds between two checks for modules that are due. */
const turnMs = 30_000;
/** Accounts that are looked after at the same time, each one module after the other: providers that answer slowly delay their own account alone. */
const mostAccounts = 64;

export interface IdpMetadataRefreshOptions {
  readonly store: DocumentStore;
  /** Special ranges that the operator opened. */
  readonly allowPrivate: readonly Cidr[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Random number of at least 0 and below 1. */
  readonly random: () => number;
  /** The id of this process; null if no other daemon can use the database. */
  readonly daemon: string | null;
  /** Milliseconds of a monotonic clock. */
  readonly uptime: () => number;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** Time of the next request for the metadata of a module. */
interface Turn {
  readonly url: string;
  readonly at: number;
  readonly hasFailed: boolean;
}

export class IdpMetadataRefresh {
  readonly #options: IdpMetadataRefreshOptions;
  readonly #lease: WorkLease;
  /** Documents whose module has a URL. */
  readonly #carriers = new Map<string, Carrier>();
  readonly #turns = new Map<string, Turn>();
  #following: { stop(): Promise<void> } | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** Running requests by account. */
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #ended = new AbortController();

  constructor(options: IdpMetadataRefreshOptions) {
    this.#options = options;
    this.#lease = new WorkLease({ ...options, work: 'saml_metadata', everyMs: turnMs });
  }

  async start(): Promise<void> {
    const { store, log } = this.#options;
    const onError = failureLog(log, 'following modules for their metadata failed');
    this.#following = await followDocuments(store, kinds, this, { onError });
    this.#timer = setInterval(() => void this.pass(), turnMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#ended.abort();
    await this.#following?.stop();
    await Promise.all(this.#underWay.values());
    await this.#lease.release();
  }

  /** Requests the metadata of each module that is due. Never rejects. */
  async pass(): Promise<void> {
    if (this.#turns.size === 0) return;
    if (!(await this.#lease.holds())) {
      this.#passOver();
      return;
    }
    for (const [id, { at }] of this.#turns) {
      const account = this.#accountOf(id);
      if (!this.#isDue(at) || this.#underWay.has(account)) continue;
      if (this.#underWay.size >= mostAccounts) break;
      const done = this.#refreshDue(account).finally(() => this.#underWay.delete(account));
      this.#underWay.set(account, done);
    }
    await Promise.all(this.#underWay.values());
  }

  /** Another daemon requests what is due. If that one dies, this one goes on with the turns after it. */
  #passOver(): void {
    for (const [id, { url, at }] of this.#turns) {
      const carrier = this.#carriers.get(id);
      if (!this.#isDue(at) || carrier === undefined) continue;
      this.#turns.set(id, { url, at: this.#whenGoodUntil(endOf(carrier)), hasFailed: false });
    }
  }

  /** No turn is later than this, unless it was the turn of a clock that was ahead. */
  #isDue(at: number): boolean {
    const now = this.#options.now();
    return at <= now || at > now + usualMs * (1 + jitter);
  }

  #accountOf(id: string): string {
    return this.#carriers.get(id)?.account ?? '';
  }

  /** Callback of `follow`. Older metadata is requested at a random time within the first hour. */
  reset(documents: readonly Carrier[]): void {
    const { now, random } = this.#options;
    const turns = new Map(this.#turns);
    this.#carriers.clear();
    this.#turns.clear();
    for (const document of documents) this.#put(document, turns.get(document.id), now() + random() * usualMs);
  }

  /** Callback of `follow`. */
  apply(changes: readonly Change<Followed>[]): void {
    for (const { id, document } of changes) {
      if (document === null) this.#remove(id);
      else this.#put(document, this.#turns.get(id), this.#in(usualMs));
    }
  }

  #put(document: Carrier, known: Turn | undefined, at: number): void {
    const { id } = document;
    const url = document.body.saml?.idp_metadata_url ?? '';
    if (url === '') {
      this.#remove(id);
      return;
    }
    this.#carriers.set(id, document);
    if (known?.url === url) this.#turns.set(id, known);
    else {
      const before = halfwayTo(endOf(document), this.#options.now());
      this.#turns.set(id, { url, at: Math.min(at, before), hasFailed: false });
    }
  }

  #remove(id: string): void {
    this.#carriers.delete(id);
    this.#turns.delete(id);
  }

  #in(ms: number): number {
    const { now, random } = this.#options;
    return now() + ms * (1 + jitter * random());
  }

  /** Returns a time before the end, but not at once if the end is near. */
  #whenGoodUntil(end: number | null): number {
    const soonest = this.#in(retryMs);
    return Math.max(soonest, Math.min(this.#in(usualMs), halfwayTo(end, this.#options.now())));
  }

  async #refreshDue(account: string): Promise<void> {
    const due = [...this.#turns].filter(([id, { at }]) => this.#isDue(at) && this.#accountOf(id) === account);
    for (const [id, turn] of due) {
      if (this.#ended.signal.aborted) return;
      await this.#refresh(id, turn);
    }
  }

  async #refresh(id: string, turn: Turn): Promise<void> {
    const { allowPrivate, now, log } = this.#options;
    const { url, hasFailed } = turn;
    let validUntil: number | null = null;
    let failure: unknown = null;
    try {
      const fetched = await fetchIdpMetadata(url, {
        ...{ account: this.#accountOf(id), allowPrivate, now },
        signal: this.#ended.signal,
      });
      validUntil = fetched.validUntil;
      await this.#keep(id, url, fetched.xml);
    } catch (error) {
      failure = error;
    }
    // Meanwhile it may have been removed, or have another URL.
    if (this.#turns.get(id) !== turn || this.#ended.signal.aborted) return;
    this.#turns.set(id, {
      url,
      at: failure === null ? this.#whenGoodUntil(validUntil) : this.#in(retryMs),
      hasFailed: failure !== null,
    });
    if (failure === null || hasFailed) return;
    const why = failure instanceof Problem ? { reason: failure.message } : { err: failure };
    log.warn(
      { resource: id, url, ...why },
      'metadata of an identity provider cannot be had; the last good stays',
    );
  }

  /** Rejects when the store is away. */
  async #keep(id: string, url: string, xml: string): Promise<void> {
    const { store, log } = this.#options;
    const carrier = this.#carriers.get(id);
    const saml = carrier?.body.saml ?? null;
    if (carrier === undefined || saml?.idp_metadata_url !== url || saml.idp_metadata === xml) return;
    const changed: SamlModule = { ...saml, idp_metadata: xml };
    const body = { ...carrier.body, saml: changed };
    try {
      await store.write(() => [{ op: 'rewrite', id, revision: carrier.revision, body }]);
    } catch (error) {
      // Another daemon was faster, or the module has changed.
      if (!(error instanceof ConflictError)) throw error;
      return;
    }
    log.info({ resource: id, url }, 'metadata of an identity provider has changed');
  }
}

/** Returns the end of the validity of a module's metadata; null if it has none. */
function endOf({ body: { saml } }: Carrier): number | null {
  // Most metadata has no end, and parsing takes a while.
  if (saml?.idp_metadata.includes('validUntil') !== true) return null;
  const read = readIdpMetadata(saml.idp_metadata);
  return 'fault' in read ? null : read.validUntil;
}

/** Now, where the end has passed. */
function halfwayTo(end: number | null, now: number): number {
  return end === null ? Number.POSITIVE_INFINITY : Math.max(now, (now + end) / 2);
}

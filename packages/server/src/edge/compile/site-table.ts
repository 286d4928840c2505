/**
 * Resolves each name at the front door and each TCP port to its site.
 * Invariant: a look-up never waits, and its site is made from the present state of the store and the agents only.
 */
import type { Logger } from 'pino';
import type { Hostname, HostPattern } from '../../core/names/hostname.ts';
import type { Change, DocumentFeed, StoredDocument } from '../../documents/index.ts';
import { followDocuments } from '../../documents/store.ts';
import type { OnlineTunnels, TunnelsWithoutTls } from '../../online/online.ts';
import { failureLog } from '../../store/outage-log.ts';
import type { LiveSites, PlainSites, PortSites } from '../sites/sites.ts';
import { type CompiledSite, compileEdge, type EdgeDocumentOfSite } from './compile-site.ts';
import type { DocumentKey } from './document-index.ts';
import { EndpointSites } from './endpoint-sites.ts';
import { namesFrom, parentsOf } from './nearest-reservation.ts';
import { ServedPorts } from './served-ports.ts';
import { type FollowedKind, Sources, type SourcesOptions, siteKinds } from './sources.ts';
import { UnservedNames, type UnservedNamesOptions } from './unserved-names.ts';

export interface SiteTableOptions extends SourcesOptions, UnservedNamesOptions {
  readonly online: Pick<OnlineTunnels, 'byName' | 'heldFor' | 'matching' | 'onNamed'>;
  /** Absent: all tunnels are reached with TLS. */
  readonly withoutTls?: TunnelsWithoutTls;
}

/** Groups whose change may change the site of a name or port. */
const groupsWithSites: ReadonlySet<DocumentKey['kind']> = new Set([
  'edgeAt',
  'edgeOn',
  'reservationOf',
  'proofsOf',
  'addressOn',
]);

export class SiteTable implements LiveSites, PlainSites, PortSites {
  readonly #online: SiteTableOptions['online'];
  readonly #withoutTls: TunnelsWithoutTls | null;
  readonly #sources: Sources;
  readonly #endpoints: EndpointSites;
  readonly #unserved: UnservedNames;
  readonly #ports: ServedPorts;
  readonly #listeners: ((pattern: HostPattern | null) => void)[] = [];
  #changed = false;
  #following: { stop(): Promise<void> } | null = null;

  constructor(options: SiteTableOptions) {
    this.#online = options.online;
    this.#withoutTls = options.withoutTls ?? null;
    this.#sources = new Sources(options, (key, isRead) => this.#touched(key, isRead));
    this.#endpoints = new EndpointSites(this.#sources);
    this.#unserved = new UnservedNames(this.#sources, options);
    this.#ports = new ServedPorts(this.#sources.documents, this.#withoutTls);
    this.#online.onNamed((name) => this.#named(name));
  }

  /** A table that holds what the store has, and follows it until it is stopped. */
  static async start(
    options: SiteTableOptions & { readonly store: DocumentFeed; readonly log?: Logger },
  ): Promise<SiteTable> {
    const table = new SiteTable(options);
    const onError = failureLog(options.log, 'following edges and domains failed');
    table.#following = await followDocuments(options.store, siteKinds, table, { onError });
    return table;
  }

  async stop(): Promise<void> {
    await this.#following?.stop();
  }

  onChange(listener: (pattern: HostPattern | null) => void): void {
    this.#listeners.push(listener);
  }

  lookup(hostname: Hostname): CompiledSite | undefined {
    const unproven = this.#unserved.unproven(hostname);
    if (unproven !== undefined) return unproven;
    const exact = this.#servedAt(hostname, hostname);
    if (exact !== undefined) return exact;
    for (const pattern of parentsOf(hostname)) {
      const site = this.#servedAt(pattern, hostname);
      if (site !== undefined) return site;
    }
    return this.#unserved.idle(hostname);
  }

  /** Returns true if a document from which sites are made has this id. */
  exists(id: string): boolean {
    return this.#sources.documents.get(id) !== undefined;
  }

  lookupPlain(hostname: Hostname): CompiledSite | undefined {
    if (this.#unserved.unproven(hostname) !== undefined) return undefined;
    for (const name of namesFrom(hostname)) {
      if (this.#hasEdge(name)) return undefined;
      const tunnel = this.#withoutTls?.byPlainName(name);
      if (tunnel !== undefined) return this.#endpoints.at(tunnel, hostname);
      if (this.#online.byName(name) !== undefined) return undefined;
    }
    return undefined;
  }

  get ports(): ReadonlySet<number> {
    return this.#ports.now;
  }

  onPorts(listener: () => void): void {
    this.#ports.onChange(listener);
  }

  atPort(port: number): CompiledSite | undefined {
    const edge = this.#sources.documents.groups.edgeOn.at(port)[0];
    if (edge !== undefined) return this.#edge(edge.id);
    const tunnel = this.#withoutTls?.byPort(port);
    return tunnel === undefined ? undefined : this.#endpoints.atPort(tunnel, port);
  }

  /** Called by `follow` with the whole state. Unchanged documents keep their connections. */
  reset(documents: readonly StoredDocument<FollowedKind>[]): void {
    const present = new Set(documents.map(({ id }) => id));
    const removed = new Set(this.#sources.ids.filter((id) => !present.has(id)));
    for (const id of removed) this.#sources.remove(id);
    for (const document of documents) this.#sources.put(document);
    this.#endpoints.forgetIn(removed);
    this.#announce();
  }

  /** Called by `follow` with changes. */
  apply(changes: readonly Change<FollowedKind>[]): void {
    const removed = new Set<string>();
    for (const { id, document } of changes) {
      if (document !== null) this.#sources.put(document);
      else if (this.#sources.remove(id)) removed.add(id);
    }
    this.#endpoints.forgetIn(removed);
    this.#announce();
  }

  /** `key`: null for the rules of a policy. */
  #touched(key: DocumentKey | null, isRead: boolean): void {
    this.#changed ||= isRead || (key !== null && groupsWithSites.has(key.kind));
    if (key?.kind === 'edgeOn') this.#ports.update(key.of);
  }

  #announce(): void {
    if (!this.#changed) return;
    this.#changed = false;
    for (const listener of this.#listeners) listener(null);
    this.#ports.announce();
  }

  /** Notifies listeners that visitors of a wildcard above the name now belong to the name. */
  #named(name: HostPattern): void {
    const [, ...above] = namesFrom(name);
    if (!above.some((pattern) => this.#isServed(pattern))) return;
    for (const listener of this.#listeners) listener(name);
  }

  #isServed(pattern: HostPattern | Hostname): boolean {
    return (
      this.#hasEdge(pattern) ||
      this.#online.byName(pattern) !== undefined ||
      this.#withoutTls?.byPlainName(pattern) !== undefined
    );
  }

  #hasEdge(name: HostPattern | Hostname): boolean {
    return this.#sources.documents.groups.edgeAt.at(name).length > 0;
  }

  #servedAt(name: HostPattern | Hostname, hostname: Hostname): CompiledSite | undefined {
    const edge = this.#sources.documents.groups.edgeAt.at(name)[0];
    if (edge !== undefined) return this.#edge(edge.id);
    const tunnel = this.#online.byName(name);
    return tunnel === undefined ? undefined : this.#endpoints.at(tunnel, hostname);
  }

  #edge(id: string): CompiledSite {
    return this.#sources.derived.value('site', id, (read, before) =>
      compileEdge(read('document', id) as EdgeDocumentOfSite, this.#sources.look(read), before),
    );
  }
}

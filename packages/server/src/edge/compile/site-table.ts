/**
 * Resolves each name at the front door and each TCP port to its site.
 * Invariant: a look-up never waits, and its site is made from the present state of the store and the agents only.
 */
import type { Logger } from 'pino';
import { remembered } from '../../core/limits/remembered.ts';
import { baseOf, type Hostname, type HostPattern, parentPatterns } from '../../core/names/hostname.ts';
import { isSharedName, type ServiceAddress } from '../../core/service-names.ts';
import type { Change, DocumentFeed, KindName, StoredDocument } from '../../documents/index.ts';
import { followDocuments } from '../../documents/store.ts';
import type { Login } from '../../login/login.ts';
import type { LiveTunnel, OnlineTunnels, TunnelsWithoutTls } from '../../online/online.ts';
import { failureLog } from '../../store/outage-log.ts';
import { backendKinds, compileBackend } from '../backends/compile-backend.ts';
import { Dialler } from '../backends/dialler.ts';
import { unservedBackend } from '../backends/unserved-backend.ts';
import { edgePort, type Group, groups, namesSites } from '../sites/groups.ts';
import type { Backend, Site } from '../sites/site.ts';
import {
  type BackendKind,
  kindsBesideBackends,
  type SiteDocument,
  type SiteKind,
} from '../sites/site-documents.ts';
import type { LiveSites, PlainSites, PortSites } from '../sites/sites.ts';
import { type AccountLook, accountGuards, type WouldRefuse } from './account-restriction.ts';
import { compileEndpoint, compileTcpEndpoint } from './compile-endpoint.ts';
import { type CompiledSite, compileEdge, type EdgeDocumentOfSite, idleSite } from './compile-site.ts';
import { Derived, type Make, type Read } from './derived.ts';
import { DocumentIndex } from './document-index.ts';
import { PolicyRules, type RulesView, rulesKey } from './policy-rules.ts';

/** Kinds of documents that it follows. */
export const siteKinds = [
  ...backendKinds,
  ...kindsBesideBackends,
  'ip_policy_rule',
] as const satisfies readonly KindName[];
type FollowedKind = (typeof siteKinds)[number];

export interface SecretOpener {
  /** Raises an error for what was not sealed for this place. */
  open(sealed: string, context: string): string;
}

export interface SiteTableOptions {
  readonly online: Pick<OnlineTunnels, 'byName' | 'heldFor' | 'matching' | 'onNamed'>;
  /** Absent: all tunnels are reached with TLS. */
  readonly withoutTls?: TunnelsWithoutTls;
  /** Dialler for static backends; absent: one that dials only public addresses. */
  readonly dialler?: Dialler;
  /** The shared domain and the service's own names below it; absent: no name is anybody's before it is reserved. */
  readonly service?: ServiceAddress;
  /** True if names other than the service's own are served only with a proof; default false. */
  readonly requireProof?: boolean;
  /** Opens what is sealed in documents; absent: nothing can be opened. */
  readonly sealer?: SecretOpener;
  /** Login of visitors, for modules; absent: no visitor can log in. */
  readonly login?: Login;
  /** Called with visitors that a restriction would refuse if it were enforced. */
  readonly wouldRefuse?: (visitor: WouldRefuse) => void;
  /** Random number from 0 up to, but not including, 1. */
  readonly random?: () => number;
}

export class SiteTable implements LiveSites, PlainSites, PortSites {
  readonly #online: SiteTableOptions['online'];
  readonly #withoutTls: TunnelsWithoutTls | null;
  readonly #sealer: SecretOpener | undefined;
  readonly #login: Login | null;
  readonly #dialler: Dialler;
  readonly #random: () => number;
  readonly #service: ServiceAddress | undefined;
  readonly #requireProof: boolean;
  /** Site of all names that are free for any account. */
  readonly #nobodys = idleSite('', '');
  readonly #wouldRefuse: (visitor: WouldRefuse) => void;
  readonly #derived: Derived;
  readonly #documents: DocumentIndex;
  readonly #rules: PolicyRules;
  /** Keys of the sites of each tunnel, or of the pool that it is in, by the ids of the reservations: one, but below a wildcard several. */
  readonly #endpoints = new Map<LiveTunnel, Map<string, string>>();
  readonly #listeners: ((pattern: HostPattern | null) => void)[] = [];
  readonly #portListeners: (() => void)[] = [];
  /** Ports of edges. */
  readonly #ports = new Set<number>();
  /** Ports that were returned last; null if they have changed since. */
  #portsNow: ReadonlySet<number> | null = null;
  #changed = false;
  #following: { stop(): Promise<void> } | null = null;

  constructor(options: SiteTableOptions) {
    const {
      online,
      sealer,
      login = null,
      withoutTls = null,
      dialler,
      service,
      requireProof = false,
      random = Math.random,
      wouldRefuse = () => {},
    } = options;
    this.#sealer = sealer;
    this.#login = login;
    this.#online = online;
    this.#withoutTls = withoutTls;
    withoutTls?.onPorts(() => this.#portsChanged());
    online.onNamed((name) => this.#named(name));
    this.#dialler = dialler ?? new Dialler({ allowPrivate: [] });
    this.#random = random;
    this.#service = service;
    this.#requireProof = requireProof;
    this.#wouldRefuse = wouldRefuse;
    this.#derived = new Derived({ read: (key) => this.#source(key) });
    const touched = (key: string): void => {
      const isRead = this.#derived.touch(key);
      this.#changed ||= isRead || namesSites(key);
      const port = edgePort(key);
      if (port !== null) this.#lookAtPort(port);
    };
    this.#documents = new DocumentIndex(touched);
    this.#rules = new PolicyRules(touched);
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

  lookup(hostname: Hostname): Site | undefined {
    const unproven = this.#unproven(hostname);
    if (unproven !== undefined) return unproven;
    const exact = this.#servedAt(hostname, hostname);
    if (exact !== undefined) return exact;
    for (const pattern of parentsOf(hostname)) {
      const site = this.#servedAt(pattern, hostname);
      if (site !== undefined) return site;
    }
    return this.#idle(hostname);
  }

  /** Returns true if a document from which sites are made has this id. */
  exists(id: string): boolean {
    return this.#documents.get(id) !== undefined;
  }

  lookupPlain(hostname: Hostname): Site | undefined {
    if (this.#unproven(hostname) !== undefined) return undefined;
    for (const name of namesFrom(hostname)) {
      if (this.#documents.group(groups.edgeAt(name)).length > 0) return undefined;
      const tunnel = this.#withoutTls?.byPlainName(name);
      if (tunnel !== undefined) return this.#endpoint(tunnel, hostname);
      if (this.#online.byName(name) !== undefined) return undefined;
    }
    return undefined;
  }

  get ports(): ReadonlySet<number> {
    this.#portsNow ??= new Set([...this.#ports, ...(this.#withoutTls?.ports ?? [])]);
    return this.#portsNow;
  }

  onPorts(listener: () => void): void {
    this.#portListeners.push(listener);
  }

  atPort(port: number): Site | undefined {
    const edge = this.#documents.group(groups.edgeOn(port))[0];
    if (edge !== undefined) return this.#edge(edge.id);
    const tunnel = this.#withoutTls?.byPort(port);
    return tunnel === undefined ? undefined : this.#endpointAtPort(tunnel, port);
  }

  /** Called by `follow` with the whole state. Unchanged documents keep their connections. */
  reset(documents: readonly StoredDocument<FollowedKind>[]): void {
    const present = new Set(documents.map(({ id }) => id));
    const removed = new Set([...this.#documents.ids, ...this.#rules.ids].filter((id) => !present.has(id)));
    for (const id of removed) this.#remove(id);
    for (const document of documents) this.#put(document);
    this.#forgetEndpointsIn(removed);
    this.#announce();
  }

  /** Called by `follow` with changes. */
  apply(changes: readonly Change<FollowedKind>[]): void {
    const removed = new Set<string>();
    for (const { id, document } of changes) {
      if (document !== null) this.#put(document);
      else if (this.#remove(id)) removed.add(id);
    }
    this.#forgetEndpointsIn(removed);
    this.#announce();
  }

  #put(document: StoredDocument<FollowedKind>): void {
    if (document.kind === 'ip_policy_rule') this.#rules.put(document);
    else this.#documents.put(document);
  }

  /** Returns true if the id was that of a document that can hold names. */
  #remove(id: string): boolean {
    const wasDocument = this.#documents.remove(id);
    if (!wasDocument) this.#rules.remove(id);
    this.#derived.forget(siteKey(id));
    this.#derived.forget(unprovenKey(id));
    return wasDocument;
  }

  /** A tunnel may live longer than any number of reservations that its name was in. */
  #forgetEndpointsIn(removed: ReadonlySet<string>): void {
    if (removed.size === 0) return;
    for (const keys of this.#endpoints.values()) {
      for (const [reservations, key] of keys) {
        if (!reservations.split(' ').some((id) => removed.has(id))) continue;
        keys.delete(reservations);
        this.#derived.forget(key);
      }
    }
  }

  #lookAtPort(port: number): void {
    const isServed = this.#documents.group(groups.edgeOn(port)).length > 0;
    if (isServed === this.#ports.has(port)) return;
    if (isServed) this.#ports.add(port);
    else this.#ports.delete(port);
    this.#portsNow = null;
  }

  #announce(): void {
    if (!this.#changed) return;
    this.#changed = false;
    for (const listener of this.#listeners) listener(null);
    if (this.#portsNow === null) this.#portsChanged();
  }

  /** What came to the name by a wildcard above it would come to what is online there now. */
  #named(name: HostPattern): void {
    const [, ...above] = namesFrom(name);
    if (!above.some((pattern) => this.#isServed(pattern))) return;
    for (const listener of this.#listeners) listener(name);
  }

  #isServed(pattern: HostPattern): boolean {
    return (
      this.#documents.group(groups.edgeAt(pattern)).length > 0 ||
      this.#online.byName(pattern) !== undefined ||
      this.#withoutTls?.byPlainName(pattern) !== undefined
    );
  }

  #portsChanged(): void {
    this.#portsNow = null;
    for (const listener of this.#portListeners) listener();
  }

  #servedAt(name: HostPattern | Hostname, hostname: Hostname): Site | undefined {
    const edge = this.#documents.group(groups.edgeAt(name))[0];
    if (edge !== undefined) return this.#edge(edge.id);
    const tunnel = this.#online.byName(name);
    return tunnel === undefined ? undefined : this.#endpoint(tunnel, hostname);
  }

  #edge(id: string): Site {
    return this.#derived.value<CompiledSite>(siteKey(id), (read, before) =>
      compileEdge(read(id) as EdgeDocumentOfSite, this.#look(read), before),
    );
  }

  /** Returns the site of a tunnel. The requested name below a wildcard may have its own reservation. */
  #endpoint(tunnel: LiveTunnel, hostname: Hostname): Site {
    const bound = tunnel.hostname ?? hostname;
    const nearest = this.#nearestReservation(hostname)?.id ?? '';
    const ids = bound === hostname ? nearest : `${nearest} ${this.#nearestReservation(bound)?.id ?? ''}`;
    return this.#endpointSite(tunnel, ids, (read, before) => {
      const look = this.#look(read);
      const reservations = [...new Set(ids.split(' '))].map((id) => look.get('reserved_domain', id));
      return compileEndpoint(tunnel, reservations, look, before);
    });
  }

  #endpointAtPort(tunnel: LiveTunnel, port: number): Site {
    const id = this.#documents.group(groups.addressOn(port))[0]?.id ?? '';
    return this.#endpointSite(tunnel, id, (read, before) => {
      const look = this.#look(read);
      return compileTcpEndpoint(tunnel, look.get('reserved_addr', id), look, before);
    });
  }

  /** `reservations`: their ids. */
  #endpointSite(tunnel: LiveTunnel, reservations: string, make: Make<CompiledSite>): Site {
    const known = this.#endpoints.get(tunnel)?.get(reservations);
    const key = known ?? `site ${tunnel.pool?.id ?? tunnel.id} in ${reservations}`;
    const site = this.#derived.value<CompiledSite>(key, make);
    // Afterwards: of a tunnel that is closed already the site is forgotten at once.
    if (known === undefined) this.#watch(tunnel, reservations, key);
    return site;
  }

  #watch(tunnel: LiveTunnel, reservations: string, key: string): void {
    const keys = this.#endpoints.get(tunnel);
    if (keys !== undefined) {
      keys.set(reservations, key);
      return;
    }
    this.#endpoints.set(tunnel, new Map([[reservations, key]]));
    const forget = (): void => {
      const [next] = tunnel.pool?.tunnels ?? [];
      for (const [ids, one] of this.#endpoints.get(tunnel) ?? []) {
        if (next === undefined) this.#derived.forget(one);
        else this.#watch(next, ids, one);
      }
      this.#endpoints.delete(tunnel);
    };
    if (tunnel.closed.aborted) forget();
    else tunnel.closed.addEventListener('abort', forget, { once: true });
  }

  #nearestReservation(pattern: HostPattern | Hostname): SiteDocument | undefined {
    for (const name of namesFrom(pattern)) {
      const [found] = this.#documents.group(groups.reservationOf(name));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Returns the site of a name without the required proof; undefined for any other name. */
  #unproven(hostname: Hostname): Site | undefined {
    const shared = this.#service?.domain;
    if (!this.#requireProof || hostname.endsWith(`.${shared}`)) return undefined;
    const reservation = this.#nearestReservation(hostname);
    if (reservation === undefined) return undefined;
    const { id, account } = reservation;
    const proofs = onlyOf('domain_proof', this.#documents.group(groups.proofsOf(id)));
    if (proofs.some(({ body }) => body.proven_by !== null)) return undefined;
    return this.#derived.value(unprovenKey(id), (read) => {
      const guards = accountGuards(account, this.#look(read));
      return idleSite(id, account, guards, 'domainNotProven');
    });
  }

  #idle(hostname: Hostname): Site | undefined {
    const reservation = this.#nearestReservation(hostname);
    if (reservation !== undefined) {
      const { id, account } = reservation;
      return this.#derived.value(siteKey(id), (read) => {
        read(id);
        return idleSite(id, account, accountGuards(account, this.#look(read)));
      });
    }
    const account = this.#online.heldFor(hostname);
    if (account !== undefined) {
      const look = this.#look((key) => this.#source(key));
      return idleSite(hostname, account, accountGuards(account, look));
    }
    const isShared = this.#service !== undefined && isSharedName(hostname, this.#service);
    return isShared ? this.#nobodys : undefined;
  }

  #look(read: Read): AccountLook {
    return {
      get: (kind, id) => {
        const document = read(id) as SiteDocument | undefined;
        return document === undefined ? undefined : onlyOf(kind, [document])[0];
      },
      group: (kind, group) => onlyOf(kind, read(group) as readonly SiteDocument[]),
      rules: (policy) => (read(rulesKey(policy)) as RulesView).rules,
      secret: (sealed, context) => this.#open(sealed, context),
      login: this.#login,
      backend: (id) => this.#backend(id, read),
      wouldRefuse: this.#wouldRefuse,
    };
  }

  #open(sealed: string, context: string): string | null {
    try {
      return this.#sealer?.open(sealed, context) ?? null;
    } catch {
      return null;
    }
  }

  #backend(id: string, read: Read): Backend {
    const key = backendKey(id);
    const make = (below: Read): Backend => {
      const document = below(id) as StoredDocument<BackendKind> | undefined;
      if (document === undefined) return unservedBackend(id, 'edgeWithoutBackend');
      const child = (one: string): Backend => this.#backend(one, below);
      return compileBackend(document, {
        online: this.#online,
        dialler: this.#dialler,
        random: this.#random,
        child,
      });
    };
    this.#derived.part<Backend>(key, make, (backend) => backend.dispose?.());
    return read(key) as Backend;
  }

  #source(key: string): unknown {
    if (key.startsWith('rules of ')) return this.#rules.view(key.slice('rules of '.length));
    return key.includes(' ') ? this.#documents.group(key as Group) : this.#documents.get(key);
  }
}

const siteKey = remembered((id: string) => `site ${id}`);

const unprovenKey = remembered((reservation: string) => `site of unproven ${reservation}`);

const parentsOf = remembered(parentPatterns);

/** The name, and what covers it, longest first. */
const namesFrom = remembered((name: HostPattern): readonly (HostPattern | Hostname)[] => [
  name,
  ...parentsOf(baseOf(name)),
]);

function backendKey(id: string): string {
  return `backend ${id}`;
}

/** The compiler cannot see that a kind which is equal is the same. */
function onlyOf<Kind extends SiteKind>(
  kind: Kind,
  documents: readonly SiteDocument[],
): readonly StoredDocument<Kind>[] {
  return documents.filter(
    (document) => document.kind === kind,
  ) as readonly SiteDocument[] as readonly StoredDocument<Kind>[];
}

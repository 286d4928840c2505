/**
 * The route table: what each name leads to, precomputed.
 * In: edges, backends, reservations and IP rules as the store changes, tunnels that are online. Out: targets. What may change here: what
 * is indexed; never that a look-up waits, or costs more than a few map accesses.
 */
import type { Logger } from 'pino';
import { IpPolicies } from '../access/ip-policies.ts';
import type { Hostname, HostPattern } from '../core/hostname.ts';
import type { IpRule } from '../core/ip-rules.ts';
import type { Change, DocumentStore, StoredDocument, TlsEdgeDocument } from '../documents/index.ts';
import { followDocuments } from '../documents/store.ts';
import { failureLog } from '../store/outage-log.ts';
import type { LiveTunnel, OnlineTunnels } from '../tunnels/online.ts';
import { ConfiguredNames } from './configured-names.ts';
import { IdleNames } from './idle-names.ts';
import { resolveTarget, restrictTo, type StoredBackend, type StoredEdge } from './resolve-target.ts';
import type { LiveTargets, Target, Termination } from './target.ts';

const kinds = [
  'tls_edge',
  'https_edge',
  'http_response_backend',
  'tunnel_group_backend',
  'failover_backend',
  'weighted_backend',
  'static_backend',
  'reserved_domain',
  'endpoint_configuration',
  'ip_policy_rule',
] as const;
type Followed = (typeof kinds)[number];
const endpointTermination: Termination = { key: 'endpoint', minVersion: 'TLSv1.2' };

type Online = Pick<OnlineTunnels, 'byName' | 'heldFor'>;

export interface RouteTableOptions {
  readonly store: DocumentStore;
  readonly online: Online;
  readonly log?: Logger;
}

/** An edge as it is now in the table. */
interface Entry {
  readonly document: StoredEdge;
  readonly hostnames: readonly HostPattern[];
  readonly backendId: string | null;
  readonly policyIds: readonly string[];
  /** Equal for two states of an edge that treat connections alike. */
  readonly fingerprint: string;
  /** Equal for two states of an edge that turn the same addresses away. */
  readonly restriction: string;
  readonly target: Target;
}

export class RouteTable implements LiveTargets {
  readonly #online: Online;
  readonly #edges = new Map<string, Entry>();
  readonly #backends = new Map<string, StoredBackend>();
  readonly #edgesOfBackend = new Map<string, Set<string>>();
  readonly #policies = new IpPolicies();
  readonly #edgesOfPolicy = new Map<string, Set<string>>();
  /** Policies with rules that changed in this batch: their edges are looked at once, at its end. */
  readonly #changedPolicies = new Set<string>();
  readonly #byName = new Map<HostPattern, Entry>();
  readonly #idle: IdleNames;
  readonly #configured = new ConfiguredNames();
  readonly #endpoints = new WeakMap<LiveTunnel, Target>();
  readonly #refusedEndpoints = new WeakMap<LiveTunnel, Target>();
  readonly #listeners: (() => void)[] = [];
  #changed = false;
  #following: { stop(): Promise<void> } | null = null;

  constructor(online: Online) {
    this.#online = online;
    this.#idle = new IdleNames(online, endpointTermination);
  }

  /** A table that holds what the store has, and follows it until it is stopped. */
  static async start(options: RouteTableOptions): Promise<RouteTable> {
    const { store, online, log } = options;
    const table = new RouteTable(online);
    const onError = failureLog(log, 'following edges and domains failed');
    table.#following = await followDocuments(store, kinds, table, { onError });
    return table;
  }

  async stop(): Promise<void> {
    await this.#following?.stop();
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  lookup(hostname: Hostname): Target | undefined {
    const exact = this.#find(hostname, hostname);
    if (exact !== undefined) return exact;
    for (let dot = hostname.indexOf('.'); dot !== -1; dot = hostname.indexOf('.', dot + 1)) {
      const target = this.#find(`*${hostname.slice(dot)}` as HostPattern, hostname);
      if (target !== undefined) return target;
    }
    return this.#idle.lookup(hostname);
  }

  /** For `follow`: the whole truth. Edges that are as they were keep their targets, and so their connections. */
  reset(documents: readonly StoredDocument<Followed>[]): void {
    const present = new Set(documents.map((document) => document.id));
    for (const id of [
      ...this.#edges.keys(),
      ...this.#backends.keys(),
      ...this.#idle.ids,
      ...this.#configured.ids,
      ...this.#policies.ids(),
    ])
      if (!present.has(id)) this.#remove(id);
    // Backends first: an edge is resolved with what is there.
    for (const document of documents) if (!isEdge(document)) this.#put(document);
    for (const document of documents) if (isEdge(document)) this.#put(document);
    this.#announce();
  }

  /** For `follow`: what became different. */
  apply(changes: readonly Change<Followed>[]): void {
    for (const { id, document } of changes) {
      if (document === null) this.#remove(id);
      else this.#put(document);
    }
    this.#announce();
  }

  #find(name: HostPattern, hostname: Hostname): Target | undefined {
    const entry = this.#byName.get(name);
    if (entry !== undefined) return entry.target;
    const tunnel = this.#online.byName(name);
    if (tunnel === undefined) return undefined;
    // Below a wildcard, the name that is asked for may have a reservation of its own.
    const isRefused =
      this.#configured.refuses(name) || (name !== hostname && this.#configured.refuses(hostname));
    return isRefused ? this.#refusedEndpoint(tunnel) : this.#endpoint(tunnel);
  }

  #endpoint(tunnel: LiveTunnel): Target {
    let target = this.#endpoints.get(tunnel);
    if (target === undefined) {
      target = {
        id: tunnel.endpoint ?? tunnel.id,
        account: tunnel.account,
        edgeType: '0',
        termination: endpointTermination,
        refusal: null,
        backend: { kind: 'tunnel', tunnel },
      };
      this.#endpoints.set(tunnel, target);
    }
    return target;
  }

  #refusedEndpoint(tunnel: LiveTunnel): Target {
    let target = this.#refusedEndpoints.get(tunnel);
    if (target === undefined) {
      target = { ...this.#endpoint(tunnel), refusal: 'moduleWithoutEffect', backend: null };
      this.#refusedEndpoints.set(tunnel, target);
    }
    return target;
  }

  #put(document: StoredDocument<Followed>): void {
    switch (document.kind) {
      case 'tls_edge':
      case 'https_edge':
        this.#putEdge(document);
        break;
      case 'endpoint_configuration':
        this.#changed = this.#configured.put(document) || this.#changed;
        break;
      case 'reserved_domain': {
        const isNews = [this.#idle.put(document), this.#configured.put(document)].includes(true);
        this.#changed ||= isNews;
        break;
      }
      case 'ip_policy_rule':
        this.#changedPolicies.add(this.#policies.put(document));
        break;
      default:
        this.#putBackend(document);
    }
  }

  #putBackend(document: StoredBackend): void {
    this.#backends.set(document.id, document);
    this.#backendChanged(document.id);
  }

  #remove(id: string): void {
    const entry = this.#edges.get(id);
    if (entry !== undefined) this.#removeEdge(entry);
    if (this.#backends.delete(id)) this.#backendChanged(id);
    const wasKnown = [this.#idle.remove(id), this.#configured.remove(id)].includes(true);
    this.#changed ||= wasKnown;
    const policy = this.#policies.remove(id);
    if (policy !== undefined) this.#changedPolicies.add(policy);
  }

  #backendChanged(id: string): void {
    for (const edge of [...(this.#edgesOfBackend.get(id) ?? [])])
      this.#putEdge(this.#edges.get(edge)!.document);
  }

  #putEdge(document: StoredEdge): void {
    const before = this.#edges.get(document.id);
    const { hostports } = document.body;
    const { backend, ip_restriction } = servedBy(document);
    const backendId = backend?.backend_id ?? null;
    const backendDocument = backendId === null ? undefined : this.#backends.get(backendId);
    const fingerprint = fingerprintOf(document, backendDocument);
    const policyIds = ip_restriction?.enabled ? ip_restriction.ip_policy_ids : [];
    const sources = ip_restriction?.enabled ? this.#policies.rulesOf(policyIds) : undefined;
    const restriction = restrictionOf(sources);
    const same = before?.fingerprint === fingerprint;
    const target = same ? before.target : resolveTarget(document, backendDocument);
    const entry: Entry = {
      document,
      hostnames: hostports.map((hostport) => hostport.hostname),
      backendId,
      policyIds,
      fingerprint,
      restriction,
      target: same && before.restriction === restriction ? target : restrictTo(target, sources),
    };
    if (before !== undefined) this.#unlink(before);
    this.#edges.set(document.id, entry);
    for (const hostname of entry.hostnames) this.#byName.set(hostname, entry);
    if (backendId !== null) addTo(this.#edgesOfBackend, backendId, document.id);
    for (const policy of policyIds) addTo(this.#edgesOfPolicy, policy, document.id);
    this.#changed ||= before?.target !== entry.target || !sameNames(before.hostnames, entry.hostnames);
  }

  #removeEdge(entry: Entry): void {
    this.#unlink(entry);
    this.#edges.delete(entry.document.id);
    this.#changed = true;
  }

  #unlink(entry: Entry): void {
    for (const hostname of entry.hostnames) {
      // Within one batch another edge may have taken the name already.
      if (this.#byName.get(hostname) === entry) this.#byName.delete(hostname);
    }
    if (entry.backendId !== null) removeFrom(this.#edgesOfBackend, entry.backendId, entry.document.id);
    for (const policy of entry.policyIds) removeFrom(this.#edgesOfPolicy, policy, entry.document.id);
  }

  #refreshRestricted(): void {
    const edges = new Set(
      [...this.#changedPolicies].flatMap((id) => [...(this.#edgesOfPolicy.get(id) ?? [])]),
    );
    this.#changedPolicies.clear();
    for (const edge of edges) this.#putEdge(this.#edges.get(edge)!.document);
  }

  #announce(): void {
    this.#refreshRestricted();
    if (!this.#changed) return;
    this.#changed = false;
    for (const listener of this.#listeners) listener();
  }
}

function isEdge({ kind }: StoredDocument): boolean {
  return kind === 'tls_edge' || kind === 'https_edge';
}

/** HTTPS edges have their backends and restrictions on their routes. */
function servedBy(edge: StoredEdge): Pick<TlsEdgeDocument, 'backend' | 'ip_restriction'> {
  return edge.kind === 'tls_edge' ? edge.body : { backend: null, ip_restriction: null };
}

/** The order of rules decides nothing. */
function restrictionOf(sources: readonly IpRule[] | undefined): string {
  if (sources === undefined) return 'none';
  return JSON.stringify(sources.map(({ action, cidr }) => `${action} ${cidr.text}`).sort());
}

function addTo(edgesOf: Map<string, Set<string>>, id: string, edge: string): void {
  const edges = edgesOf.get(id) ?? new Set();
  edgesOf.set(id, edges.add(edge));
}

function removeFrom(edgesOf: Map<string, Set<string>>, id: string, edge: string): void {
  const edges = edgesOf.get(id);
  edges?.delete(edge);
  if (edges?.size === 0) edgesOf.delete(id);
}

function sameNames(before: readonly string[], after: readonly string[]): boolean {
  return before.length === after.length && before.every((name) => after.includes(name));
}

/** What `resolveTarget` depends on; the IP restriction, a description, a hostport or a time stamp is not part of it. */
function fingerprintOf(edge: StoredEdge, backend: StoredBackend | undefined): string {
  const { mutual_tls, tls_termination } = edge.body;
  const content = backend && { ...backend.body, description: '', metadata: '' };
  const module = servedBy(edge).backend;
  return JSON.stringify([module, mutual_tls, tls_termination, backend?.id ?? null, content ?? {}]);
}

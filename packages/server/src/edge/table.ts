/**
 * The route table: what each name leads to, precomputed.
 * In: edges and backends as the store changes, tunnels that are online. Out: targets. What may change here: what is indexed;
 * never that a look-up waits, or costs more than a few map accesses.
 */
import type { Logger } from 'pino';
import type { Hostname, HostPattern } from '../core/hostname.ts';
import type { TlsEdgeDocument } from '../resources/documents.ts';
import { follow } from '../store/follow.ts';
import type { Change, Store, StoredDocument } from '../store/store.ts';
import type { LiveTunnel, OnlineTunnels } from '../tunnels/registry.ts';
import { resolveTarget } from './resolve-target.ts';
import type { LiveTargets, Target, Termination } from './target.ts';

const kinds = ['tls_edge', 'http_response_backend', 'tunnel_group_backend'];
const endpointTermination: Termination = { key: 'endpoint', minVersion: 'TLSv1.2' };

export interface RouteTableOptions {
  readonly store: Store;
  readonly online: Pick<OnlineTunnels, 'byName'>;
  readonly log?: Logger;
}

/** An edge as it is now in the table. */
interface Entry {
  readonly document: StoredDocument;
  readonly hostnames: readonly HostPattern[];
  readonly backendId: string | null;
  /** Equal for two states of an edge that treat connections alike. */
  readonly fingerprint: string;
  readonly target: Target;
}

export class RouteTable implements LiveTargets {
  readonly #online: Pick<OnlineTunnels, 'byName'>;
  readonly #edges = new Map<string, Entry>();
  readonly #backends = new Map<string, StoredDocument>();
  readonly #edgesOfBackend = new Map<string, Set<string>>();
  readonly #byName = new Map<HostPattern, Entry>();
  readonly #endpoints = new WeakMap<LiveTunnel, Target>();
  readonly #listeners: (() => void)[] = [];
  #changed = false;
  #following: { stop(): Promise<void> } | null = null;

  constructor(online: Pick<OnlineTunnels, 'byName'>) {
    this.#online = online;
  }

  /** A table that holds what the store has, and follows it until it is stopped. */
  static async start(options: RouteTableOptions): Promise<RouteTable> {
    const { store, online, log } = options;
    const table = new RouteTable(online);
    const onError = (error: unknown): void =>
      log?.warn({ err: error }, 'the route table lost the store for a while');
    table.#following = await follow(store, kinds, table, { onError });
    return table;
  }

  async stop(): Promise<void> {
    await this.#following?.stop();
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  lookup(hostname: Hostname): Target | undefined {
    const exact = this.#find(hostname);
    if (exact !== undefined) return exact;
    for (let dot = hostname.indexOf('.'); dot !== -1; dot = hostname.indexOf('.', dot + 1)) {
      const target = this.#find(`*${hostname.slice(dot)}` as HostPattern);
      if (target !== undefined) return target;
    }
    return undefined;
  }

  /** For `follow`: the whole truth. Edges that are as they were keep their targets, and so their connections. */
  reset(documents: readonly StoredDocument[]): void {
    const present = new Set(documents.map((document) => document.id));
    for (const id of [...this.#edges.keys(), ...this.#backends.keys()])
      if (!present.has(id)) this.#remove(id);
    // Backends first: an edge is resolved with what is there.
    for (const document of documents) if (document.kind !== 'tls_edge') this.#put(document);
    for (const document of documents) if (document.kind === 'tls_edge') this.#put(document);
    this.#announce();
  }

  /** For `follow`: what became different. */
  apply(changes: readonly Change[]): void {
    for (const { id, document } of changes) {
      if (document === null) this.#remove(id);
      else this.#put(document);
    }
    this.#announce();
  }

  #find(name: HostPattern): Target | undefined {
    const entry = this.#byName.get(name);
    if (entry !== undefined) return entry.target;
    const tunnel = this.#online.byName(name);
    return tunnel === undefined ? undefined : this.#endpoint(tunnel);
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

  #put(document: StoredDocument): void {
    if (document.kind === 'tls_edge') {
      this.#putEdge(document);
      return;
    }
    this.#backends.set(document.id, document);
    this.#backendChanged(document.id);
  }

  #remove(id: string): void {
    const entry = this.#edges.get(id);
    if (entry !== undefined) this.#removeEdge(entry);
    if (this.#backends.delete(id)) this.#backendChanged(id);
  }

  #backendChanged(id: string): void {
    for (const edge of [...(this.#edgesOfBackend.get(id) ?? [])])
      this.#putEdge(this.#edges.get(edge)!.document);
  }

  #putEdge(document: StoredDocument): void {
    const before = this.#edges.get(document.id);
    const { hostports, backend } = document.body as unknown as TlsEdgeDocument;
    const backendId = backend?.backend_id ?? null;
    const backendDocument = backendId === null ? undefined : this.#backends.get(backendId);
    const fingerprint = fingerprintOf(document, backendDocument);
    const entry: Entry = {
      document,
      hostnames: hostports.map((hostport) => hostport.hostname),
      backendId,
      fingerprint,
      target: before?.fingerprint === fingerprint ? before.target : resolveTarget(document, backendDocument),
    };
    if (before !== undefined) this.#unlink(before);
    this.#edges.set(document.id, entry);
    for (const hostname of entry.hostnames) this.#byName.set(hostname, entry);
    if (backendId !== null) {
      const edges = this.#edgesOfBackend.get(backendId) ?? new Set();
      this.#edgesOfBackend.set(backendId, edges.add(document.id));
    }
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
    if (entry.backendId === null) return;
    const edges = this.#edgesOfBackend.get(entry.backendId);
    edges?.delete(entry.document.id);
    if (edges?.size === 0) this.#edgesOfBackend.delete(entry.backendId);
  }

  #announce(): void {
    if (!this.#changed) return;
    this.#changed = false;
    for (const listener of this.#listeners) listener();
  }
}

function sameNames(before: readonly string[], after: readonly string[]): boolean {
  return before.length === after.length && before.every((name) => after.includes(name));
}

/** What `resolveTarget` depends on; a description, a hostport or a time stamp is not part of it. */
function fingerprintOf(edge: StoredDocument, backend: StoredDocument | undefined): string {
  const {
    backend: module,
    ip_restriction,
    mutual_tls,
    tls_termination,
  } = edge.body as unknown as TlsEdgeDocument;
  const { description: _, metadata: __, ...content } = backend?.body ?? {};
  return JSON.stringify([module, ip_restriction, mutual_tls, tls_termination, backend?.id ?? null, content]);
}

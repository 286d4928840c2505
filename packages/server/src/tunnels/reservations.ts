/**
 * Accounts and edges that hold names and ports, in memory, so that a bind is decided without the store. Follows the
 * documents of reserved domains, addresses and edges.
 */
import { type BindTarget, patternsAbove, tcpPort } from '../core/names/bind-target.ts';
import type { Hostname } from '../core/names/hostname.ts';
import type { Change, EndpointConfigurationDocument, StoredDocument } from '../documents/index.ts';
import type { TargetOwners } from './target.ts';

interface Holding {
  readonly id: string;
  readonly account: string;
  /** Host of an address; its port is the reserved part. */
  readonly hostname?: Hostname;
  /** `ec_…` of what is attached to it; null for nothing, and for edges. */
  readonly configuration: string | null;
}

export class Reservations implements TargetOwners {
  readonly #reserved = new Map<BindTarget, Holding>();
  readonly #attached = new Map<BindTarget, Holding>();
  readonly #configurations = new Map<string, EndpointConfigurationDocument>();
  readonly #namesOf = new Map<string, readonly BindTarget[]>();

  reservedBy(name: BindTarget): string | undefined {
    return this.#reserved.get(name)?.account;
  }

  edgeAccount(name: BindTarget): string | undefined {
    return this.#attached.get(name)?.account;
  }

  reservedAddress(port: number): { readonly account: string; readonly hostname: Hostname } | undefined {
    const holding = this.#reserved.get(tcpPort(port));
    return holding?.hostname === undefined ? undefined : { ...holding, hostname: holding.hostname };
  }

  /** Returns the configuration of the nearest reservation of a target; null if it has none. */
  configurationOf(target: BindTarget): EndpointConfigurationDocument | null {
    const nearest = [target, ...patternsAbove(target)].find((one) => this.#reserved.has(one));
    const id = nearest === undefined ? null : (this.#reserved.get(nearest)?.configuration ?? null);
    return id === null ? null : (this.#configurations.get(id) ?? null);
  }

  /** Starts over from a listing. */
  reset(documents: readonly StoredDocument[]): void {
    this.#reserved.clear();
    this.#attached.clear();
    this.#configurations.clear();
    this.#namesOf.clear();
    for (const document of documents) this.#put(document);
  }

  /** Takes changes over; answers the names that they may have given to someone or taken from someone. */
  apply(changes: readonly Change[]): ReadonlySet<BindTarget> {
    const touched = new Set<BindTarget>();
    for (const change of changes) {
      for (const name of this.#namesOf.get(change.id) ?? []) touched.add(name);
      this.#drop(change.id);
      if (change.document === null) continue;
      for (const name of this.#put(change.document)) touched.add(name);
    }
    return touched;
  }

  #put(document: StoredDocument): readonly BindTarget[] {
    const { id, account, kind, body } = document;
    if (kind === 'endpoint_configuration') this.#configurations.set(id, body);
    const address = kind === 'reserved_addr' ? { hostname: body.hostname } : {};
    const holding = { id, account, ...address, configuration: configurationIn(document) };
    const names = namesIn(document);
    const isReservation = kind === 'reserved_domain' || kind === 'reserved_addr';
    const index = isReservation ? this.#reserved : this.#attached;
    for (const name of names) index.set(name, holding);
    if (names.length > 0) this.#namesOf.set(document.id, names);
    return names;
  }

  #drop(id: string): void {
    for (const name of this.#namesOf.get(id) ?? []) {
      // Another document may have taken the name over in the same batch.
      if (this.#reserved.get(name)?.id === id) this.#reserved.delete(name);
      if (this.#attached.get(name)?.id === id) this.#attached.delete(name);
    }
    this.#configurations.delete(id);
    this.#namesOf.delete(id);
  }
}

/** Reservations from before this field have null. */
function configurationIn({ kind, body }: StoredDocument): string | null {
  if (kind === 'reserved_domain') return body.https_endpoint_configuration_id ?? null;
  return kind === 'reserved_addr' ? (body.endpoint_configuration_id ?? null) : null;
}

function namesIn({ kind, body }: StoredDocument): readonly BindTarget[] {
  switch (kind) {
    case 'reserved_domain':
      return [body.domain];
    case 'tls_edge':
    case 'https_edge':
      return body.hostports.map((hostport) => hostport.hostname);
    case 'reserved_addr':
      return [tcpPort(body.port)];
    case 'tcp_edge':
      return body.hostports.map((hostport) => tcpPort(hostport.port));
    default:
      return [];
  }
}

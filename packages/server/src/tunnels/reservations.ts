/**
 * Which account has reserved a name and which edge has it, in memory, so that a bind is decided without waiting for the store.
 * Follows the documents of reserved domains and of edges with domains.
 */
import type { HostPattern } from '../core/hostname.ts';
import type { Change, StoredDocument } from '../documents/index.ts';
import type { NameOwners } from './names.ts';

interface Holding {
  readonly id: string;
  readonly account: string;
}

export class Reservations implements NameOwners {
  readonly #reserved = new Map<HostPattern, Holding>();
  readonly #attached = new Map<HostPattern, Holding>();
  readonly #namesOf = new Map<string, readonly HostPattern[]>();

  reservedBy(name: HostPattern): string | undefined {
    return this.#reserved.get(name)?.account;
  }

  edgeAccount(name: HostPattern): string | undefined {
    return this.#attached.get(name)?.account;
  }

  /** Starts over from a listing. */
  reset(documents: readonly StoredDocument[]): void {
    this.#reserved.clear();
    this.#attached.clear();
    this.#namesOf.clear();
    for (const document of documents) this.#put(document);
  }

  /** Takes changes over; answers the names that they may have given to someone or taken from someone. */
  apply(changes: readonly Change[]): ReadonlySet<HostPattern> {
    const touched = new Set<HostPattern>();
    for (const change of changes) {
      for (const name of this.#namesOf.get(change.id) ?? []) touched.add(name);
      this.#drop(change.id);
      if (change.document === null) continue;
      for (const name of this.#put(change.document)) touched.add(name);
    }
    return touched;
  }

  #put(document: StoredDocument): readonly HostPattern[] {
    const holding = { id: document.id, account: document.account };
    const names = namesIn(document);
    const index = document.kind === 'reserved_domain' ? this.#reserved : this.#attached;
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
    this.#namesOf.delete(id);
  }
}

function namesIn({ kind, body }: StoredDocument): readonly HostPattern[] {
  switch (kind) {
    case 'reserved_domain':
      return [body.domain];
    case 'tls_edge':
    case 'https_edge':
      return body.hostports.map((hostport) => hostport.hostname);
    default:
      return [];
  }
}

/**
 * Writes events about changes: the resource as the API shows it, and the caller.
 * Invariant: events have no secrets and no one-time fields. Invariant: only written changes make events.
 */
import { type AuditVerb, auditType, type EventStem } from '../../core/event-types.ts';
import { LruMap } from '../../core/limits/lru.ts';
import type { EventPrincipal, Happening } from '../../events/envelope.ts';
import type { Outbox, Place } from '../../events/outbox.ts';
import type { Conflict, JsonObject, WriteOperation } from '../../store/store.ts';
import type { DocumentOf, NewId, Principal, ResourceKind, StoredKind } from '../definition.ts';
import { eventPrincipal } from '../event-principal.ts';
import { everyDocument } from '../list.ts';
import { showDocument } from '../show.ts';
import type { Contexts, EngineDependencies } from './contexts.ts';

/** A change by the service itself, without an API request. */
export interface OfService {
  readonly account: string;
  readonly owner: null;
}

/** An event of a write that is about to be made. */
export interface AuditEvent {
  operations(newId: NewId): readonly WriteOperation[];
  /** The resource in the events; null before it is known. */
  readonly object: JsonObject | null;
  /** Works like `written` of the outbox. */
  written(): void;
  /** Removes a destination from the events. Returns true if it was to get them. */
  leaveOut(destination: string): boolean;
}

const none: readonly AuditEvent[] = [];
/** Number of keys with a kept principal, so that consecutive events share it. */
const MOST_KEYS = 1_000;

export class Audit {
  readonly #store: EngineDependencies['store'];
  readonly #outbox: Outbox | undefined;
  readonly #contexts: Contexts;
  readonly #kinds: readonly ResourceKind[];
  /** Principals by the id of the API key. */
  readonly #principals = new LruMap<string, EventPrincipal>(MOST_KEYS);

  constructor({ store, outbox }: EngineDependencies, contexts: Contexts, kinds: readonly ResourceKind[]) {
    this.#store = store;
    this.#outbox = outbox;
    this.#contexts = contexts;
    this.#kinds = kinds;
  }

  /**
   * Prepares the events about one resource, synchronously if nothing is asynchronous. `document` is called when the
   * write is built.
   */
  about(
    kind: StoredKind,
    verb: AuditVerb,
    by: Principal | OfService,
    document: () => DocumentOf,
  ): readonly AuditEvent[] | Promise<readonly AuditEvent[]> {
    const { eventStem } = kind;
    const outbox = this.#outbox;
    if (outbox === undefined || eventStem === null) return none;
    const type = auditType(eventStem, verb);
    const { account } = by;
    const told = (place: Place | null): readonly AuditEvent[] => {
      if (place === null) return none;
      const happening = (resource: DocumentOf): Happening => {
        const principal = this.#principalOf(by);
        return { type, account, principal, object: this.#show(kind, resource, by) };
      };
      return [new PlacedEvent(outbox, place, document, happening)];
    };
    const place = outbox.reserve(account, type);
    return place instanceof Promise ? place.then(told) : told(place);
  }

  /** Prepares the events about a deleted resource as it was, and about those that are deleted with it. */
  async deleted(kind: StoredKind, principal: Principal, before: DocumentOf): Promise<readonly AuditEvent[]> {
    const events: AuditEvent[] = [];
    for (const below of this.#kindsBelow(kind, principal.account)) {
      for await (const child of everyDocument(this.#store, principal.account, below.name, before.id))
        events.push(...(await this.about(below, 'deleted', principal, () => child)));
    }
    return [...events, ...(await this.about(kind, 'deleted', principal, () => before))];
  }

  /** Returns the kinds below this one whose deletion has subscribers. */
  #kindsBelow({ prefix }: StoredKind, account: string): readonly StoredKind[] {
    return this.#kinds.filter((kind): kind is StoredKind => {
      if (kind.source !== 'stored' || !isWanted(this.#outbox, account, kind.eventStem)) return false;
      return kind.references.some(({ parent, prefixes }) => parent === true && prefixes.includes(prefix));
    });
  }

  /** Returns the same object until its content changes. */
  #principalOf(by: Principal | OfService): EventPrincipal | null {
    if (by.owner === null) return null;
    const known = this.#principals.get(by.key);
    if (known?.id === by.owner && known.subject === by.subject) return known;
    const principal = eventPrincipal(by, this.#contexts.ref);
    this.#principals.set(by.key, principal);
    return principal;
  }

  #show(kind: StoredKind, document: DocumentOf, by: Principal | OfService): JsonObject {
    const shown = showDocument(kind, document, this.#contexts.show(by));
    if (shown instanceof Promise) throw new Error(`${kind.name} has events and is not shown at once`);
    return shown;
  }
}

/** Not an object literal: one with a getter lives, with all that it knows, until the next full collection. */
class PlacedEvent implements AuditEvent {
  readonly #outbox: Outbox;
  readonly #document: () => DocumentOf;
  readonly #happening: (resource: DocumentOf) => Happening;
  #place: Place;
  #object: JsonObject | null = null;

  constructor(
    outbox: Outbox,
    place: Place,
    document: () => DocumentOf,
    happening: (resource: DocumentOf) => Happening,
  ) {
    this.#outbox = outbox;
    this.#place = place;
    this.#document = document;
    this.#happening = happening;
  }

  get object(): JsonObject | null {
    return this.#object;
  }

  operations(newId: NewId): readonly WriteOperation[] {
    const resource = this.#document();
    const happening = this.#happening(resource);
    this.#object = happening.object;
    return this.#outbox.operations(this.#place, newId, resource.id, happening);
  }

  written(): void {
    this.#outbox.written(this.#place);
  }

  leaveOut(destination: string): boolean {
    const isLeft = this.#place.has(destination);
    this.#place = new Map([...this.#place].filter(([id]) => id !== destination));
    return isLeft;
  }
}

/** Returns true if the conflict is about a destination that went meanwhile: the same may be written again, without it. */
export function isLeftOut(conflict: Conflict, events: readonly AuditEvent[]): boolean {
  return conflict.reason === 'parent-missing' && events.some((event) => event.leaveOut(conflict.id));
}

function isWanted(outbox: Outbox | undefined, account: string, stem: EventStem | null): boolean {
  return outbox !== undefined && stem !== null && outbox.wants(account, auditType(stem, 'deleted'));
}

/**
 * Writes entries of the audit trail and events about changes: the resource as the API shows it, and the caller.
 * Invariant: neither has secrets or one-time fields. Invariant: only written changes are in them, and each has an entry.
 */
import { type AuditVerb, auditType, type EventStem } from '../../core/event-types.ts';
import { LruMap } from '../../core/limits/lru.ts';
import type { EventPrincipal, Happening } from '../../events/envelope.ts';
import type { Outbox, Place } from '../../events/outbox.ts';
import type { Conflict, JsonObject, WriteOperation } from '../../store/store.ts';
import { type Actor, actorOf, changeOperations, daemonActor } from '../change-entry.ts';
import type { DocumentOf, NewId, Principal, ResourceKind, StoredKind } from '../definition.ts';
import { type ComparedState, type Difference, differences } from '../differences.ts';
import { eventPrincipal } from '../event-principal.ts';
import { type LastUse, withLastUse } from '../last-use.ts';
import { everyDocument } from '../list.ts';
import { showDocument } from '../show.ts';
import type { Contexts, EngineDependencies } from './contexts.ts';

/** A change by the service itself, without an API request. */
export interface OfService {
  readonly account: string;
  readonly owner: null;
  /** The work, such as `certificate_renewal`. */
  readonly operation: string;
}

/** The entry and the event of a write that is about to be made. */
export interface AuditEvent {
  operations(newId: NewId): readonly WriteOperation[];
  /** The resource in the events; null before it is known. */
  readonly object: JsonObject | null;
  /** Works like `written` of the outbox. */
  written(): void;
  /** Removes a destination from the events. Returns true if it was to get them. */
  leaveOut(destination: string): boolean;
}

/** Deleted children that have entries of their own at most. */
const MOST_CHILDREN = 100;
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
   * Prepares the entry and the event about one resource, synchronously if nothing is asynchronous. `document` is called
   * when the write is built. `before`: the state that it had; null for a new one.
   */
  about(
    kind: StoredKind,
    verb: AuditVerb,
    by: Principal | OfService,
    document: () => DocumentOf,
    before: DocumentOf | null = null,
  ): readonly AuditEvent[] | Promise<readonly AuditEvent[]> {
    const change: Change = { kind, verb, by, document, before, more: [] };
    if (kind.hasLastUse === true && before !== null) return this.#aboutUsed(change, before);
    const place = this.#reserve(kind.eventStem, verb, by.account);
    const prepared = (found: Place | null): readonly AuditEvent[] => [this.#event(change, found)];
    return place instanceof Promise ? place.then(prepared) : prepared(place);
  }

  /** The same for a resource that is shown with its last use. */
  async #aboutUsed(change: Change, { id }: DocumentOf): Promise<readonly AuditEvent[]> {
    const { kind, verb, by } = change;
    const use = (await this.#contexts.lastUses(kind, by.account, [id])).get(id);
    return [this.#event(change, await this.#reserve(kind.eventStem, verb, by.account), use)];
  }

  /** Prepares those about a deleted resource as it was, and about the ones that are deleted with it. */
  async deleted(kind: StoredKind, by: Principal, before: DocumentOf): Promise<readonly AuditEvent[]> {
    const events: AuditEvent[] = [];
    const more: Difference[] = [];
    for (const below of this.#kindsBelow(kind)) {
      let count = 0;
      const isWanted = this.#isWanted(below.eventStem, by.account);
      for await (const child of everyDocument(this.#store, by.account, below.name, before.id)) {
        count += 1;
        if (!isWanted && count > MOST_CHILDREN) continue;
        events.push(...(await this.about(below, 'deleted', by, () => child, child)));
      }
      if (count > 0) more.push({ field: below.listKey, old: count, new: 0 });
    }
    const change: Change = { kind, verb: 'deleted', by, document: () => before, before, more };
    if (kind.hasLastUse === true) return [...events, ...(await this.#aboutUsed(change, before))];
    return [...events, this.#event(change, await this.#reserve(kind.eventStem, 'deleted', by.account))];
  }

  /** Returns the operations of an entry about an action that writes no document. */
  acted(
    kind: string,
    id: string,
    action: string,
    by: Principal,
  ): (newId: NewId) => readonly WriteOperation[] {
    const entry = { ...attributionOf(by), kind, id, parent: '', action, fields: [] };
    return (newId) => changeOperations(newId, entry);
  }

  #reserve(stem: EventStem | null, verb: AuditVerb, account: string): Place | null | Promise<Place | null> {
    if (this.#outbox === undefined || stem === null) return null;
    return this.#outbox.reserve(account, auditType(stem, verb));
  }

  #isWanted(stem: EventStem | null, account: string): boolean {
    return stem !== null && this.#outbox?.wants(account, auditType(stem, 'deleted')) === true;
  }

  #event({ kind, verb, by, document, before, more }: Change, place: Place | null, use?: LastUse): AuditEvent {
    const outbox = this.#outbox ?? null;
    const { eventStem: stem } = kind;
    const happening = (object: JsonObject): Happening | null => {
      if (stem === null) return null;
      const principal = this.#principalOf(by);
      return { type: auditType(stem, verb), account: by.account, principal, object };
    };
    const state = (of: DocumentOf): ComparedState => ({ shown: this.#show(kind, of, by), body: of.body });
    const entry = (newId: NewId, now: DocumentOf, shown: JsonObject): readonly WriteOperation[] => {
      const { id, parent } = now;
      const after = verb === 'deleted' ? null : { shown, body: now.body };
      const fields = [...differences(before && state(before), after), ...more];
      const about = { kind: kind.name, id, parent: parent ?? '', action: verb, fields };
      return changeOperations(newId, { ...attributionOf(by), ...about });
    };
    return new PlacedEvent({
      ...{ outbox, place, document, happening, entry },
      show: (of) => withLastUse(this.#show(kind, of, by), use),
    });
  }

  /** Returns the kinds that live below this one. */
  #kindsBelow({ prefix }: StoredKind): readonly StoredKind[] {
    return this.#kinds.filter(
      (kind): kind is StoredKind =>
        kind.source === 'stored' &&
        kind.references.some(({ parent, prefixes }) => parent === true && prefixes.includes(prefix)),
    );
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

  /** The stored form of a kind whose response form needs other documents. */
  #show(kind: StoredKind, document: DocumentOf, by: Principal | OfService): JsonObject {
    if (kind.showsOthers === true) return document.body;
    const shown = showDocument(kind, document, this.#contexts.show(by));
    if (shown instanceof Promise) throw new Error(`${kind.name} has entries and is not shown at once`);
    return shown;
  }
}

/** A change that is about to be written. */
interface Change {
  readonly kind: StoredKind;
  readonly verb: AuditVerb;
  readonly by: Principal | OfService;
  readonly document: () => DocumentOf;
  readonly before: DocumentOf | null;
  /** Further fields of the entry. */
  readonly more: readonly Difference[];
}

interface Attribution {
  readonly account: string;
  readonly actor: Actor;
  readonly operation: string;
  readonly operationId: string;
}

function attributionOf(by: Principal | OfService): Attribution {
  const { account, operation = '' } = by;
  if (by.owner === null) return { account, actor: daemonActor, operation, operationId: '' };
  return { account, actor: actorOf(by), operation, operationId: by.operationId ?? '' };
}

interface PlacedParts {
  readonly outbox: Outbox | null;
  /** Null: no event. */
  readonly place: Place | null;
  readonly document: () => DocumentOf;
  readonly show: (document: DocumentOf) => JsonObject;
  readonly happening: (object: JsonObject) => Happening | null;
  readonly entry: (newId: NewId, document: DocumentOf, shown: JsonObject) => readonly WriteOperation[];
}

/** Not an object literal: one with a getter lives, with all that it knows, until the next full collection. */
class PlacedEvent implements AuditEvent {
  readonly #parts: PlacedParts;
  #place: Place | null;
  #object: JsonObject | null = null;

  constructor(parts: PlacedParts) {
    this.#parts = parts;
    this.#place = parts.place;
  }

  get object(): JsonObject | null {
    return this.#object;
  }

  operations(newId: NewId): readonly WriteOperation[] {
    const { outbox, document, show, happening, entry } = this.#parts;
    const resource = document();
    const object = show(resource);
    this.#object = object;
    const noted = entry(newId, resource, object);
    const happened = this.#place === null ? null : happening(object);
    if (happened === null || this.#place === null || outbox === null) return noted;
    return [...noted, ...outbox.operations(this.#place, newId, resource.id, happened)];
  }

  written(): void {
    if (this.#place !== null) this.#parts.outbox?.written(this.#place);
  }

  leaveOut(destination: string): boolean {
    const place = this.#place;
    if (place === null || !place.has(destination)) return false;
    this.#place = new Map([...place].filter(([id]) => id !== destination));
    return true;
  }
}

/** Returns true if the conflict is about a destination that went meanwhile: the same may be written again, without it. */
export function isLeftOut(conflict: Conflict, events: readonly AuditEvent[]): boolean {
  return conflict.reason === 'parent-missing' && events.some((event) => event.leaveOut(conflict.id));
}

/**
 * Writes that enforce every rule of a kind, also against concurrent writers: read, check, write, and start again
 * after a conflict.
 * Invariant: a write is applied only to the state that its checks have read.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Problem } from '../../errors/problem.ts';
import type { Exclusion } from '../../online/online.ts';
import {
  ConflictError,
  type JsonObject,
  StoreUnavailableError,
  type WriteOperation,
  WriteOutcomeUnknownError,
} from '../../store/store.ts';
import { storedId } from '../aliases.ts';
import type {
  Collection,
  DocumentOf,
  Draft,
  KindSurface,
  NewId,
  Operation,
  Place,
  Principal,
  ResourceKind,
  RuleContext,
  StoredKind,
} from '../definition.ts';
import { checkReferences, parentOf, type Within } from '../references.ts';
import { attachedTo, replacementOf } from '../replacement.ts';
import type { RequestState } from '../request-state.ts';
import { SerialByKey } from '../serial.ts';
import { type Audit, type AuditEvent, isLeftOut } from './audit.ts';
import { problemOf } from './conflicts.ts';
import type { Contexts, EngineDependencies } from './contexts.ts';
import { checkPrefix, findDocument } from './lookup.ts';
import { writeTold } from './write-told.ts';

/** Attempts of a read-modify-write against concurrent changes of other nodes. */
const attempts = 16;

/** Changes of one write, and its preconditions. */
export interface PlannedWrite {
  readonly draft: Draft<JsonObject>;
  /** Top-level fields whose references came with the request. */
  readonly fields: ReadonlySet<string>;
  /** The module that the request's body is, or has at `pointer`, if it is one. */
  readonly within?: Within;
}

/**
 * `oneTime` has the fields that only the response to the creation shows. `told` is the form in the events, if there
 * are any.
 */
export interface Made {
  readonly document: DocumentOf;
  readonly oneTime?: JsonObject;
  readonly told?: JsonObject | null;
}

/** Further operations of a change. */
interface Along {
  /** Other documents, as they were read. */
  readonly preconditions: readonly DocumentOf[];
  /** Other documents that go with it. */
  readonly deleted?: readonly DocumentOf[];
  readonly events: readonly AuditEvent[];
  /** Keeps agents from the names of the write. */
  readonly exclusion?: Exclusion | null;
  /** Path of the deletion's request. */
  readonly surface?: KindSurface;
}

export class Writes {
  readonly #store: EngineDependencies['store'];
  readonly #contexts: Contexts;
  readonly #byName: ReadonlyMap<string, ResourceKind>;
  readonly #audit: Audit;
  /** Writers of one document, or of one group of kinds, queue up here, so that they do not make each other start over. */
  readonly #writers = new SerialByKey();

  constructor(
    store: EngineDependencies['store'],
    contexts: Contexts,
    byName: ReadonlyMap<string, ResourceKind>,
    audit: Audit,
  ) {
    this.#store = store;
    this.#contexts = contexts;
    this.#byName = byName;
    this.#audit = audit;
  }

  /** Creates a resource from a validated body. */
  async create(kind: StoredKind, input: JsonObject, rules: RuleContext): Promise<Made> {
    const given = new Set(Object.keys(input));
    for (let attempt = 0; attempt < attempts; attempt++) {
      const draft = await kind.parse(input, rules);
      kind.check?.(draft.body);
      await checkReferences(kind.references, draft.body, given, rules.principal.account, this.#store);
      const places = kind.places?.(draft.body, input) ?? [];
      const made = await this.#reserving(places, rules, (exclusion) =>
        this.#createOnce(kind, draft, rules, exclusion),
      );
      if (made !== null) return made;
    }
    throw new Problem('writeContended');
  }

  /** Writes while no agent has the places. Null when an agent is in the way, and another draft has other places. */
  async #reserving<T>(
    places: readonly Place[],
    { online, principal }: RuleContext,
    write: (exclusion: Exclusion | null) => Promise<T | null>,
  ): Promise<T | null> {
    if (places.length === 0) return await write(null);
    try {
      return await online.reserving(places, principal.account, write);
    } catch (error) {
      if (!(error instanceof ConflictError) || error.conflict.reason !== 'occupied') throw error;
      const { at, how } = error.conflict;
      const problem = places[at]?.occupied(how) ?? null;
      if (problem === null) return null;
      throw problem;
    }
  }

  async #createOnce(
    kind: StoredKind,
    draft: Draft<JsonObject>,
    rules: RuleContext,
    exclusion: Exclusion | null,
  ): Promise<Made | null> {
    const { account } = rules.principal;
    const made = await this.#inTurn(kind, 'create', account, null, () =>
      this.#insert(kind, draft, rules, exclusion),
    );
    if (made !== null) await afterWrite(() => this.#verifyAfterInsert(kind, made.document, rules));
    return made;
  }

  /**
   * Reads, changes and writes. `build` runs again on the newer document after a concurrent change, if `state` still has
   * that one.
   */
  async change(
    kind: StoredKind,
    of: Collection,
    principal: Principal,
    id: string,
    state: RequestState | undefined,
    build: (current: DocumentOf) => Promise<PlannedWrite> | PlannedWrite,
  ): Promise<DocumentOf> {
    return this.#onDocument('update', kind, of, principal, id, state, async (current) =>
      this.#replace(kind, this.#contexts.rules(principal, of.parent), current, await build(current)),
    );
  }

  async remove(
    kind: StoredKind,
    of: Collection,
    principal: Principal,
    id: string,
    state?: RequestState,
  ): Promise<void> {
    await this.#onDocument('delete', kind, of, principal, id, state, async (before) => {
      const rules = this.#contexts.rules(principal, of.parent);
      const preconditions = (await kind.guard?.({ before, after: null }, rules)) ?? [];
      const deleted = (await kind.deletedWith?.(before, rules)) ?? [];
      const events = [
        ...(await this.#audit.deleted(kind, principal, before)),
        ...(await this.#auditDeleted(deleted, principal)),
      ];
      const along = { preconditions, deleted, events, surface: of.kind };
      return this.#write(kind, principal.account, () => deletionOf(before), along);
    });
  }

  async #auditDeleted(
    documents: readonly DocumentOf[],
    principal: Principal,
  ): Promise<readonly AuditEvent[]> {
    const events: AuditEvent[] = [];
    for (const document of documents)
      events.push(...(await this.#audit.deleted(this.#storedKind(document), principal, document)));
    return events;
  }

  #storedKind({ kind }: DocumentOf): StoredKind {
    return this.#byName.get(kind) as StoredKind;
  }

  /**
   * Repeats until `write` returns a value. It returns null if the document, or one that the write depends on, has
   * changed.
   */
  async #onDocument<T>(
    operation: 'update' | 'delete',
    kind: StoredKind,
    of: Collection,
    principal: Principal,
    id: string,
    state: RequestState | undefined,
    write: (current: DocumentOf) => Promise<T | null>,
  ): Promise<T> {
    refuseMember(kind, principal);
    checkPrefix(of.kind, id);
    return this.#inTurn(kind, operation, principal.account, storedId(kind, id), async () => {
      for (let attempt = 0; attempt < attempts; attempt++) {
        const current = await findDocument(this.#store, kind, of, principal, id);
        state?.require(current);
        const written = await write(current);
        if (written !== null) return written;
      }
      throw new Problem('writeContended');
    });
  }

  /** Waits for earlier writers of the same document, or of the same group of kinds in the account. */
  #inTurn<T>(
    { writeGroup }: StoredKind,
    operation: Operation,
    account: string,
    id: string | null,
    work: () => Promise<T>,
  ): Promise<T> {
    const key = writeGroup?.operations.includes(operation) ? `${writeGroup.name} ${account}` : id;
    return key === null ? work() : this.#writers.run(key, work);
  }

  /** Null when a precondition changed, or a name that the draft claims was taken meanwhile, and another draft has another one. */
  async #insert(
    kind: StoredKind,
    draft: Draft<JsonObject>,
    rules: RuleContext,
    exclusion: Exclusion | null,
  ): Promise<Made | null> {
    const preconditions = (await kind.guard?.({ before: null, after: draft.body }, rules)) ?? [];
    const { account } = rules.principal;
    let built: Made | undefined;
    const made = (): Made => {
      if (built === undefined) throw new Error('an insert was built before it was written');
      return built;
    };
    const insertion = (newId: NewId): WriteOperation => {
      const id = newId(kind.prefix);
      const { body, ...rest } = draft.complete?.(id, newId) ?? { body: draft.body };
      const row = { id, account, kind: kind.name, parent: parentOf(kind.references, body) };
      built = { ...rest, document: { ...row, body, revision: 0 } };
      return { op: 'insert', ...row, body, ...attachedTo(kind, body, account) };
    };
    const events = await this.#audit.about(kind, 'created', rules.principal, () => made().document);
    const along = { preconditions, events, exclusion };
    const revision = await this.#write(kind, account, insertion, along);
    if (revision === null) return null;
    return {
      ...made(),
      document: { ...made().document, revision },
      told: kind.showsOthers === true ? null : (events[0]?.object ?? null),
    };
  }

  /** Null when the document is no longer the one that was read. */
  async #replace(
    kind: StoredKind,
    rules: RuleContext,
    current: DocumentOf,
    { draft, fields, within }: PlannedWrite,
  ): Promise<DocumentOf | null> {
    const { account } = rules.principal;
    kind.check?.(draft.body);
    await checkReferences(kind.references, draft.body, fields, account, this.#store, within);
    if (isDeepStrictEqual(draft.body, current.body)) return current;
    const preconditions = (await kind.guard?.({ before: current, after: draft.body }, rules)) ?? [];

    let body = draft.body;
    const replacement = (newId: NewId): WriteOperation => {
      body = draft.complete?.(current.id, newId).body ?? draft.body;
      return replacementOf(kind, current, body);
    };
    const after = (): DocumentOf => ({ ...current, body });
    const events = await this.#audit.about(kind, 'updated', rules.principal, after, current);
    const places = newPlaces(kind, current.body, draft.body);
    const written = await this.#reserving(places, rules, (exclusion) =>
      this.#write(kind, account, replacement, { preconditions, events, exclusion }),
    );
    return written === null ? null : { ...current, body, revision: written };
  }

  /** The revision written, or null when the document or a precondition was changed or deleted in between. */
  async #write(
    kind: StoredKind,
    account: string,
    build: (newId: NewId) => WriteOperation,
    along: Along,
  ): Promise<number | null> {
    const { preconditions, deleted = [], events, surface = kind, exclusion = null } = along;
    const first = exclusion === null ? [] : [exclusion];
    // Written as it is: that fails when it is no longer so.
    const unchanged = preconditions.map(
      ({ id, revision, body }): WriteOperation => ({ op: 'rewrite', id, revision, body }),
    );
    try {
      const operations = (newId: NewId) => [...first, build(newId), ...deleted.map(deletionOf), ...unchanged];
      const revision = await writeTold(this.#store, operations, events);
      // Followers have the change by now. Their synchronous effects, such as listening on a port, end with this turn.
      await turn();
      return revision;
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      const { conflict } = error;
      if (conflict.reason === 'occupied') throw error;
      // A deleted destination needs no event: write again without it.
      if (isLeftOut(conflict, events)) return this.#write(kind, account, build, along);
      // Another resource refers to it since the check, so it stays.
      if (conflict.reason === 'in-use' && deleted.some(({ id }) => id === conflict.id)) return null;
      const problem = problemOf(kind, surface, conflict, account);
      if (problem === null) return null;
      throw problem;
    }
  }

  /** Undoes the insert when it should not have been. What uses the new resource already is left alone, and named. */
  async #verifyAfterInsert(kind: StoredKind, document: DocumentOf, rules: RuleContext): Promise<void> {
    const problem = (await kind.verifyAfterInsert?.(document, rules)) ?? null;
    if (problem === null) return;
    const { id } = document;
    let current: DocumentOf | null = document;
    while (current !== null) {
      const deletion = deletionOf(current);
      try {
        const events = await this.#audit.deleted(kind, rules.principal, current);
        await writeTold(this.#store, () => [deletion], events);
        current = null;
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error;
        const { conflict } = error;
        if (conflict.reason === 'in-use') throw notUndone(id, problem, conflict.by);
        // Another caller may have changed it already.
        current = await this.#store.get(id);
      }
    }
    throw problem;
  }
}

/**
 * Runs work after a write that needs the store. If the store is unavailable by then, the response must not claim that
 * nothing was changed.
 */
export async function afterWrite<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
    throw new WriteOutcomeUnknownError(`the store went away after a write: ${error.message}`, {
      cause: error,
    });
  }
}

/** Returns the places that the body has and the former one had not. */
function newPlaces(kind: StoredKind, before: JsonObject, after: JsonObject): readonly Place[] {
  const had = new Set(kind.places?.(before, {}).map(({ name }) => name));
  return kind.places?.(after, {}).filter(({ name }) => !had.has(name)) ?? [];
}

/** Runs before any lookup, so that members learn nothing about ids. */
export function refuseMember({ adminsOnly }: StoredKind, { role }: Principal): void {
  if (adminsOnly !== undefined && role !== 'admin') throw new Problem(adminsOnly);
}

function notUndone(id: string, { message }: Problem, by: readonly string[]): Problem {
  return new Problem('creationNotUndone', { id, reason: message, by: by.join(', ') }, { used_by: by });
}

function deletionOf({ id, revision }: DocumentOf): WriteOperation {
  return { op: 'delete', id, revision };
}

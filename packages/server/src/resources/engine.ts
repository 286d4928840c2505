/**
 * Create, list, get, update and delete for every kind, from its definition.
 * In: a kind, the caller, a body of any JSON. Out: the resource as it is shown, or a Problem.
 * What may change here: what holds for all kinds; what holds for one is a hook in that kind's file.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Settings } from '../core/settings.ts';
import { Problem } from '../errors/problem.ts';
import {
  ConflictError,
  type JsonObject,
  type Store,
  type StoredDocument,
  type WriteOperation,
} from '../store/store.ts';
import type { OnlineTunnels } from '../tunnels/online.ts';
import { problemOf } from './conflicts.ts';
import type {
  Collection,
  Draft,
  KindSurface,
  LiveEntry,
  LiveKind,
  NewId,
  Principal,
  Reference,
  ResourceEngine,
  ResourceKind,
  RuleContext,
  Sealing,
  ShowContext,
  Step,
  StoredElements,
  StoredKind,
  StoredModule,
} from './definition.ts';
import { resourceKinds } from './index.ts';
import { listLive, listStored, type Page, type PageRequest } from './list.ts';
import { shorten } from './pointer.ts';
import { checkReferences, linksOf, parentOf } from './references.ts';
import { SerialByKey } from './serial.ts';
import { createRef, showDocument } from './show.ts';
import { validate } from './validate.ts';

/** How often a read-modify-write is done anew when other nodes keep changing the document in between. */
const attempts = 16;

export interface EngineDependencies {
  readonly store: Omit<Store, 'watch' | 'close'>;
  readonly settings: Settings;
  readonly online: OnlineTunnels;
  readonly sealer: Sealing;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export function createEngine(deps: EngineDependencies): ResourceEngine {
  return new Engine(deps);
}

/** What one write changes, and what must be checked for it. */
interface Change {
  readonly draft: Draft<JsonObject>;
  /** Top-level fields whose references came with the request. */
  readonly fields: ReadonlySet<string>;
  /** The module that the request's body is, if it is one. */
  readonly within?: string;
}

class Engine implements ResourceEngine {
  readonly kinds: readonly ResourceKind[] = resourceKinds;
  readonly #deps: EngineDependencies;
  readonly #byName: ReadonlyMap<string, ResourceKind>;
  readonly #ref: ShowContext['ref'];
  /** Writers of one document, or of one group of kinds, queue up here, so that they do not make each other start over. */
  readonly #writers = new SerialByKey();

  constructor(deps: EngineDependencies) {
    this.#deps = deps;
    this.#byName = new Map(resourceKinds.map((kind) => [kind.name, kind]));
    this.#ref = createRef(resourceKinds, deps.settings.baseUrl);
  }

  async create(of: Collection, principal: Principal, body: unknown): Promise<JsonObject> {
    const kind = this.#stored(of);
    refuseMember(kind, principal);
    const parent = await this.#findParent(kind, of, principal);
    const input = validate(kind.create, body, pathParameters(kind, of));
    const rules = this.#rules(principal, parent);
    for (let attempt = 0; attempt < attempts; attempt++) {
      const draft = await this.#draft(kind, input, rules);
      const made = await this.#inTurn(kind, principal.account, null, () => this.#insert(kind, draft, rules));
      if (made === null) continue;
      await this.#settle(kind, made.document, rules);
      return showDocument(kind, made.document, this.#show(principal), made.reveal);
    }
    throw new Problem('writeContended');
  }

  async list(of: Collection, principal: Principal, page: PageRequest): Promise<Page> {
    const kind = this.#kind(of);
    const { before } = page;
    if (before !== undefined) checkPrefix(kind, before, 'before_id');
    const context = this.#show(principal);
    if (kind.source === 'live') return listLive(kind, page, context);
    await this.#findParent(kind, of, principal);
    return listStored(kind, principal, page, this.#deps.store, context, of.parent);
  }

  async get(of: Collection, principal: Principal, id: string): Promise<JsonObject> {
    const kind = this.#kind(of);
    if (kind.source === 'live') return (await this.#findLive(kind, principal, id)).show();
    return showDocument(kind, await this.#find(kind, of, principal, id), this.#show(principal));
  }

  async update(of: Collection, principal: Principal, id: string, body: unknown): Promise<JsonObject> {
    const kind = this.#stored(of);
    const document = await this.#change(kind, of, principal, id, async (current) => {
      const patch = validate(kind.update, body, pathParameters(kind, of, id));
      const draft = await kind.merge(current, patch, this.#rules(principal, of.parent));
      return { draft, fields: new Set(Object.keys(patch)) };
    });
    return showDocument(kind, document, this.#show(principal));
  }

  async remove(of: Collection, principal: Principal, id: string): Promise<void> {
    const kind = this.#stored(of);
    refuseMember(kind, principal);
    checkPrefix(kind, id);
    await this.#inTurn(kind, principal.account, id, async () => {
      for (let attempt = 0; attempt < attempts; attempt++) {
        const before = await this.#find(kind, of, principal, id);
        const rules = this.#rules(principal, of.parent);
        const witnesses = await this.#lastLook(kind, { before, after: null }, rules);
        const { revision } = before;
        const deletion = { op: 'delete', id, revision } as const;
        const done = await this.#write(kind, principal.account, () => deletion, witnesses);
        if (done !== null) return;
      }
      throw new Problem('writeContended');
    });
  }

  async putModule(
    of: Collection,
    principal: Principal,
    id: string,
    name: string,
    body: unknown,
  ): Promise<JsonObject> {
    const kind = this.#stored(of);
    const module = moduleOf(kind, name);
    const document = await this.#change(kind, of, principal, id, async (current) => {
      const input = validate(module.write, body, pathParameters(kind, of, id));
      const standing = (current.body[name] ?? null) as JsonObject | null;
      const config = await module.parse(input, '', { ...this.#rules(principal), current: standing });
      return { draft: { body: { ...current.body, [name]: config } }, fields: new Set([name]), within: name };
    });
    return module.show(document.body[name] as JsonObject, this.#show(principal), id);
  }

  async getModule(of: Collection, principal: Principal, id: string, name: string): Promise<JsonObject> {
    const kind = this.#stored(of);
    const module = moduleOf(kind, name);
    const document = await this.#find(kind, of, principal, id);
    return module.show(configOf(document, name), this.#show(principal), id);
  }

  async removeModule(of: Collection, principal: Principal, id: string, name: string): Promise<void> {
    const kind = this.#stored(of);
    moduleOf(kind, name);
    await this.#change(kind, of, principal, id, async (current) => {
      configOf(current, name);
      return { draft: { body: { ...current.body, [name]: null } }, fields: new Set() };
    });
  }

  async detach(of: Collection, principal: Principal, id: string, name: string): Promise<void> {
    const kind = this.#stored(of);
    const detachment = kind.detachments?.find((one) => one.name === name);
    if (detachment === undefined) throw new Error(`nothing called ${name} comes off ${kind.name}`);
    await this.#change(kind, of, principal, id, async ({ body }) => {
      // A field that came with a later version is not there at all.
      if ((body[detachment.field] ?? null) === null) throw new Problem('nothingAttached', { name });
      return { draft: { body: { ...body, [detachment.field]: null } }, fields: new Set() };
    });
  }

  async act(of: Collection, principal: Principal, id: string, name: string): Promise<void> {
    const kind = this.#kind(of);
    const action = kind.source === 'live' ? kind.actions?.find((one) => one.name === name) : undefined;
    if (kind.source !== 'live' || action === undefined) throw new Error(`${kind.name} cannot ${name}`);
    await this.#findLive(kind, principal, id);
    await action.run(id, this.#show(principal));
  }

  async addElement(of: Collection, principal: Principal, id: string, body: unknown): Promise<JsonObject> {
    const { kind, elements } = this.#withElements(of, id);
    let key = '';
    const document = await this.#change(kind, of, principal, id, async (current) => {
      const input = validate(elements.create, body, new Map([[elements.parameter, id]]));
      key = String(input[elements.key]);
      return { draft: { body: elements.add(current.body, input) }, fields: new Set() };
    });
    return elements.show(document, key, this.#show(principal));
  }

  async listElements(of: Collection, principal: Principal, id: string): Promise<readonly JsonObject[]> {
    const { kind, elements } = this.#withElements(of, id);
    const document = await this.#find(kind, of, principal, id);
    const context = this.#show(principal);
    return elements.keys(document.body).map((key) => elements.show(document, key, context));
  }

  async getElement(of: Collection, principal: Principal, id: string, key: string): Promise<JsonObject> {
    const { kind, elements } = this.#withElements(of, id);
    const document = await this.#find(kind, of, principal, id);
    requireElement(elements, document, key);
    return elements.show(document, key, this.#show(principal));
  }

  /** Nothing of an element can change but its existence: the body is checked, and that is all. */
  async updateElement(
    of: Collection,
    principal: Principal,
    id: string,
    key: string,
    body: unknown,
  ): Promise<JsonObject> {
    const { kind, elements } = this.#withElements(of, id);
    const document = await this.#find(kind, of, principal, id);
    requireElement(elements, document, key);
    validate(
      elements.update,
      body,
      new Map([
        [elements.parameter, id],
        [elements.key, key],
      ]),
    );
    return elements.show(document, key, this.#show(principal));
  }

  async removeElement(of: Collection, principal: Principal, id: string, key: string): Promise<void> {
    const { kind, elements } = this.#withElements(of, id);
    await this.#change(kind, of, principal, id, async (current) => {
      requireElement(elements, current, key);
      return { draft: { body: elements.remove(current.body, key) }, fields: new Set() };
    });
  }

  async #findLive(kind: LiveKind, principal: Principal, id: string): Promise<LiveEntry> {
    checkPrefix(kind, id);
    const entry = await kind.find(id, this.#show(principal));
    if (entry === null) throw new Problem('resourceNotFound');
    return entry;
  }

  /** What a creation is about to write. */
  async #draft(kind: StoredKind, input: JsonObject, rules: RuleContext): Promise<Draft<JsonObject>> {
    const draft = await kind.parse(input, rules);
    kind.check?.(draft.body);
    const given = new Set(Object.keys(input));
    await checkReferences(kind.references, draft.body, given, rules.principal.account, this.#deps.store);
    return draft;
  }

  /** Null when a witness changed, or a name that the draft claims was taken meanwhile, and another draft has another one. */
  async #insert(
    kind: StoredKind,
    draft: Draft<JsonObject>,
    rules: RuleContext,
  ): Promise<{ document: StoredDocument; reveal?: JsonObject } | null> {
    const witnesses = await this.#lastLook(kind, { before: null, after: draft.body }, rules);
    const { account } = rules.principal;
    let made: { id: string; body: JsonObject; reveal?: JsonObject } | undefined;
    const insertion = (newId: NewId): WriteOperation => {
      const id = newId(kind.prefix);
      made = { id, ...(draft.complete?.(id, newId) ?? { body: draft.body }) };
      const row = { account, kind: kind.name, parent: parentOf(kind.references, made.body) };
      return { op: 'insert', id, ...row, ...namesAndLinks(kind, made.body, account) };
    };
    const revision = await this.#write(kind, account, insertion, witnesses);
    if (revision === null) return null;
    if (made === undefined) throw new Error('an insert was built before it was written');
    const { id, body, reveal } = made;
    const parent = parentOf(kind.references, body);
    const document = { id, account, kind: kind.name, parent, body, revision };
    return { document, ...(reveal === undefined ? {} : { reveal }) };
  }

  /** Read, modify, write: `build` runs again on the newer document when somebody else was faster. */
  async #change(
    kind: StoredKind,
    of: Collection,
    principal: Principal,
    id: string,
    build: (current: StoredDocument) => Promise<Change>,
  ): Promise<StoredDocument> {
    refuseMember(kind, principal);
    checkPrefix(kind, id);
    return this.#inTurn(kind, principal.account, id, async () => {
      for (let attempt = 0; attempt < attempts; attempt++) {
        const current = await this.#find(kind, of, principal, id);
        const written = await this.#replace(kind, of, principal, current, await build(current));
        if (written !== null) return written;
      }
      throw new Problem('writeContended');
    });
  }

  /** After the writers before it of the same document, if there is one yet, or of the same group of kinds in the account. */
  #inTurn<T>(
    { writeGroup }: StoredKind,
    account: string,
    id: string | null,
    work: () => Promise<T>,
  ): Promise<T> {
    const key = writeGroup === undefined ? id : `${writeGroup} ${account}`;
    return key === null ? work() : this.#writers.run(key, work);
  }

  /** Null when the document is no longer the one that was read. */
  async #replace(
    kind: StoredKind,
    of: Collection,
    principal: Principal,
    current: StoredDocument,
    change: Change,
  ): Promise<StoredDocument | null> {
    const { draft, fields, within } = change;
    kind.check?.(draft.body);
    await checkReferences(kind.references, draft.body, fields, principal.account, this.#deps.store, within);
    if (isDeepStrictEqual(draft.body, current.body)) return current;
    const step = { before: current, after: draft.body };
    const witnesses = await this.#lastLook(kind, step, this.#rules(principal, of.parent));

    const { id, revision } = current;
    let body = draft.body;
    const replacement = (newId: NewId): WriteOperation => {
      body = draft.complete?.(id, newId).body ?? draft.body;
      return { op: 'replace', id, revision, ...namesAndLinks(kind, body, principal.account) };
    };
    const written = await this.#write(kind, principal.account, replacement, witnesses);
    return written === null ? null : { ...current, body, revision: written };
  }
  /** Before anything is written; answers the documents that it stands on. */
  async #lastLook(kind: StoredKind, step: Step, rules: RuleContext): Promise<readonly StoredDocument[]> {
    await kind.guard?.(step, rules);
    return (await kind.witnesses?.(step, rules)) ?? [];
  }

  /** The revision written, or null when the document or a witness was changed or deleted in between. */
  async #write(
    kind: StoredKind,
    account: string,
    build: (newId: NewId) => WriteOperation,
    witnesses: readonly StoredDocument[] = [],
  ): Promise<number | null> {
    // Written as it is: that fails when it is no longer so.
    const unchanged = witnesses.map(({ id, kind: name, revision, body }): WriteOperation => {
      const witness = this.#byName.get(name) as StoredKind;
      return { op: 'replace', id, revision, ...namesAndLinks(witness, body, account) };
    });
    try {
      return await this.#deps.store.write((newId) => [build(newId), ...unchanged]);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      const problem = problemOf(kind, error.conflict, account);
      if (problem === null) return null;
      throw problem;
    }
  }

  async #settle(kind: StoredKind, document: StoredDocument, rules: RuleContext): Promise<void> {
    const problem = (await kind.settle?.(document, rules)) ?? null;
    if (problem === null) return;
    const { id, account } = document;
    let current: StoredDocument | null = document;
    while (current !== null) {
      const { revision } = current;
      const deleted = await this.#write(kind, account, () => ({ op: 'delete', id, revision }));
      // Somebody who saw it in a list may have changed it already.
      current = deleted === null ? await this.#deps.store.get(id) : null;
    }
    throw problem;
  }

  async #find(kind: StoredKind, of: Collection, principal: Principal, id: string): Promise<StoredDocument> {
    checkParentPrefix(kind, of);
    checkPrefix(kind, id);
    const document = await this.#deps.store.get(id);
    const own = document !== null && document.account === principal.account && document.kind === kind.name;
    // What lives below another is there only, not below its siblings.
    const placed = own && (of.parent === undefined || document.parent === of.parent);
    if (!placed || !(kind.visible?.(document.body, principal) ?? true)) throw new Problem('resourceNotFound');
    return document;
  }

  /** The id of the parent in the path, '' when the kind has none. Raises Problem when the account does not have it. */
  async #findParent(kind: StoredKind, of: Collection, principal: Principal): Promise<string> {
    if (of.parent === undefined) return '';
    checkParentPrefix(kind, of);
    const document = await this.#deps.store.get(of.parent);
    if (document === null || document.account !== principal.account) throw new Problem('resourceNotFound');
    return of.parent;
  }

  #kind({ kind: surface }: Collection): ResourceKind {
    const kind = this.#byName.get(surface.name);
    if (kind === undefined) throw new Error(`there is no kind ${surface.name}`);
    return kind;
  }

  #stored(of: Collection): StoredKind {
    const kind = this.#kind(of);
    if (kind.source !== 'stored') throw new Error(`${kind.name} cannot be written`);
    return kind;
  }

  #withElements(of: Collection, id: string): { kind: StoredKind; elements: StoredElements } {
    const kind = this.#stored(of);
    if (kind.elements === undefined) throw new Error(`${kind.name} has no elements`);
    checkPrefix(kind, id, kind.elements.parameter);
    return { kind, elements: kind.elements };
  }

  #rules(principal: Principal, parent = ''): RuleContext {
    const { store, online, settings, sealer, now } = this.#deps;
    return { principal, parent, store, online, settings, sealer, now };
  }

  #show(principal: Principal): ShowContext {
    const { store, online, settings } = this.#deps;
    return { account: principal.account, store, online, settings, ref: this.#ref };
  }
}

function namesAndLinks(kind: StoredKind, body: JsonObject, account: string) {
  return { body, links: linksOf(kind.references, body), names: kind.claims?.(body, account) ?? [] };
}

/** Before anything is looked up, so that members learn nothing about ids. */
function refuseMember({ adminsOnly }: StoredKind, { role }: Principal): void {
  if (adminsOnly !== undefined && role !== 'admin') throw new Problem(adminsOnly);
}

function parentReferenceOf(kind: StoredKind): Reference {
  const reference = kind.references.find((one) => one.parent === true);
  if (reference === undefined) throw new Error(`${kind.name} lives below nothing`);
  return reference;
}

/** What a body may repeat of its path. */
function pathParameters(kind: StoredKind, { parent }: Collection, id?: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  if (id !== undefined) parameters.set('id', id);
  if (parent !== undefined) parameters.set(parentReferenceOf(kind).field, parent);
  return parameters;
}

function checkParentPrefix(kind: StoredKind, { parent }: Collection): void {
  if (parent === undefined) return;
  const { field, prefixes } = parentReferenceOf(kind);
  if (prefixes.some((prefix) => parent.startsWith(`${prefix}_`))) return;
  throw new Problem('idPrefixWrong', { value: parent, prefix: prefixes.join('_ or ') }, { field });
}

function checkPrefix(kind: KindSurface, id: string, field = 'id'): void {
  if (!id.startsWith(`${kind.prefix}_`)) {
    throw new Problem('idPrefixWrong', { value: id, prefix: kind.prefix }, { field });
  }
}

function requireElement(elements: StoredElements, { id, body }: StoredDocument, key: string): void {
  if (!elements.keys(body).includes(key)) {
    throw new Problem(elements.missing, { id, key: shorten(key) }, { field: elements.key });
  }
}

function moduleOf(kind: StoredKind, name: string): StoredModule {
  const module = kind.modules.find((one) => one.name === name);
  if (module === undefined) throw new Error(`${kind.name} has no module ${name}`);
  return module;
}

function configOf(document: StoredDocument, module: string): JsonObject {
  const config = document.body[module];
  if (config === null || config === undefined) throw new Problem('moduleNotSet', { module });
  return config as JsonObject;
}

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
  Draft,
  KindSurface,
  LiveKind,
  Principal,
  Ref,
  ResourceEngine,
  ResourceKind,
  RuleContext,
  Sealing,
  ShowContext,
  StoredKind,
  StoredModule,
} from './definition.ts';
import { resourceKinds } from './index.ts';
import { listLive, listStored, type Page, type PageRequest } from './list.ts';
import { checkReferences, linksOf, parentOf } from './references.ts';
import { SerialByKey } from './serial.ts';
import { createRef, showDocument } from './show.ts';
import { validate } from './validate.ts';

/** How often a read-modify-write is done anew when other nodes keep changing the document in between. */
const attempts = 16;

export interface EngineDependencies {
  readonly store: Store;
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
  readonly #ref: (id: string) => Ref;
  /** Writers of one document queue up here, so that they do not make each other start over. */
  readonly #writers = new SerialByKey();

  constructor(deps: EngineDependencies) {
    this.#deps = deps;
    this.#byName = new Map(resourceKinds.map((kind) => [kind.name, kind]));
    this.#ref = createRef(resourceKinds, deps.settings.baseUrl);
  }

  async create(surface: KindSurface, principal: Principal, body: unknown): Promise<JsonObject> {
    const kind = this.#stored(surface);
    const input = validate(kind.create, body);
    const rules = this.#rules(principal);
    const draft = await kind.parse(input, rules);
    kind.check?.(draft.body);
    const { account } = principal;
    await checkReferences(
      kind.references,
      draft.body,
      new Set(Object.keys(input)),
      account,
      this.#deps.store,
    );

    let made: { id: string; body: JsonObject; reveal?: JsonObject } | undefined;
    const revision = await this.#write(kind, account, (newId) => {
      const id = newId(kind.prefix);
      made = { id, ...(draft.complete?.(id, newId) ?? { body: draft.body }) };
      const parent = parentOf(kind.references, made.body);
      const row = { account, kind: kind.name, parent, ...namesAndLinks(kind, made.body) };
      return { op: 'insert', id, ...row };
    });
    if (made === undefined || revision === null) throw new Error('an insert cannot be stale');
    const parent = parentOf(kind.references, made.body);
    const document = { id: made.id, account, kind: kind.name, parent, body: made.body, revision };
    await this.#settle(kind, document, rules);
    return showDocument(kind, document, this.#show(principal), made.reveal);
  }

  async list(surface: KindSurface, principal: Principal, page: PageRequest): Promise<Page> {
    const { before } = page;
    if (before !== undefined) checkPrefix(surface, before, 'before_id');
    const kind = this.#kind(surface);
    const context = this.#show(principal);
    if (kind.source === 'live') return listLive(kind, page, context);
    return listStored(kind, principal, page, this.#deps.store, context);
  }

  async get(surface: KindSurface, principal: Principal, id: string): Promise<JsonObject> {
    const kind = this.#kind(surface);
    if (kind.source === 'live') return this.#getLive(kind, principal, id);
    return showDocument(kind, await this.#find(kind, principal, id), this.#show(principal));
  }

  async update(surface: KindSurface, principal: Principal, id: string, body: unknown): Promise<JsonObject> {
    const kind = this.#stored(surface);
    const document = await this.#change(kind, principal, id, async (current) => {
      const patch = validate(kind.update, body, new Map([['id', id]]));
      const draft = await kind.merge(current, patch, this.#rules(principal));
      return { draft, fields: new Set(Object.keys(patch)) };
    });
    return showDocument(kind, document, this.#show(principal));
  }

  async remove(surface: KindSurface, principal: Principal, id: string): Promise<void> {
    const kind = this.#stored(surface);
    checkPrefix(kind, id);
    await this.#writers.run(id, async () => {
      for (let attempt = 0; attempt < attempts; attempt++) {
        const { revision } = await this.#find(kind, principal, id);
        const done = await this.#write(kind, principal.account, () => ({ op: 'delete', id, revision }));
        if (done !== null) return;
      }
      throw new Problem('writeContended');
    });
  }

  async putModule(
    surface: KindSurface,
    principal: Principal,
    id: string,
    name: string,
    body: unknown,
  ): Promise<JsonObject> {
    const kind = this.#stored(surface);
    const module = moduleOf(kind, name);
    const document = await this.#change(kind, principal, id, async (current) => {
      const config = module.parse(validate(module.write, body, new Map([['id', id]])), '');
      return { draft: { body: { ...current.body, [name]: config } }, fields: new Set([name]), within: name };
    });
    return module.show(document.body[name] as JsonObject, this.#show(principal));
  }

  async getModule(surface: KindSurface, principal: Principal, id: string, name: string): Promise<JsonObject> {
    const kind = this.#stored(surface);
    const module = moduleOf(kind, name);
    const document = await this.#find(kind, principal, id);
    return module.show(configOf(document, name), this.#show(principal));
  }

  async removeModule(surface: KindSurface, principal: Principal, id: string, name: string): Promise<void> {
    const kind = this.#stored(surface);
    moduleOf(kind, name);
    await this.#change(kind, principal, id, async (current) => {
      configOf(current, name);
      return { draft: { body: { ...current.body, [name]: null } }, fields: new Set() };
    });
  }

  async detach(surface: KindSurface, principal: Principal, id: string, name: string): Promise<void> {
    const kind = this.#stored(surface);
    const detachment = kind.detachments?.find((one) => one.name === name);
    if (detachment === undefined) throw new Error(`nothing called ${name} comes off ${kind.name}`);
    await this.#change(kind, principal, id, async ({ body }) => {
      // A field that came with a later version is not there at all.
      if ((body[detachment.field] ?? null) === null) throw new Problem('nothingAttached', { name });
      return { draft: { body: { ...body, [detachment.field]: null } }, fields: new Set() };
    });
  }

  async #getLive(kind: LiveKind, principal: Principal, id: string): Promise<JsonObject> {
    checkPrefix(kind, id);
    const entry = await kind.find(id, this.#show(principal));
    if (entry === null) throw new Problem('resourceNotFound');
    return entry.show();
  }

  /** Read, modify, write: `build` runs again on the newer document when somebody else was faster. */
  async #change(
    kind: StoredKind,
    principal: Principal,
    id: string,
    build: (current: StoredDocument) => Promise<Change>,
  ): Promise<StoredDocument> {
    checkPrefix(kind, id);
    return this.#writers.run(id, async () => {
      for (let attempt = 0; attempt < attempts; attempt++) {
        const current = await this.#find(kind, principal, id);
        const written = await this.#replace(kind, principal, current, await build(current));
        if (written !== null) return written;
      }
      throw new Problem('writeContended');
    });
  }

  /** Null when the document is no longer the one that was read. */
  async #replace(
    kind: StoredKind,
    principal: Principal,
    current: StoredDocument,
    change: Change,
  ): Promise<StoredDocument | null> {
    const { draft, fields, within } = change;
    kind.check?.(draft.body);
    await checkReferences(kind.references, draft.body, fields, principal.account, this.#deps.store, within);
    if (isDeepStrictEqual(draft.body, current.body)) return current;

    const { id, revision } = current;
    let body = draft.body;
    const written = await this.#write(kind, principal.account, (newId) => {
      body = draft.complete?.(id, newId).body ?? draft.body;
      return { op: 'replace', id, revision, ...namesAndLinks(kind, body) };
    });
    return written === null ? null : { ...current, body, revision: written };
  }

  /** The revision written, or null when the document was changed or deleted in between. */
  async #write(
    kind: StoredKind,
    account: string,
    build: (newId: (prefix: string) => string) => WriteOperation,
  ): Promise<number | null> {
    try {
      return await this.#deps.store.write((newId) => [build(newId)]);
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
    const { id, revision, account } = document;
    await this.#write(kind, account, () => ({ op: 'delete', id, revision }));
    throw problem;
  }

  async #find(kind: StoredKind, principal: Principal, id: string): Promise<StoredDocument> {
    checkPrefix(kind, id);
    const document = await this.#deps.store.get(id);
    const own = document !== null && document.account === principal.account && document.kind === kind.name;
    if (!own || !(kind.visible?.(document.body, principal) ?? true)) throw new Problem('resourceNotFound');
    return document;
  }

  #kind(surface: KindSurface): ResourceKind {
    const kind = this.#byName.get(surface.name);
    if (kind === undefined) throw new Error(`there is no kind ${surface.name}`);
    return kind;
  }

  #stored(surface: KindSurface): StoredKind {
    const kind = this.#kind(surface);
    if (kind.source !== 'stored') throw new Error(`${kind.name} cannot be written`);
    return kind;
  }

  #rules(principal: Principal): RuleContext {
    const { store, online, settings, sealer, now } = this.#deps;
    return { principal, store, online, settings, sealer, now };
  }

  #show(principal: Principal): ShowContext {
    const { store, online, settings } = this.#deps;
    return { account: principal.account, store, online, settings, ref: this.#ref };
  }
}

function namesAndLinks(kind: StoredKind, body: JsonObject) {
  return { body, links: linksOf(kind.references, body), names: kind.claims?.(body) ?? [] };
}

function checkPrefix(kind: KindSurface, id: string, field = 'id'): void {
  if (!id.startsWith(`${kind.prefix}_`)) {
    throw new Problem('idPrefixWrong', { value: id, prefix: kind.prefix }, { field });
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

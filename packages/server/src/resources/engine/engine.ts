/**
 * Create, list, get, update and delete for every kind, from its definition.
 * Invariant: the engine knows no kind; special rules are hooks in the kind's file.
 * Invariant: a module in a request is configured or refused, also if it is `{}`, which other unknown fields may be.
 */
import type { TObject } from '../../core/type.ts';
import { Problem } from '../../errors/problem.ts';
import type { JsonObject } from '../../store/store.ts';
import type {
  Collection,
  ListedPage,
  PageRequest,
  Principal,
  ResourceEngine,
  ResourceKind,
  StoredKind,
} from '../definition.ts';
import { isObject } from '../keywords.ts';
import { resourceKinds, resourceSurfaces } from '../kinds/index.ts';
import { withLastUse } from '../last-use.ts';
import { listLive, listStored } from '../list.ts';
import { pointerStep } from '../pointer.ts';
import type { RequestState } from '../request-state.ts';
import { showDocument } from '../show.ts';
import { listUsers } from '../used-by.ts';
import { unknownField, validate } from '../validate.ts';
import { Audit } from './audit.ts';
import { Contexts, type EngineDependencies } from './contexts.ts';
import { checkPrefix, findDocument, findLive, findParent, pathParameters } from './lookup.ts';
import { Parts, type ResourcePath } from './parts.ts';
import { afterWrite, refuseMember, Writes } from './writes.ts';

/** The names of the modules of all kinds. */
const moduleNames: ReadonlySet<string> = new Set(
  resourceKinds.flatMap(({ modules }) => modules.map(({ name }) => name)),
);

/** The engine over every kind of `kinds/index.ts`. */
export function createEngine(deps: EngineDependencies): ResourceEngine {
  return new Engine(deps);
}

/** Creates the audit for changes by the service itself. */
export function createAudit(deps: EngineDependencies): Audit {
  return new Audit(deps, new Contexts(deps, resourceSurfaces), resourceKinds);
}

class Engine implements ResourceEngine {
  readonly kinds = resourceSurfaces;
  readonly #byName: ReadonlyMap<string, ResourceKind>;
  readonly #store: EngineDependencies['store'];
  readonly #contexts: Contexts;
  readonly #writes: Writes;
  readonly #parts: Parts;
  readonly #audit: Audit;

  constructor(deps: EngineDependencies) {
    this.#byName = new Map(resourceKinds.map((kind) => [kind.name, kind]));
    this.#store = deps.store;
    this.#contexts = new Contexts(deps, resourceSurfaces);
    this.#audit = new Audit(deps, this.#contexts, resourceKinds);
    this.#writes = new Writes(deps.store, this.#contexts, this.#byName, this.#audit);
    this.#parts = new Parts(deps.store, this.#contexts, this.#writes);
  }

  async create(
    of: Collection,
    principal: Principal,
    body: unknown,
    state?: RequestState,
  ): Promise<JsonObject> {
    const kind = this.#stored(of);
    return await numbered(kind, () => this.#create(kind, of, principal, body, state));
  }

  async #create(
    kind: StoredKind,
    of: Collection,
    principal: Principal,
    body: unknown,
    state?: RequestState,
  ): Promise<JsonObject> {
    refuseMember(kind, principal);
    const parent = await findParent(this.#store, kind, of, principal);
    refuseForeignModules(kind.create, body);
    const input = validate(kind.create, body, pathParameters(kind, of));
    const made = await this.#writes.create(kind, input, this.#contexts.rules(principal, parent));
    const { document, oneTime, told = null } = made;
    state?.show(document);
    // The event contains what the API shows. Building it twice would cost as much again.
    if (told !== null && of.kind === kind && oneTime === undefined) return told;
    const context = this.#contexts.show(principal);
    return afterWrite(() => showDocument(kind, document, context, of.kind, oneTime));
  }

  async list(of: Collection, principal: Principal, page: PageRequest): Promise<ListedPage> {
    const kind = this.#kind(of);
    const { before } = page;
    if (before !== undefined) checkPrefix(of.kind, before, 'before_id');
    const context = this.#contexts.show(principal);
    if (kind.source === 'live') return listLive(kind, page, context);
    await findParent(this.#store, kind, of, principal);
    if (kind.hasLastUse !== true) return listStored(kind, of, principal, page, this.#store, context);
    const finish = (items: readonly JsonObject[]) => this.#withLastUses(kind, principal, items);
    return listStored(kind, of, principal, page, this.#store, context, finish);
  }

  async get(of: Collection, principal: Principal, id: string, state?: RequestState): Promise<JsonObject> {
    const kind = this.#kind(of);
    const context = this.#contexts.show(principal);
    if (kind.source === 'live') return (await findLive(kind, id, context)).show();
    const document = await findDocument(this.#store, kind, of, principal, id);
    state?.require(document);
    state?.show(document);
    return this.#shownWithLastUse(kind, principal, await showDocument(kind, document, context, of.kind));
  }

  async usedBy(of: Collection, principal: Principal, id: string, page: PageRequest): Promise<ListedPage> {
    const kind = this.#stored(of);
    const { id: target } = await findDocument(this.#store, kind, of, principal, id);
    return listUsers(target, page, principal, this.#byName, this.#store, this.#contexts.show(principal));
  }

  async update(
    of: Collection,
    principal: Principal,
    id: string,
    body: unknown,
    state?: RequestState,
  ): Promise<JsonObject> {
    const kind = this.#stored(of);
    const change = this.#writes.change(kind, of, principal, id, state, async (current) => {
      refuseForeignModules(kind.update, body);
      const patch = validate(kind.update, body, pathParameters(kind, of, id));
      const draft = await kind.merge(current, patch, this.#contexts.rules(principal, of.parent));
      return { draft, fields: new Set(Object.keys(patch)) };
    });
    const document = await numbered(kind, () => change);
    state?.show(document);
    return afterWrite(async () => {
      const shown = await showDocument(kind, document, this.#contexts.show(principal), of.kind);
      return this.#shownWithLastUse(kind, principal, shown);
    });
  }

  async remove(of: Collection, principal: Principal, id: string, state?: RequestState): Promise<void> {
    await this.#writes.remove(this.#stored(of), of, principal, id, state);
  }

  async putModule(
    of: Collection,
    principal: Principal,
    id: string,
    name: string,
    body: unknown,
    state?: RequestState,
  ): Promise<JsonObject> {
    const path = this.#pathTo(of, principal, id, state);
    return await numbered(path.kind, () => this.#parts.putModule(path, name, body));
  }

  async getModule(
    of: Collection,
    principal: Principal,
    id: string,
    name: string,
    state?: RequestState,
  ): Promise<JsonObject> {
    return this.#parts.getModule(this.#pathTo(of, principal, id, state), name);
  }

  async removeModule(
    of: Collection,
    principal: Principal,
    id: string,
    name: string,
    state?: RequestState,
  ): Promise<void> {
    await this.#parts.removeModule(this.#pathTo(of, principal, id, state), name);
  }

  async detach(
    of: Collection,
    principal: Principal,
    id: string,
    name: string,
    state?: RequestState,
  ): Promise<void> {
    await this.#parts.detach(this.#pathTo(of, principal, id, state), name);
  }

  async view(of: Collection, principal: Principal, id: string, name: string): Promise<JsonObject> {
    return this.#parts.view(this.#pathTo(of, principal, id), name);
  }

  async act(of: Collection, principal: Principal, id: string, name: string): Promise<JsonObject | null> {
    const kind = this.#kind(of);
    const result = await this.#act(kind, of, principal, id, name);
    if (!needsEntry(kind, name)) return result;
    await afterWrite(() => this.#store.write(this.#audit.acted(kind.name, id, name, principal)));
    return result;
  }

  async #act(
    kind: ResourceKind,
    of: Collection,
    principal: Principal,
    id: string,
    name: string,
  ): Promise<JsonObject | null> {
    if (kind.source === 'stored') return this.#parts.act({ kind, of, principal, id }, name);
    const action = kind.actions?.find((one) => one.name === name);
    if (action === undefined) throw new Error(`${kind.name} cannot ${name}`);
    const context = this.#contexts.show(principal);
    await findLive(kind, id, context);
    await action.run(id, context);
    return null;
  }

  async addElement(
    of: Collection,
    principal: Principal,
    id: string,
    body: unknown,
    state?: RequestState,
  ): Promise<JsonObject> {
    return this.#parts.addElement(this.#pathTo(of, principal, id, state), body);
  }

  async listElements(
    of: Collection,
    principal: Principal,
    id: string,
    page: PageRequest,
  ): Promise<readonly JsonObject[]> {
    return this.#parts.listElements(this.#pathTo(of, principal, id), page);
  }

  async getElement(
    of: Collection,
    principal: Principal,
    id: string,
    key: string,
    state?: RequestState,
  ): Promise<JsonObject> {
    return this.#parts.getElement(this.#pathTo(of, principal, id, state), key);
  }

  async updateElement(
    of: Collection,
    principal: Principal,
    id: string,
    key: string,
    body: unknown,
    state?: RequestState,
  ): Promise<JsonObject> {
    return this.#parts.updateElement(this.#pathTo(of, principal, id, state), key, body);
  }

  async removeElement(
    of: Collection,
    principal: Principal,
    id: string,
    key: string,
    state?: RequestState,
  ): Promise<void> {
    await this.#parts.removeElement(this.#pathTo(of, principal, id, state), key);
  }

  #kind({ kind: surface }: Collection): ResourceKind {
    const kind = this.#byName.get(surface.aliasOf ?? surface.name);
    if (kind === undefined) throw new Error(`there is no kind ${surface.name}`);
    return kind;
  }

  #stored(of: Collection): StoredKind {
    const kind = this.#kind(of);
    if (kind.source !== 'stored') throw new Error(`${kind.name} cannot be written`);
    return kind;
  }

  async #shownWithLastUse(kind: StoredKind, principal: Principal, shown: JsonObject): Promise<JsonObject> {
    if (kind.hasLastUse !== true) return shown;
    const [used = shown] = await this.#withLastUses(kind, principal, [shown]);
    return used;
  }

  async #withLastUses(
    kind: StoredKind,
    { account }: Principal,
    items: readonly JsonObject[],
  ): Promise<readonly JsonObject[]> {
    const uses = await this.#contexts.lastUses(
      kind,
      account,
      items.map(({ id }) => String(id)),
    );
    return items.map((shown) => withLastUse(shown, uses.get(String(shown.id))));
  }

  #pathTo(of: Collection, principal: Principal, id: string, state?: RequestState): ResourcePath {
    return { kind: this.#stored(of), of, principal, id, state };
  }
}

/** A change of a resource has an entry already, and a read needs none. */
function needsEntry(kind: ResourceKind, name: string): boolean {
  if (kind.source === 'live') return true;
  const action = kind.actions?.find((one) => one.name === name);
  return action?.change === undefined && action?.isRead !== true;
}

/** Runs `act` for a kind. A Problem of a configuration gets the error number of configurations. */
async function numbered<Result>(
  { isConfiguration }: StoredKind,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw isConfiguration === true && error instanceof Problem ? error.ofConfiguration() : error;
  }
}

/** Refuses modules that the kind of a request does not have. Raises `fieldUnknown`. */
function refuseForeignModules({ properties }: TObject, body: unknown): void {
  if (!isObject(body)) return;
  for (const [name, given] of Object.entries(body))
    if (isObject(given) && moduleNames.has(name) && !Object.hasOwn(properties, name))
      throw unknownField(`/${pointerStep(name)}`, Object.keys(properties));
}

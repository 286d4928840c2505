/**
 * Parts of a stored resource with their own paths: modules, elements, views, actions and detachments.
 * Invariant: parts follow the same write rules as their resource.
 */
import { Type } from '../../core/type.ts';
import { Problem } from '../../errors/problem.ts';
import type { JsonObject } from '../../store/store.ts';
import type {
  Collection,
  DocumentOf,
  PageRequest,
  Principal,
  StoredElements,
  StoredKind,
  StoredModule,
} from '../definition.ts';
import { isObject } from '../keywords.ts';
import { configurationIn } from '../modules/module-set.ts';
import type { RequestState } from '../request-state.ts';
import { body, optional } from '../schema.ts';
import { validate } from '../validate.ts';
import type { Contexts, EngineDependencies } from './contexts.ts';
import { checkPrefix, findDocument, pathParameters } from './lookup.ts';
import type { Writes } from './writes.ts';

/** A resource as a path names it. */
export interface ResourcePath {
  readonly kind: StoredKind;
  readonly of: Collection;
  readonly principal: Principal;
  readonly id: string;
  /** The condition of the request, and the state in its response. */
  readonly state?: RequestState | undefined;
}

export class Parts {
  readonly #store: EngineDependencies['store'];
  readonly #contexts: Contexts;
  readonly #writes: Writes;

  constructor(store: EngineDependencies['store'], contexts: Contexts, writes: Writes) {
    this.#store = store;
    this.#contexts = contexts;
    this.#writes = writes;
  }

  async putModule(path: ResourcePath, name: string, body: unknown): Promise<JsonObject> {
    const { kind, of, principal, id, state } = path;
    const module = moduleOf(kind, name);
    const document = await this.#writes.change(kind, of, principal, id, state, async (current) => {
      const given = unwrap(module, body, pathParameters(kind, of, id));
      const input = validate(module.write, given.body, given.parameters, given.pointer);
      const standing = configurationIn(current.body, name);
      const rules = this.#contexts.rules(principal);
      const config = await module.parse(input, given.pointer, { ...rules, current: standing });
      const within = { module: name, pointer: given.pointer };
      return { draft: { body: { ...current.body, [name]: config } }, fields: new Set([name]), within };
    });
    state?.show(document);
    return module.show(configOf(document, name), this.#contexts.show(principal), id);
  }

  async getModule(path: ResourcePath, name: string): Promise<JsonObject> {
    const module = moduleOf(path.kind, name);
    const config = configOf(await this.#find(path), name);
    return module.show(config, this.#contexts.show(path.principal), path.id);
  }

  async removeModule({ kind, of, principal, id, state }: ResourcePath, name: string): Promise<void> {
    moduleOf(kind, name);
    const document = await this.#writes.change(kind, of, principal, id, state, (current) => {
      configOf(current, name);
      return { draft: { body: { ...current.body, [name]: null } }, fields: new Set() };
    });
    state?.show(document);
  }

  async detach({ kind, of, principal, id, state }: ResourcePath, name: string): Promise<void> {
    const detachment = kind.detachments?.find((one) => one.name === name);
    if (detachment === undefined) throw new Error(`nothing called ${name} comes off ${kind.name}`);
    const document = await this.#writes.change(kind, of, principal, id, state, ({ body }) => {
      // A field that came with a later version is not there at all.
      if ((body[detachment.field] ?? null) === null) throw new Problem('nothingAttached', { name });
      return { draft: { body: { ...body, [detachment.field]: null } }, fields: new Set() };
    });
    state?.show(document);
  }

  async addElement({ kind, of, principal, id, state }: ResourcePath, body: unknown): Promise<JsonObject> {
    const elements = elementsOf(kind, id);
    let key = '';
    const document = await this.#writes.change(kind, of, principal, id, state, (current) => {
      const input = validate(elements.create, body, new Map([[elements.parameter, id]]));
      key = String(input[elements.key]);
      return { draft: { body: elements.add(current.body, input) }, fields: new Set() };
    });
    state?.show(document);
    return elements.show(document, key, this.#contexts.show(principal));
  }

  async listElements(path: ResourcePath, { limit, before }: PageRequest): Promise<readonly JsonObject[]> {
    const elements = elementsOf(path.kind, path.id);
    const document = await this.#find(path);
    if (before !== undefined) requireElement(elements, document, before, 'before_id');
    const newestFirst = [...elements.keys(document.body)].reverse();
    const start = before === undefined ? 0 : newestFirst.indexOf(before) + 1;
    const context = this.#contexts.show(path.principal);
    return newestFirst.slice(start, start + limit).map((key) => elements.show(document, key, context));
  }

  async getElement(path: ResourcePath, key: string): Promise<JsonObject> {
    const elements = elementsOf(path.kind, path.id);
    const document = await this.#find(path);
    requireElement(elements, document, key);
    return elements.show(document, key, this.#contexts.show(path.principal));
  }

  /** Nothing of an element can change but its existence: the body is checked, and that is all. */
  async updateElement(path: ResourcePath, key: string, body: unknown): Promise<JsonObject> {
    const { kind, principal, id } = path;
    const elements = elementsOf(kind, id);
    const document = await this.#find(path);
    requireElement(elements, document, key);
    const repeated = [
      [elements.parameter, id],
      [elements.key, key],
    ] as const;
    validate(elements.update, body, new Map(repeated));
    return elements.show(document, key, this.#contexts.show(principal));
  }

  async removeElement({ kind, of, principal, id, state }: ResourcePath, key: string): Promise<void> {
    const elements = elementsOf(kind, id);
    const document = await this.#writes.change(kind, of, principal, id, state, (current) => {
      requireElement(elements, current, key);
      return { draft: { body: elements.remove(current.body, key) }, fields: new Set() };
    });
    state?.show(document);
  }

  async view(path: ResourcePath, name: string): Promise<JsonObject> {
    const view = path.kind.views?.find((one) => one.name === name);
    if (view === undefined) throw new Error(`${path.kind.name} has no view ${name}`);
    return view.show(await this.#find(path), this.#contexts.action(path.principal));
  }

  async act(path: ResourcePath, name: string): Promise<JsonObject | null> {
    const action = path.kind.actions?.find((one) => one.name === name);
    if (action === undefined) throw new Error(`${path.kind.name} cannot ${name}`);
    const context = this.#contexts.action(path.principal);
    const { change } = action;
    if (change === undefined) return action.run(await this.#find(path), context);
    const { kind, of, principal, id, state } = path;
    const written = await this.#writes.change(kind, of, principal, id, state, async (current) => {
      return { draft: { body: await change(current, context) }, fields: new Set() };
    });
    return action.run(written, context);
  }

  /** Finds the state that the response shows. */
  async #find({ kind, of, principal, id, state }: ResourcePath): Promise<DocumentOf> {
    const document = await findDocument(this.#store, kind, of, principal, id);
    state?.require(document);
    state?.show(document);
    return document;
  }
}

/** The configuration in the body of a PUT, and its JSON pointer. */
interface GivenModule {
  readonly body: unknown;
  readonly pointer: string;
  /** Fields that are allowed beside its own. */
  readonly parameters: ReadonlyMap<string, string>;
}

const wrapper = body({ module: optional(Type.Object({})) });

/** Published clients send the configuration as `module`, beside the parameters of the path. Raises Problem. */
function unwrap(
  { write }: StoredModule,
  body: unknown,
  parameters: ReadonlyMap<string, string>,
): GivenModule {
  if (!isObject(body) || !isObject(body.module) || Object.hasOwn(write.properties, 'module'))
    return { body, pointer: '', parameters };
  const { module, ...beside } = body;
  validate(wrapper, beside, parameters);
  return { body: module, pointer: '/module', parameters: new Map() };
}

function moduleOf(kind: StoredKind, name: string): StoredModule {
  const module = kind.modules.find((one) => one.name === name);
  if (module === undefined) throw new Error(`${kind.name} has no module ${name}`);
  return module;
}

function configOf(document: DocumentOf, module: string): JsonObject {
  const config = configurationIn(document.body, module);
  if (config === null) throw new Problem('moduleNotSet', { module });
  return config;
}

/** Raises `idPrefixWrong` for an id of another kind. */
function elementsOf(kind: StoredKind, id: string): StoredElements {
  if (kind.elements === undefined) throw new Error(`${kind.name} has no elements`);
  checkPrefix(kind, id, kind.elements.parameter);
  return kind.elements;
}

/** `field` is where the request names it. */
function requireElement(
  elements: StoredElements,
  { id, body }: DocumentOf,
  key: string,
  field = elements.key,
): void {
  if (!elements.keys(body).includes(key)) throw new Problem(elements.missing, { id, key }, { field });
}

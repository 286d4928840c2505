/**
 * Applies the words of a profile to the resources: the renamed fields and values of each request and response.
 * Invariant: a word is rejected if it renames nothing, if it renames to itself, or if the new name is in use already.
 */

import { type Profile, ProfileFault, type Word } from '../core/profile.ts';
import type { TSchema } from '../core/type.ts';
import type { KindSurface } from '../resources/definition.ts';
import type { KindEndpoint } from './endpoints.ts';
import { Renaming, type Scope } from './vocabulary.ts';

/** Renamings in the requests and in the responses of an operation. */
export interface OperationScopes {
  readonly request: Scope | undefined;
  readonly result: Scope | undefined;
}

export class ProfileWords {
  readonly #resources: ReadonlyMap<string, Scope>;
  readonly #operations = new Map<KindEndpoint, OperationScopes>();

  /** Throws ProfileFault. */
  constructor({ words }: Profile, kinds: readonly KindSurface[]) {
    const byPath = new Map(kinds.map((kind) => [kind.path, kind]));
    for (const word of words) {
      const kind = byPath.get(word.collection);
      if (kind === undefined)
        throw new ProfileFault(word.line, `there is no collection "${word.collection}"`);
      checkWord(word, words, kind);
    }
    const named = kinds.filter(({ path }) => words.some((word) => word.collection === path));
    this.#resources = new Map(
      named.map((kind) => {
        const own = words.filter((word) => word.collection === kind.path);
        return [kind.name, scopeOf(own, [], moduleNames(kind))];
      }),
    );
  }

  /** Renamings in a resource of a kind. */
  ofResource({ name }: KindSurface): Scope | undefined {
    return this.#resources.get(name);
  }

  of(endpoint: KindEndpoint): OperationScopes {
    const known = this.#operations.get(endpoint);
    if (known !== undefined) return known;
    const scopes = this.#scopesOf(endpoint);
    this.#operations.set(endpoint, scopes);
    return scopes;
  }

  #scopesOf(endpoint: KindEndpoint): OperationScopes {
    const { kind } = endpoint;
    const resource = this.#resources.get(kind.name);
    if (resource === undefined) return both(undefined);
    if ('view' in endpoint || 'action' in endpoint || endpoint.verb === 'usedBy') return both(undefined);
    if ('module' in endpoint) return both(resource.inner.get(endpoint.module.name));
    if ('elements' in endpoint) {
      const { name } = endpoint.elements;
      const list = resource.inner.get(name);
      const element = list?.inner.get('*');
      if (endpoint.verb !== 'listElements' || list === undefined) return both(element);
      return { request: element, result: within(name, list) };
    }
    if (endpoint.verb !== 'list') return both(resource);
    return { request: undefined, result: within(kind.listKey, within('*', resource)) };
  }
}

function both(scope: Scope | undefined): OperationScopes {
  return { request: scope, result: scope };
}

const nothing = new Renaming([]);

function within(name: string, inner: Scope): Scope {
  return { names: nothing, values: nothing, inner: new Map([[name, inner]]) };
}

function moduleNames({ modules }: KindSurface): ReadonlySet<string> {
  return new Set(modules.map(({ name }) => name));
}

/** Returns the renamings at `path` and below. */
function scopeOf(words: readonly Word[], path: readonly string[], modules: ReadonlySet<string>): Scope {
  const below = words.filter(({ field }) => path.every((step, at) => field[at] === step));
  const here = (length: number, isValue: boolean) =>
    below.filter(({ field, value }) => field.length === length && (value !== null) === isValue);
  const names = here(path.length + 1, false).map((word) => [word.field.at(-1) ?? '', word.theirs] as const);
  const values = here(path.length, true).map(({ value, theirs }) => [value ?? '', theirs] as const);
  const steps = new Set(below.flatMap(({ field }) => field.slice(path.length, path.length + 1)));
  const inner = new Map(
    Array.from(steps, (step): [string, Scope] => [step, scopeOf(words, [...path, step], modules)]),
  );
  const scope = { names: new Renaming(names), values: new Renaming(values), inner };
  // Published clients send the configuration of a module as `module`, beside the parameters of the path.
  if (path.length === 1 && modules.has(path[0] ?? '')) inner.set('module', scope);
  return scope;
}

type Schema = TSchema & {
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
};

function checkWord(word: Word, words: readonly Word[], kind: KindSurface): void {
  const { line, field, value, theirs } = word;
  const own = value ?? field.at(-1) ?? '';
  const what = value === null ? `"${field.join('.')}"` : `"${value}" of "${field.join('.')}"`;
  if (own === theirs) throw new ProfileFault(line, `${what} is called that already`);
  const alike = words.filter((other) => isBeside(other, word));
  const twin = alike.find((other) => other !== word && other.theirs === theirs);
  if (twin !== undefined) {
    const both = [twin, word].map((one) => `"${one.value ?? one.field.join('.')}"`).join(' and ');
    throw new ProfileFault(line, `${both} cannot both be called "${theirs}"`);
  }
  const places = schemasOf(kind).flatMap((schema) => {
    const found = value === null ? schemaAt(schema, field.slice(0, -1)) : schemaAt(schema, field);
    if (found === undefined) return [];
    return [value === null ? Object.keys(given(found)?.properties ?? {}) : textsOf(found)];
  });
  if (!places.some((known) => known.includes(own)))
    throw new ProfileFault(line, `there is no ${what} in ${kind.one}`);
  const others = new Set(alike.map((other) => other.value ?? other.field.at(-1)));
  if (places.some((known) => known.includes(theirs)) && !others.has(theirs))
    throw new ProfileFault(line, `${what} cannot be called "${theirs}", which is something else there`);
  if (value === null && pathWords(kind).has(theirs))
    throw new ProfileFault(line, `${what} cannot be called "${theirs}", which is a part of the path`);
}

/** Returns true if two words could be taken for each other: names of one object, or values of one field. */
function isBeside(one: Word, other: Word): boolean {
  if (one.collection !== other.collection || (one.value === null) !== (other.value === null)) return false;
  const place = ({ field, value }: Word) => (value === null ? field.slice(0, -1) : field).join('.');
  return place(one) === place(other);
}

/** Returns the words that bodies may have beside the fields of a resource. */
function pathWords({ path, elements }: KindSurface): ReadonlySet<string> {
  const parents = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name ?? '');
  return new Set(['id', 'module', ...parents, ...(elements === undefined ? [] : [elements.parameter])]);
}

/** All schemas that are sent or read for a kind, each as the resource has it. */
function schemasOf({ create, update, read, modules, elements }: KindSurface): readonly Schema[] {
  const whole = [create, update, read].filter((schema) => schema !== undefined);
  const configurations = modules.flatMap(({ name, write, read: shown }) =>
    [write, shown].map((schema) => ({ properties: { [name]: schema } })),
  );
  const listed =
    elements === undefined
      ? []
      : [elements.create, elements.update, elements.read].map((items) => ({
          properties: { [elements.name]: { items } },
        }));
  return [...whole, ...configurations, ...listed] as readonly Schema[];
}

function schemaAt(schema: Schema, path: readonly string[]): Schema | undefined {
  return path.reduce<Schema | undefined>((at, step) => {
    const { properties = {}, items } = given(at) ?? {};
    if (step === '*') return items;
    return Object.hasOwn(properties, step) ? properties[step] : undefined;
  }, schema);
}

/** The schema without the null that a field may have instead. */
function given(schema: Schema | undefined): Schema | undefined {
  return schema?.anyOf?.find((option) => (option as { readonly type?: string }).type !== 'null') ?? schema;
}

function textsOf(schema: Schema): readonly string[] {
  const { enum: values = [] } = given(schema) ?? {};
  return values.filter((one) => typeof one === 'string');
}

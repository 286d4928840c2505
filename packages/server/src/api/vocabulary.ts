/**
 * Translates JSON into another vocabulary: names of fields and values. Pure.
 * Invariant: no two things get one name, and none is lost. Each direction undoes the other, for any JSON.
 */
import type { JsonObject, JsonValue } from '../store/store.ts';

/**
 * A one-to-one renaming of words. If their vocabulary takes over one of our words, our meaning of it gets a free word
 * in turn. Thus a word that only they use is never read as ours, and the other way round.
 */
export class Renaming {
  readonly #theirs: Map<string, string>;
  readonly #ours: Map<string, string>;

  /** `pairs` are ours and theirs; neither side may repeat a word. */
  constructor(pairs: Iterable<readonly [ours: string, theirs: string]>) {
    this.#theirs = new Map(pairs);
    this.#ours = new Map(Array.from(this.#theirs, ([ours, theirs]) => [theirs, ours]));
    for (const last of [...this.#ours.keys()]) {
      if (this.#theirs.has(last)) continue;
      let first = last;
      for (let before = this.#ours.get(first); before !== undefined; before = this.#ours.get(first))
        first = before;
      this.#theirs.set(last, first);
      this.#ours.set(first, last);
    }
  }

  theirs(word: string): string {
    return this.#theirs.get(word) ?? word;
  }

  ours(word: string): string {
    return this.#ours.get(word) ?? word;
  }
}

/** Renamings in one object or value, and inside it. */
export interface Scope {
  /** The names of its fields. */
  readonly names: Renaming;
  /** Renamings of its values, if it is text. */
  readonly values: Renaming;
  /** Scopes of the fields, by our name; `*` for every element of a list. */
  readonly inner: ReadonlyMap<string, Scope>;
}

/** A value of ours in their words. Without a scope nothing in it is renamed. */
export function inTheirWords(scope: Scope | undefined, value: JsonValue): JsonValue {
  return renamed(scope, value, 'theirs');
}

/** A value of theirs in our words. */
export function inOurWords(scope: Scope | undefined, value: JsonValue): JsonValue {
  return renamed(scope, value, 'ours');
}

function renamed(scope: Scope | undefined, value: JsonValue, to: 'theirs' | 'ours'): JsonValue {
  if (scope === undefined) return value;
  if (typeof value === 'string') return scope.values[to](value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const element = scope.inner.get('*');
    return element === undefined ? value : value.map((item) => renamed(element, item, to));
  }
  const entries = Object.entries(value as JsonObject).map(([name, inner]): [string, JsonValue] => {
    const other = scope.names[to](name);
    return [other, renamed(scope.inner.get(to === 'ours' ? other : name), inner, to)];
  });
  // Not an assignment per field: one to `__proto__` would set the prototype.
  return Object.fromEntries(entries);
}

/** A JSON pointer into something of ours, as they write it. */
export function pointerInTheirWords(scope: Scope | undefined, pointer: string): string {
  let here = scope;
  const [start = '', ...steps] = pointer.split('/');
  const theirs = steps.map((step) => {
    const name = here?.names.theirs(step) ?? step;
    here = innerScope(here, step);
    return name;
  });
  return [start, ...theirs].join('/');
}

/** Returns the renamings at a JSON pointer into an object in our names. */
export function scopeAt(scope: Scope | undefined, pointer: string): Scope | undefined {
  return pointer.split('/').slice(1).reduce(innerScope, scope);
}

function innerScope(scope: Scope | undefined, step: string): Scope | undefined {
  return scope?.inner.get(step) ?? (/^\d+$/.test(step) ? scope?.inner.get('*') : undefined);
}

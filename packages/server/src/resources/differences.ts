/**
 * Compares two states of a resource, for the audit trail.
 * Invariant: no secret is in the result, neither a stored one nor one in a header.
 */
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject, JsonValue } from '../store/store.ts';

/** A field that differs. */
export type Difference = {
  /** Path of names, joined with dots. */
  readonly field: string;
  /** Null: unset, or a secret. */
  readonly old: JsonValue;
  readonly new: JsonValue;
  /** True: only the fact of the change is known. */
  readonly secret?: true;
};

/** A state as the API shows it, and as it is stored. */
export interface ComparedState {
  readonly shown: JsonObject;
  readonly body: JsonObject;
}

/** Fields that a creation determines, and that never change. */
const FIXED: ReadonlySet<string> = new Set(['id', 'uri', 'created_at', 'last_used_at', 'last_ip']);
const SECRET =
  /(?:^|[-_])(?:authorization|cookie|secret|password|passphrase|token|api[-_]?key|private[-_]?key)s?$/i;
const SEALED = /_(?:sealed|hash)$/;
/** Text that replaces a secret inside a value. */
const MASK = '(secret)';
/** Depth of objects that are compared by their fields. */
const MOST_DEEP = 4;

/** Returns the fields that differ. Null: before the creation, or after the deletion. */
export function differences(before: ComparedState | null, after: ComparedState | null): Difference[] {
  const found: Difference[] = [];
  compare(found, '', before?.shown ?? {}, after?.shown ?? {}, 1);
  compareSealed(found, '', before?.body, after?.body);
  return found;
}

function compare(found: Difference[], path: string, before: JsonObject, after: JsonObject, depth: number) {
  for (const name of namesIn(before, after)) {
    if (depth === 1 && FIXED.has(name)) continue;
    const [old, now] = [plain(before[name] ?? null), plain(after[name] ?? null)];
    if (isSame(old, now)) continue;
    const field = `${path}${name}`;
    if (SECRET.test(name) && isText(old) && isText(now))
      found.push({ field, old: null, new: null, secret: true });
    else if (isObject(old) && isObject(now) && depth < MOST_DEEP)
      compare(found, `${field}.`, old, now, depth + 1);
    else found.push({ field, old: masked(old), new: masked(now) });
  }
}

/** Adds the fields whose sealed or hashed values differ. Those of a deleted resource are not of interest. */
function compareSealed(found: Difference[], path: string, before: unknown, after: unknown): void {
  if (!isObject(after)) return;
  const former = isObject(before) ? before : {};
  for (const [name, now] of Object.entries(after)) {
    const old = former[name] ?? null;
    if (SEALED.test(name)) {
      if (old === now || (old ?? '') === (now ?? '')) continue;
      const field = `${path}${name.replace(SEALED, '')}`;
      if (!found.some((one) => one.field === field))
        found.push({ field, old: null, new: null, secret: true });
    } else if (isObject(now) && now !== old) compareSealed(found, `${path}${name}.`, old, now);
  }
}

/** A reference is shown as the id. */
function plain(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  const { id, uri, ...rest } = value;
  return typeof id === 'string' && typeof uri === 'string' && Object.keys(rest).length === 0 ? id : value;
}

function namesIn(before: JsonObject, after: JsonObject): Iterable<string> {
  const names = Object.keys(after);
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) names.push(name);
  return names;
}

/** Unset values of every type are the same. */
function isSame(one: JsonValue, other: JsonValue): boolean {
  return one === other || (isUnset(one) && isUnset(other)) || isDeepStrictEqual(one, other);
}

function isUnset(value: JsonValue): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function isText(value: JsonValue): boolean {
  return value === null || typeof value === 'string';
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function masked(given: JsonValue): JsonValue {
  const value = plain(given);
  if (Array.isArray(value)) return value.map(masked);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, one]): [string, JsonValue] => {
    if (SECRET.test(name) && typeof one === 'string' && one !== '') return [name, MASK];
    return [name, masked(one)];
  });
  return Object.fromEntries(entries);
}

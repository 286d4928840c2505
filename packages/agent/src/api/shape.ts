/** Compares the requested fields with the API's response. Pure. */
import type { FieldTable } from '@underpass/client/operations';
import { fieldsIn } from './catalogue.ts';
import { isRow } from './lookup.ts';
import type { Row } from './resources.ts';

export interface Difference {
  /** The field at the top of the body. */
  readonly field: string;
  /** Path with inner fields: `oidc.scopes`. */
  readonly path: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The fields of a resource in the form in which a request has them. Secrets are left out, since no response shows them. */
export function writableOf(fields: readonly FieldTable[], item: Row): Record<string, unknown> {
  const shown = fields.map((field) => [field.name, shownValue(field, item)] as const);
  return Object.fromEntries(shown.filter(([, value]) => value !== undefined));
}

/** The value of one field; undefined if no response shows it. References become ids. */
export function shownValue(field: FieldTable, item: Row): unknown {
  if (field.isSecret === true) return undefined;
  const inner = fieldsIn(field);
  const value = item[field.name];
  if (value === undefined) return field.refersTo === undefined ? undefined : referred(field.name, item);
  if (inner.length === 0) return value;
  if (Array.isArray(value)) return value.map((it) => (isRow(it) ? writableOf(inner, it) : it));
  return isRow(value) ? writableOf(inner, value) : value;
}

/** `backend_id` is shown as `backend`, `ip_policy_ids` as `ip_policies`. */
function referred(name: string, item: Row): unknown {
  const base = name.replace(/_ids?$/, '');
  const several = item[base.endsWith('y') ? `${base.slice(0, -1)}ies` : `${base}s`];
  if (name.endsWith('_ids')) return Array.isArray(several) ? several.map(idOfRef) : undefined;
  const one = item[base];
  return one === undefined ? undefined : one === null ? '' : idOfRef(one);
}

function idOfRef(value: unknown): unknown {
  return isRow(value) ? value.id : value;
}

/** The differences between a body and a resource. Fields that the body does not name, and secrets, make none. */
export function differencesOf(fields: readonly FieldTable[], body: Row, item: Row): readonly Difference[] {
  return fields.flatMap((field) => {
    const current = shownValue(field, item);
    const given = body[field.name];
    if (current === undefined || isNotGiven(field, given)) return [];
    return different(field, given, current, field.name).map((it) => ({ ...it, field: field.name }));
  });
}

type Part = Omit<Difference, 'field'>;

function different(field: FieldTable, given: unknown, current: unknown, path: string): readonly Part[] {
  const inner = fieldsIn(field);
  if (inner.length > 0 && isRow(given) && isRow(current)) {
    return inner.flatMap((it) => {
      if (it.isSecret === true || current[it.name] === undefined) return [];
      const value = isNotGiven(it, given[it.name]) ? (it.default ?? null) : given[it.name];
      return different(it, value, current[it.name], `${path}.${it.name}`);
    });
  }
  const isModule = inner.some(({ name }) => name === 'enabled');
  // A module is given also if it is {}.
  const isNew = isModule && isRow(given) && !isRow(current);
  return !isNew && isSame(field.name, given, current) ? [] : [{ path, from: current, to: given }];
}

/** The API reads null, and a zero value that the field cannot have, as no value. */
export function isNotGiven({ isUnsetByZero }: FieldTable, value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return isUnsetByZero === true && isZero(value);
}

function isZero(value: unknown): boolean {
  if (value === '' || value === 0) return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function isSame(name: string, one: unknown, other: unknown): boolean {
  if (isEmpty(one) && isEmpty(other)) return true;
  return comparable(name, one) === comparable(name, other);
}

/** An unset field is shown as null or as its empty value. */
function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (value !== 0 && isZero(value));
}

/** Texts in which the API stores lower case. */
const LOWERED = new Set(['remove', 'email', 'email_addresses', 'email_domains', 'cidr', 'name']);
const LOWERED_KEYS = new Set(['headers', 'add']);
const HOSTS = new Set(['hostports', 'domain', 'address']);

/** The same text for values that the API stores alike. */
function comparable(name: string, value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(normal(name, value));
  if (Array.isArray(value)) return `[${value.map((it) => comparable(name, it)).join()}]`;
  if (!isRow(value)) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).map(([key, it]) => {
    const spelt = LOWERED_KEYS.has(name) ? key.toLowerCase() : key;
    return `${JSON.stringify(spelt)}:${JSON.stringify(it)}`;
  });
  return `{${entries.sort().join()}}`;
}

function normal(name: string, text: string): string {
  if (HOSTS.has(name)) return text.toLowerCase().replace(/\.(?=:|$)/, '');
  if (LOWERED.has(name)) return text.toLowerCase();
  return name.endsWith('_pem') || name === 'public_key' ? text.trim() : text;
}

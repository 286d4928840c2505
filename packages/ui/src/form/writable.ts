/** Converts a resource into the value of the form that changes it, and the result into requests. Pure. */
import { fieldsOf } from './controls.ts';
import type { Json, Schema } from './openapi.ts';
import type { Reference } from './reference.ts';

type Row = { [key: string]: Json };

/** The fields of a resource that the schema of a change has. References become ids; null and secrets are left out. */
export function writableOf(reference: Reference, schema: Schema, shown: Json): Json {
  const { schema: value } = reference.given(schema);
  if (Array.isArray(shown)) return shown.map((one) => writableOf(reference, value.items ?? {}, one));
  if (!isRow(shown) || value.properties === undefined) return idOf(shown, value);
  const entries = Object.entries(value.properties).flatMap(([name, inner]) => {
    const found = shownAs(name, shown);
    if (found === undefined || found === null || isHidden(reference, inner)) return [];
    return [[name, writableOf(reference, inner, found)] as const];
  });
  return Object.fromEntries(entries);
}

export interface Change {
  /** The fields of the PATCH; empty if nothing is to be sent. */
  readonly body: Row;
  /** Modules that are removed by requests of their own. */
  readonly removals: readonly string[];
}

/** The difference between what the form showed at first and what it has now. */
export function changeOf(reference: Reference, schema: Schema, before: Json, after: Json): Change {
  const old = isRow(before) ? before : {};
  const now = isRow(after) ? after : {};
  const body: Row = {};
  const removals: string[] = [];
  for (const { name, control } of fieldsOf(reference, schema)) {
    const is = now[name];
    if (isSame(old[name], is)) continue;
    if (is !== undefined) body[name] = is;
    else if (control.type === 'group') removals.push(name);
    else body[name] = control.type === 'list' ? [] : control.type === 'map' ? {} : '';
  }
  return { body, removals };
}

/** `backend_id` is shown as `backend`, `ip_policy_ids` as `ip_policies`. */
function shownAs(name: string, shown: Row): Json | undefined {
  if (Object.hasOwn(shown, name)) return shown[name];
  const base = name.replace(/_ids?$/, '');
  return shown[base] ?? shown[`${base}s`] ?? shown[base.replace(/y$/, 'ies')];
}

/** The id of a reference, if the form has a text in its place. */
function idOf(shown: Json, { type }: Schema): Json {
  return isRow(shown) && type === 'string' && typeof shown.id === 'string' ? shown.id : shown;
}

function isHidden(reference: Reference, schema: Schema): boolean {
  return schema.writeOnly === true || reference.given(schema).schema.writeOnly === true;
}

function isRow(value: Json | undefined): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

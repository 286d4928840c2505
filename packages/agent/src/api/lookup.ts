/** Replaces names by ids in arguments and bodies. */
import type { FieldTable, VerbTable } from '@underpass/client/operations';
import { distinctKinds, fieldsIn, isId, isNearlyId, type KnownResource, resourceOf } from './catalogue.ts';
import { kebab } from './names.ts';
import { named, nameOf, namingText, nearName } from './naming.ts';
import type { Resources, Row } from './resources.ts';

/** A name that no resource has, or that several have. The message lists what there is. */
export class NameError extends Error {
  override readonly name = 'NameError';
}

const SHOWN = 10;

/** The ids that the arguments of a verb mean. Rejects with NameError or a ClientError. */
export async function resolveArguments(
  resources: Resources,
  { parameters }: VerbTable,
  args: readonly string[],
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const [at, text] of args.entries()) {
    const kinds = parameters[at]?.refersTo;
    ids.push(kinds === undefined ? text : await idOf(resources, kinds, text, ids[0] ?? ''));
  }
  return ids;
}

/** Finds the id that a text means; see `idOf`. */
export type Resolve = (kinds: readonly string[], text: string) => Promise<string>;

/** Finds ids among the resources that there are. */
export function resolveIn(resources: Resources): Resolve {
  return (kinds, text) => idOf(resources, kinds, text, '');
}

/** The body with ids in place of names. Rejects with NameError, which names the field, or a ClientError. */
export async function resolveBody(
  resolve: Resolve,
  fields: readonly FieldTable[],
  body: Row,
  at = '',
): Promise<Record<string, unknown>> {
  const resolved: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    const field = fields.find((it) => it.name === name);
    resolved[name] = field === undefined ? value : await resolveField(resolve, field, value, `${at}${name}`);
  }
  return resolved;
}

async function resolveField(
  resolve: Resolve,
  field: FieldTable,
  value: unknown,
  at: string,
): Promise<unknown> {
  const { refersTo } = field;
  const inner = fieldsIn(field);
  if (Array.isArray(value)) {
    const one = (it: unknown): Promise<unknown> | unknown =>
      isRow(it) ? resolveBody(resolve, inner, it, `${at}.`) : resolveText(resolve, refersTo, it, at);
    return inOrder(value, one);
  }
  if (!isRow(value)) return resolveText(resolve, refersTo, value, at);
  if (refersTo === undefined) return resolveBody(resolve, inner, value, `${at}.`);
  const keys = await inOrder(Object.keys(value), (key) => resolveText(resolve, refersTo, key, at));
  return Object.fromEntries(Object.values(value).map((it, index) => [keys[index], it]));
}

/** One after the other, so that each list is fetched once. */
async function inOrder<T>(values: readonly T[], act: (value: T) => unknown): Promise<unknown[]> {
  const done: unknown[] = [];
  for (const value of values) done.push(await act(value));
  return done;
}

async function resolveText(
  resolve: Resolve,
  kinds: readonly string[] | undefined,
  value: unknown,
  at: string,
): Promise<unknown> {
  if (kinds === undefined || typeof value !== 'string' || value === '') return value;
  try {
    return await resolve(kinds, value);
  } catch (error) {
    if (error instanceof NameError) throw new NameError(`${at}: ${error.message}`);
    throw error;
  }
}

/**
 * The id that a text means: itself, or that of the only resource with this name. `holder` is the id of the resource
 * that holds those of the kind, '' if none does.
 */
export async function idOf(
  resources: Resources,
  kinds: readonly string[],
  text: string,
  holder: string,
): Promise<string> {
  if (isId(text) || kinds.some((name) => isNearlyId(resourceOf(name).kind, text))) return text;
  const known = distinctKinds(kinds);
  const found: { readonly resource: KnownResource; readonly item: Row }[] = [];
  const near: string[] = [];
  for (const resource of known) {
    const items = await resources.all(resource, holder);
    found.push(...named(resource.kind, items, text).map((item) => ({ resource, item })));
    const name = nearName(resource.kind, items, text);
    if (name !== null) near.push(name);
  }
  const [only] = found;
  if (only === undefined) throw new NameError(missing(known, text, near[0]));
  if (found.length === 1) return String(only.item.id);
  throw new NameError(ambiguous(text, found));
}

/** The message for a name that several resources have. */
export function ambiguous(
  text: string,
  found: readonly { readonly resource: KnownResource; readonly item: Row }[],
): string {
  const shown = found.slice(0, SHOWN).map(({ resource, item }) => {
    const name = nameOf(resource.kind, item);
    return `\n  ${String(item.id)}  ${kebab(resource.name)}${name === '' ? '' : `  ${name}`}`;
  });
  const rest = found.length > SHOWN ? `\n  and ${found.length - SHOWN} more` : '';
  return `"${text}" names ${found.length} resources. Give the id of one:${shown.join('')}${rest}`;
}

function missing(known: readonly KnownResource[], text: string, near: string | undefined): string {
  const [first] = known;
  const what = known.map(({ kind }) => kind.one.replace(/^an? /, '')).join(' or ');
  const advice =
    near === undefined
      ? `Give its id${first === undefined || known.length > 1 ? ' or its name' : namingText(first.kind)}; "underpass api ${kebab(first?.name ?? '')} list" shows them.`
      : `Did you mean "${near}"?`;
  return `There is no ${what} "${text}". ${advice}`;
}

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Finds resources, kinds and verbs in the table of the API's operations. */
import {
  type FieldTable,
  type KindTable,
  objectTables,
  type ResourceTable,
  resourceTables,
  type VerbTable,
} from '@underpass/client/operations';

export interface KnownResource extends ResourceTable {
  readonly kind: KindTable;
}

/** The resource of a kind, by the name that `refersTo` has. Throws Error for a name that the table does not have. */
export function resourceOf(kindName: string): KnownResource {
  const found = resourceTables.find(({ kind }) => kind?.name === kindName);
  if (!hasKind(found)) throw new Error(`the table has no kind ${kindName}`);
  return found;
}

export function hasKind(resource: ResourceTable | undefined): resource is KnownResource {
  return resource !== undefined && resource.kind !== null;
}

export function verbOf({ verbs }: ResourceTable, name: string): VerbTable | null {
  return verbs.find((verb) => verb.name === name) ?? null;
}

/** The fields inside of a field; empty for a field without any. */
export function fieldsIn({ object }: FieldTable): readonly FieldTable[] {
  return object === undefined ? [] : (objectTables[object] ?? []);
}

const PREFIXES: ReadonlySet<string> = new Set(
  resourceTables.flatMap(({ kind }) => (kind === null ? [] : [kind.prefix])),
);

/** Returns true for a text in the form of an id of any kind. */
export function isId(text: string): boolean {
  const prefix = /^([a-z]+)_[0-9A-Za-z]{27}$/.exec(text)?.[1];
  return prefix !== undefined && PREFIXES.has(prefix);
}

/** Returns true for an id of this kind, also a malformed one: the API reports what is wrong with it. */
export function isNearlyId({ prefix }: KindTable, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[a-z]+_[0-9A-Za-z]+$/.test(text);
}

/** The kind that an id is of; null for a text that is no id. */
export function kindOfId(id: string): KindTable | null {
  if (!isId(id)) return null;
  return resourceTables.find(({ kind }) => kind !== null && id.startsWith(`${kind.prefix}_`))?.kind ?? null;
}

/** The kinds of a reference, without a kind that is only another name of one beside it. */
export function distinctKinds(names: readonly string[]): readonly KnownResource[] {
  return names
    .map(resourceOf)
    .filter(({ kind }) => kind.aliasOf === undefined || !names.includes(kind.aliasOf));
}

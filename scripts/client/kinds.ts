/** Reads out of the document what kind a resource is of, and which of its fields name one of them. */
import type { Kind, Schema } from '../../packages/ui/src/form/openapi.ts';
import { type Document, resolved } from './document.ts';
import type { ResourceModel } from './model.ts';

export interface KindModel {
  readonly name: string;
  readonly one: string;
  readonly prefix: string;
  readonly namedBy: readonly string[];
  readonly aliasOf?: string;
  readonly within?: { readonly kind: string; readonly key: string };
}

/** Fields that people know a resource by, the surest first. */
const NAMING = [
  ...['name', 'domain', 'addr', 'email', 'hostports', 'public_url', 'match'],
  ...['description', 'labels', 'address', 'cidr', 'subject_common_name'],
];

/** The kind of a resource; null for a list inside of another one. */
export function kindOf(document: Document, { tag, isInner }: ResourceModel): KindModel | null {
  const kinds = Object.entries(document['x-kinds'] ?? {});
  const [name, kind] = kinds.find(([, it]) => it.tag === tag) ?? [];
  if (name === undefined || kind === undefined || isInner) return null;
  const { one, prefix, alias_of: aliasOf } = kind;
  const within = holderOf(document, kind);
  return {
    name,
    one,
    prefix,
    namedBy: NAMING.filter((field) => isNaming(propertiesOf(document, kind)[field])),
    ...(aliasOf === undefined ? {} : { aliasOf }),
    ...(within === null ? {} : { within }),
  };
}

function isNaming(schema: Schema | undefined): boolean {
  if (schema === undefined) return false;
  const { type, items, additionalProperties } = schema;
  if (type === 'array') return items?.type === 'string';
  if (type === 'object')
    return typeof additionalProperties === 'object' && additionalProperties.type === 'string';
  return type === 'string';
}

function propertiesOf(document: Document, { schema }: Kind): Readonly<Record<string, Schema>> {
  return resolved(document, { $ref: `#/components/schemas/${schema}` }).properties ?? {};
}

/** The kind whose resources hold those of this one, and the field in which they do. */
function holderOf(document: Document, kind: Kind): { readonly kind: string; readonly key: string } | null {
  const outer = /^(.*)\/\{\w+\}\/\w+$/.exec(kind.collection)?.[1];
  for (const [name, it] of Object.entries(document['x-kinds'] ?? {})) {
    if (it.collection !== outer) continue;
    const key = Object.entries(propertiesOf(document, it)).find(
      ([, { items }]) => items?.$ref === `#/components/schemas/${kind.schema}`,
    )?.[0];
    if (key !== undefined) return { kind: name, key };
  }
  return null;
}

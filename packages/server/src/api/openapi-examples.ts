/**
 * Finds the ids in the example of a request's body that must belong to existing resources. The service accepts
 * everything else in it unchanged. Pure.
 */
import { isMap } from './openapi-annotations.ts';
import type { Json, JsonMap } from './openapi-json.ts';

/** An id in an example, with its place and its possible kinds. */
export type ExampleId = {
  /** JSON pointer to the value, or to the entry of a map whose key the id is. */
  readonly pointer: string;
  readonly 'refers-to': Json[];
  /** The id is a key. */
  readonly key?: true;
};

/** The ids in the example of a cleaned schema. `schemas`: those that it refers to. */
export function exampleIds(example: Json, schema: JsonMap, schemas: JsonMap): ExampleId[] {
  return idsIn(example, schema, schemas, '');
}

function idsIn(value: Json, field: JsonMap, schemas: JsonMap, pointer: string): ExampleId[] {
  const schema = resolve(field, schemas);
  const kinds = field['x-refers-to'] ?? schema['x-refers-to'];
  if (typeof value === 'string') {
    return Array.isArray(kinds) && value !== '' ? [{ pointer, 'refers-to': kinds }] : [];
  }
  if (Array.isArray(value)) {
    const { items } = schema;
    return isMap(items) ? value.flatMap((one, at) => idsIn(one, items, schemas, `${pointer}/${at}`)) : [];
  }
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return [...keyId(schema, at), ...idsIn(part, partOf(schema, name), schemas, at)];
  });
}

function keyId({ propertyNames }: JsonMap, pointer: string): ExampleId[] {
  const kinds = isMap(propertyNames) ? propertyNames['x-refers-to'] : undefined;
  return Array.isArray(kinds) ? [{ pointer, 'refers-to': kinds, key: true }] : [];
}

function partOf({ properties, additionalProperties }: JsonMap, name: string): JsonMap {
  const property = isMap(properties) ? properties[name] : undefined;
  if (isMap(property)) return property;
  return isMap(additionalProperties) ? additionalProperties : {};
}

/** The schema of a value that is given, whatever it is wrapped in. */
function resolve(schema: JsonMap, schemas: JsonMap): JsonMap {
  const { $ref, anyOf } = schema;
  if (typeof $ref === 'string')
    return resolve(schemas[$ref.slice($ref.lastIndexOf('/') + 1)] as JsonMap, schemas);
  const given = Array.isArray(anyOf) ? anyOf.find((one) => isMap(one) && one.type !== 'null') : undefined;
  return isMap(given) ? resolve(given, schemas) : schema;
}

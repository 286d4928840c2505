/** JSON that is put together, and the pieces that every part of the OpenAPI document is made of. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonMap = { [key: string]: Json };

export function reference(name: string): JsonMap {
  return { $ref: `#/components/schemas/${name}` };
}

export function jsonContent(schema: Json): JsonMap {
  return { 'application/json': { schema } };
}

/** Ids of other resources inside a stored body: found, checked and turned into links by what the kind declares. */

import type { DocumentStore } from '../documents/index.ts';
import { Problem } from '../errors/problem.ts';
import type { JsonObject, JsonValue, Link } from '../store/store.ts';
import type { Reference } from './definition.ts';
import { pointerStep } from './pointer.ts';

interface Occurrence {
  readonly id: string;
  /** JSON pointer from the top of the body. */
  readonly pointer: string;
}

/** The module that a request's body is about, and the JSON pointer of its configuration there. */
export interface Within {
  readonly module: string;
  readonly pointer: string;
}

export function linksOf(references: readonly Reference[], body: JsonObject): Link[] {
  return references.flatMap((reference) => {
    const ids = new Set(occurrences(body, reference.field).map((found) => found.id));
    return [...ids].map((id) => ({ field: reference.field, to: id, binding: reference.binding }));
  });
}

/** The resource that one with this body lives and dies with. */
export function parentOf(references: readonly Reference[], body: JsonObject): string | null {
  const reference = references.find((one) => one.parent === true);
  return reference === undefined ? null : String(body[reference.field]);
}

/**
 * Rejects ids of a wrong kind, and ids that the account does not have, in the given top-level fields only. Stored
 * values are not checked again, because an IP policy may be deleted while an edge names it. `within` is the module,
 * if the request is about it alone.
 */
export async function checkReferences(
  references: readonly Reference[],
  body: JsonObject,
  fields: ReadonlySet<string>,
  account: string,
  store: Pick<DocumentStore, 'get'>,
  within?: Within,
): Promise<void> {
  for (const reference of references) {
    if (!fields.has(reference.field.split('.', 1)[0] ?? '')) continue;
    for (const { id, pointer } of occurrences(body, reference.field)) {
      const field = pointerInRequest(pointer, within);
      if (!reference.prefixes.some((prefix) => id.startsWith(`${prefix}_`))) {
        const allowed = reference.prefixes.map((one) => `${one}_`);
        throw new Problem(
          reference.wrongPrefix,
          { id, value: id, allowed: allowed.join(', '), prefix: reference.prefixes.join('_ or ') },
          { field, allowed },
        );
      }
      const target = await store.get(id);
      if (target === null || target.account !== account)
        throw new Problem(reference.unknown, { id, value: id }, { field });
    }
  }
}

function pointerInRequest(pointer: string, within: Within | undefined): string {
  const start = `/${within?.module}`;
  if (within === undefined || !pointer.startsWith(`${start}/`)) return pointer;
  return `${within.pointer}${pointer.slice(start.length)}`;
}

function occurrences(body: JsonObject, field: string): Occurrence[] {
  let here: { value: JsonValue | undefined; pointer: string }[] = [{ value: body, pointer: '' }];
  for (const step of field.split('.')) {
    here = here.flatMap(({ value, pointer }) => {
      if (typeof value !== 'object' || value === null) return [];
      if (step === '~') {
        return Object.keys(value).map((key) => ({ value: key, pointer: `${pointer}/${pointerStep(key)}` }));
      }
      if (step === '*') {
        return Array.isArray(value)
          ? value.map((item, at) => ({ value: item, pointer: `${pointer}/${at}` }))
          : [];
      }
      return [{ value: (value as JsonObject)[step], pointer: `${pointer}/${step}` }];
    });
  }
  return here.flatMap(({ value, pointer }) => (typeof value === 'string' ? [{ id: value, pointer }] : []));
}

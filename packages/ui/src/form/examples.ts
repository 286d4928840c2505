/** Fills the ids of existing resources into examples. Pure. */
import type { ExampleId, Json } from './openapi.ts';
import { stepsOf } from './pointer.ts';

export interface Filled {
  readonly body: Json;
  /** The ids of which no resource is known. */
  readonly missing: readonly ExampleId[];
}

/** `idFor`: the id of a resource of one of these kinds; null if none is known. */
export function fillIn(
  example: Json,
  ids: readonly ExampleId[],
  idFor: (kinds: readonly string[]) => string | null,
): Filled {
  let body = example;
  for (const id of ids) {
    const known = idFor(id['refers-to']);
    if (known !== null) body = replaced(body, stepsOf(id.pointer), known, id.key === true);
  }
  return { body, missing: ids.filter((id) => idFor(id['refers-to']) === null) };
}

function replaced(value: Json, [step, ...rest]: readonly string[], id: string, isKey: boolean): Json {
  if (step === undefined) return id;
  if (Array.isArray(value))
    return value.map((one, at) => (String(at) === step ? replaced(one, rest, id, isKey) : one));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      if (name !== step) return [name, part];
      return isKey && rest.length === 0 ? [id, part] : [name, replaced(part, rest, id, isKey)];
    }),
  );
}

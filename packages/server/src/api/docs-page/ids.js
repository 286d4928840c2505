/**
 * Remembers the resources that the page has seen, so that an example can name an existing one. The memory ends with
 * the page.
 */
/** @import { ExampleId, Json, Operation } from './types.ts' */
/** @import { Reference } from './reference.js' */
import { send } from './request.js';

/** The id that was seen last, by the kind's name. */
const seen = new Map();

/**
 * @param {readonly string[]} kinds
 * @returns {string | null}
 */
export function knownId(kinds) {
  for (const kind of kinds) if (seen.has(kind)) return seen.get(kind);
  return null;
}

/**
 * Looks into an answer for the ids of what it shows.
 * @param {Reference} reference
 * @param {Operation} operation
 * @param {{ status: number, json: Json }} answer
 * @param {string} url
 */
export function learn({ document }, { method, tag }, { status, json }, url) {
  if (status >= 300) return;
  const kind = Object.entries(document['x-kinds']).find(([, it]) => it.tag === tag)?.[0];
  if (kind === undefined) return;
  if (method === 'DELETE' && url.endsWith(`/${seen.get(kind)}`)) seen.delete(kind);
  const shown = firstResource(json);
  if (shown !== null) seen.set(kind, shown);
}

/**
 * Fetches the id of the newest resource of any of these kinds.
 * @param {Reference} reference
 * @param {readonly string[]} kinds
 * @returns {Promise<string | null>}
 */
export async function findId(reference, kinds) {
  for (const kind of kinds) {
    const { collection } = reference.document['x-kinds'][kind] ?? {};
    const list = [...reference.operations.values()].find(
      (it) => it.path === collection && it.method === 'GET',
    );
    if (list === undefined || collection === undefined || collection.includes('{')) continue;
    const answer = await send(reference, { method: 'GET', url: `${collection}?limit=1`, body: null });
    learn(reference, list, answer, collection);
    if (seen.has(kind)) return seen.get(kind);
  }
  return null;
}

/**
 * The example with the ids that are known in their places, and those that are not.
 * @param {Json} example
 * @param {readonly ExampleId[]} ids
 * @returns {{ body: Json, missing: readonly ExampleId[] }}
 */
export function fillIn(example, ids) {
  let body = example;
  for (const id of ids) {
    const known = knownId(id['refers-to']);
    if (known !== null) body = replaced(body, steps(id.pointer), known, id.key === true);
  }
  return { body, missing: ids.filter((id) => knownId(id['refers-to']) === null) };
}

/**
 * @param {Json} value
 * @param {readonly string[]} path
 * @param {string} id
 * @param {boolean} isKey
 * @returns {Json}
 */
function replaced(value, [step, ...rest], id, isKey) {
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

/** @param {string} pointer */
function steps(pointer) {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * @param {Json} json
 * @returns {string | null}
 */
function firstResource(json) {
  if (json === null || typeof json !== 'object') return null;
  if (Array.isArray(json)) return json.length === 0 ? null : firstResource(json[0] ?? null);
  if (typeof json.id === 'string') return json.id;
  const list = Object.values(json).find(Array.isArray);
  return list === undefined ? null : firstResource(list);
}

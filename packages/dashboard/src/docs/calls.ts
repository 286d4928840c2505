/** Requests of the page. The key that was typed goes with them, and is kept nowhere else. */
import { signal } from '@preact/signals';
import type { Json, Operation } from '@underpass/ui/form/openapi.ts';
import type { Reference } from '@underpass/ui/form/reference.ts';
import type { ApiCall } from '@underpass/ui/form/snippets.ts';

export const apiKey = signal('');

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  /** Milliseconds until the whole response was there. */
  readonly ms: number;
  readonly headers: Headers;
  readonly text: string;
  /** Null if the body is no JSON. */
  readonly json: Json;
}

/** Rejects if no response comes. */
export async function sendCall({ version }: Reference, { method, url, body }: ApiCall): Promise<Answer> {
  const started = performance.now();
  const response = await fetch(url, {
    ...{ method, body, credentials: 'omit', cache: 'no-store', redirect: 'error' },
    headers: {
      authorization: `Bearer ${apiKey.value}`,
      [version.name]: version.value,
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    },
  });
  const text = await response.text();
  const { status, statusText, headers } = response;
  const ms = Math.round(performance.now() - started);
  return { status, statusText, ms, headers, text, json: parsed(text) };
}

/** The id that was seen last, by the kind's name. It ends with the page. */
const seen = new Map<string, string>();

export function knownId(kinds: readonly string[]): string | null {
  return kinds.map((kind) => seen.get(kind)).find((id) => id !== undefined) ?? null;
}

/** Remembers the ids in an answer. */
export function learn(
  { document }: Reference,
  { method, tag }: Operation,
  answer: Answer,
  url: string,
): void {
  if (answer.status >= 300) return;
  const kind = Object.entries(document['x-kinds']).find(([, it]) => it.tag === tag)?.[0];
  if (kind === undefined) return;
  if (method === 'DELETE' && url.endsWith(`/${seen.get(kind)}`)) seen.delete(kind);
  const shown = firstResource(answer.json);
  if (shown !== null) seen.set(kind, shown);
}

/** The id of the newest resource of any of these kinds; null if there is none. */
export async function findId(reference: Reference, kinds: readonly string[]): Promise<string | null> {
  for (const kind of kinds) {
    const collection = reference.document['x-kinds'][kind]?.collection ?? '';
    const list = reference.operationAt('GET', collection);
    if (list === null || collection.includes('{')) continue;
    const answer = await sendCall(reference, { method: 'GET', url: `${collection}?limit=1`, body: null });
    learn(reference, list, answer, collection);
    const found = knownId([kind]);
    if (found !== null) return found;
  }
  return null;
}

function firstResource(json: Json): string | null {
  if (json === null || typeof json !== 'object') return null;
  if (Array.isArray(json)) return json.length === 0 ? null : firstResource(json[0] ?? null);
  if (typeof json.id === 'string') return json.id;
  const list = Object.values(json).find(Array.isArray);
  return list === undefined ? null : firstResource(list);
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

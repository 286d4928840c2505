/** What each endpoint of the API does with a request that passed every check but those of the resource itself. */
import type { IncomingMessage } from 'node:http';
import { Problem } from '../errors/problem.ts';
import type { Collection, Principal, ResourceEngine } from '../resources/definition.ts';
import type { JsonObject, JsonValue } from '../store/store.ts';
import { hasBody, readBody } from './body.ts';
import { checkContentType } from './checks.ts';
import { parseJson } from './json.ts';
import { problemInTheirWords } from './problem-words.ts';
import type { ProfileWords } from './profile-words.ts';
import type { Page } from './query.ts';
import type { Endpoint } from './routes.ts';
import { inOurWords, inTheirWords } from './vocabulary.ts';

/** A request that passed every check but those of the resource itself. */
export interface Call {
  readonly endpoint: Endpoint;
  readonly principal: Principal;
  /** '' for a collection. */
  readonly id: string;
  /** The id of the parent of a kind that lives below another. */
  readonly parent?: string;
  /** Of an element; '' when there is none. */
  readonly key: string;
  /** Set for lists. */
  readonly page: Page | null;
  readonly body: JsonValue;
}

/** Reads the JSON that a method takes; `grow` as for `readBody`. Raises Problem. */
export async function readJson(
  request: IncomingMessage,
  endpoint: Endpoint,
  grow: (bytes: number) => void,
): Promise<JsonValue> {
  if (!hasBody(request)) {
    // A PATCH that changes nothing may say so with nothing.
    const nothing = endpoint.verb === 'update' || endpoint.verb === 'updateElement';
    return nothing ? {} : parseJson(new Uint8Array());
  }
  checkContentType(request.headers['content-type']);
  return parseJson(await readBody(request, grow));
}

/** For methods that take no body. Raises Problem. */
export function refuseBody(request: IncomingMessage): null {
  if (hasBody(request)) throw new Problem('bodyNotAllowed', { method: request.method ?? '' });
  return null;
}

/** Asks the engine, and answers what goes out as JSON; null for nothing. `words` are those of the client. Raises Problem. */
export async function perform(
  engine: ResourceEngine,
  baseUrl: string,
  call: Call,
  words: ProfileWords | null,
): Promise<JsonObject | null> {
  if (words === null) return ask(engine, baseUrl, call);
  const { request, result } = words.of(call.endpoint);
  try {
    const answer = await ask(engine, baseUrl, { ...call, body: inOurWords(request, call.body) });
    return inTheirWords(result, answer) as JsonObject | null;
  } catch (error) {
    throw error instanceof Problem ? problemInTheirWords(error, request) : error;
  }
}

async function ask(engine: ResourceEngine, baseUrl: string, call: Call): Promise<JsonObject | null> {
  const { endpoint, principal, id, parent, key, body } = call;
  const { kind } = endpoint;
  const of: Collection = parent === undefined ? { kind } : { kind, parent };
  const module = endpoint.module?.name ?? '';
  switch (endpoint.verb) {
    case 'get':
      return engine.get(of, principal, id);
    case 'list':
      return list(engine, baseUrl, of, principal, call.page!);
    case 'create':
      return engine.create(of, principal, body);
    case 'update':
      return engine.update(of, principal, id, body);
    case 'delete':
      await engine.remove(of, principal, id);
      return null;
    case 'getModule':
      return engine.getModule(of, principal, id, module);
    case 'putModule':
      return engine.putModule(of, principal, id, module, body);
    case 'deleteModule':
      await engine.removeModule(of, principal, id, module);
      return null;
    case 'detach':
      await engine.detach(of, principal, id, endpoint.detachment?.name ?? '');
      return null;
    case 'act':
      await engine.act(of, principal, id, endpoint.action?.name ?? '');
      return null;
    case 'addElement':
      return engine.addElement(of, principal, id, body);
    case 'listElements': {
      const name = endpoint.elements?.name ?? '';
      const items = await engine.listElements(of, principal, id, call.page!);
      return { [name]: items, uri: `${baseUrl}${collectionPath(of)}/${id}/${name}` };
    }
    case 'getElement':
      return engine.getElement(of, principal, id, key);
    case 'updateElement':
      return engine.updateElement(of, principal, id, key, body);
    case 'removeElement':
      await engine.removeElement(of, principal, id, key);
      return null;
  }
}

function collectionPath({ kind, parent = '' }: Collection): string {
  return kind.path.replace(/\{\w+\}/, parent);
}

async function list(
  engine: ResourceEngine,
  baseUrl: string,
  of: Collection,
  principal: Principal,
  page: Page,
): Promise<JsonObject> {
  const { items, next } = await engine.list(of, principal, page);
  const uri = `${baseUrl}${collectionPath(of)}`;
  return {
    [of.kind.listKey]: items,
    uri,
    next_page_uri: next === null ? null : `${uri}?before_id=${next}&limit=${page.limit}`,
  };
}

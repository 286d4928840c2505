import type { IncomingMessage } from 'node:http';
import { Problem } from '../errors/problem.ts';
import type { KindSurface, Principal, ResourceEngine } from '../resources/definition.ts';
import type { JsonObject, JsonValue } from '../store/store.ts';
import { hasBody, readBody } from './body.ts';
import { checkContentType } from './checks.ts';
import { parseJson } from './json.ts';
import type { Page } from './query.ts';
import type { Endpoint } from './routes.ts';

/** A request that passed every check but those of the resource itself. */
export interface Call {
  readonly endpoint: Endpoint;
  readonly principal: Principal;
  /** '' for a collection. */
  readonly id: string;
  /** Set for lists. */
  readonly page: Page | null;
  readonly body: JsonValue;
}

/** Reads the JSON that a method takes. Raises Problem. */
export async function readJson(request: IncomingMessage, endpoint: Endpoint): Promise<JsonValue> {
  if (!hasBody(request)) {
    // A PATCH that changes nothing may say so with nothing.
    return endpoint.verb === 'update' ? {} : parseJson(new Uint8Array());
  }
  checkContentType(request.headers['content-type']);
  return parseJson(await readBody(request));
}

/** For methods that take no body. Raises Problem. */
export function refuseBody(request: IncomingMessage): null {
  if (hasBody(request)) throw new Problem('bodyNotAllowed', { method: request.method ?? '' });
  return null;
}

/** Asks the engine, and answers what goes out as JSON; null for nothing. Raises Problem. */
export async function perform(
  engine: ResourceEngine,
  baseUrl: string,
  call: Call,
): Promise<JsonObject | null> {
  const { endpoint, principal, id, body } = call;
  const { kind } = endpoint;
  const module = endpoint.module?.name ?? '';
  switch (endpoint.verb) {
    case 'get':
      return engine.get(kind, principal, id);
    case 'list':
      return list(engine, baseUrl, kind, principal, call.page!);
    case 'create':
      return engine.create(kind, principal, body);
    case 'update':
      return engine.update(kind, principal, id, body);
    case 'delete':
      await engine.remove(kind, principal, id);
      return null;
    case 'getModule':
      return engine.getModule(kind, principal, id, module);
    case 'putModule':
      return engine.putModule(kind, principal, id, module, body);
    case 'deleteModule':
      await engine.removeModule(kind, principal, id, module);
      return null;
    case 'detach':
      await engine.detach(kind, principal, id, endpoint.detachment?.name ?? '');
      return null;
  }
}

async function list(
  engine: ResourceEngine,
  baseUrl: string,
  kind: KindSurface,
  principal: Principal,
  page: Page,
): Promise<JsonObject> {
  const { items, next } = await engine.list(kind, principal, page);
  const uri = `${baseUrl}${kind.path}`;
  return {
    [kind.listKey]: items,
    uri,
    next_page_uri: next === null ? null : `${uri}?before_id=${next}&limit=${page.limit}`,
  };
}

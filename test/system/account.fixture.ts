/**
 * An account of a daemon, described by the OpenAPI document: all operations of every kind, with the samples of the
 * kinds as bodies.
 */
import assert from 'node:assert/strict';
import { resourceSurfaces } from '../../packages/server/src/resources/kinds/index.ts';
import { samples } from '../../packages/server/src/resources/samples/index.fixture.ts';
import type { Sample, SampleTarget } from '../../packages/server/src/resources/samples/sample.fixture.ts';
import type { JsonObject, JsonValue } from '../../packages/server/src/store/store.ts';
import type { Answer, Platform } from '../harness/index.ts';

/** One method on one path of the document. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly string[];
  /** Reference to the schema of the body in the document; null for none. */
  readonly body: { readonly $ref: string } | null;
  /** Example of the body; undefined without one. */
  readonly example: JsonValue | undefined;
  /** The ids in the example that must be those of something that there is. */
  readonly exampleIds: readonly ExampleId[];
}

export interface ExampleId {
  /** JSON pointer to the id, or to the entry of a map whose key it is. */
  readonly pointer: string;
  /** Names of kinds. */
  readonly 'refers-to': readonly string[];
  readonly key?: true;
}

/** A kind of resource as the document has it. */
export interface Kind {
  readonly collection: string;
  readonly tag: string;
}

export interface ApiDocument {
  /** The document as served. */
  readonly json: object;
  /** Kinds by the name in references. */
  readonly kinds: Readonly<Record<string, Kind>>;
  readonly operations: readonly Operation[];
  /** Schemas that are referred to, by their names. */
  readonly schemas: Readonly<Record<string, object>>;
}

interface BodyObject {
  readonly schema: { readonly $ref: string };
  readonly example?: JsonValue;
  readonly 'x-example-ids'?: readonly ExampleId[];
}

interface OperationObject {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
  readonly requestBody?: { readonly content: Readonly<Record<string, BodyObject>> };
}

export async function documentOf(platform: Platform): Promise<ApiDocument> {
  const { json } = await platform.visit(new URL('/openapi.json', platform.bootstrap.base_url).href);
  const items = Object.entries<Record<string, OperationObject>>(json.paths);
  const operations = items.flatMap(([path, { parameters: _shared, ...methods }]) =>
    Object.entries(methods).flatMap(([method, { operationId, requestBody, responses }]) => {
      // A stream has no whole response.
      if (Object.values(responses).some(({ content = {} }) => 'text/event-stream' in content)) return [];
      const body = requestBody?.content['application/json'];
      return {
        id: operationId,
        method: method.toUpperCase(),
        path,
        parameters: Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name),
        body: body?.schema ?? null,
        example: body?.example,
        exampleIds: body?.['x-example-ids'] ?? [],
      };
    }),
  );
  return { json, kinds: json['x-kinds'], operations, schemas: json.components.schemas };
}

export class Account implements SampleTarget {
  readonly #operations: readonly Operation[];
  readonly #token: string;
  readonly #daemons: readonly Platform[];
  #turn = 0;

  /** Each call uses the next one of several daemons. */
  constructor(operations: readonly Operation[], token: string, ...daemons: Platform[]) {
    this.#operations = operations;
    this.#token = token;
    this.#daemons = daemons;
  }

  /** `body` is sent as JSON, or as it is when it is text. */
  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const daemon = this.#daemons[this.#turn++ % this.#daemons.length] as Platform;
    const headers = { authorization: `Bearer ${this.#token}`, 'service-version': '2' };
    const url = new URL(path, `https://api.underpass.localhost:${daemon.port}`);
    if (body === undefined) return await daemon.client.request(url, { method, headers });
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const typed = { ...headers, 'content-type': 'application/json' };
    return await daemon.client.request(url, { method, headers: typed, body: text });
  }

  /** The path of a kind's collection. */
  path(kind: string, parent = ''): string {
    const found = this.#operations.find(({ id }) => id === `${kind}_create`);
    assert.ok(found, kind);
    return found.path.replace(/\{\w+\}/, parent);
  }

  // Samples take these functions out of their object.
  readonly create = async (
    kind: string,
    body: JsonObject,
    parent?: string,
  ): Promise<JsonObject & { readonly id: string }> => {
    const answer = await this.call('POST', this.path(kind, parent), body);
    assert.equal(answer.status, 201, answer.text);
    return answer.json;
  };

  readonly list = async (kind: string): Promise<{ readonly items: readonly JsonObject[] }> => {
    const { json } = await this.call('GET', this.path(kind));
    return { items: Object.values<readonly JsonObject[]>(json).find(Array.isArray) ?? [] };
  };

  readonly remove = async (kind: string, id: string): Promise<void> => {
    const answer = await this.call('DELETE', `${this.path(kind)}/${id}`);
    assert.equal(answer.status, 204, answer.text);
  };

  /** A new resource from the kind's sample; the path is its own. */
  async make(kind: string, extra: JsonObject = {}): Promise<{ readonly id: string; readonly path: string }> {
    const sample = sampleOf(kind);
    const parent = await sample.parent?.(this);
    const { id } = await this.create(kind, { ...(await sample.body(this)), ...extra }, parent);
    return { id, path: `${this.path(kind, parent)}/${id}` };
  }
}

/** Returns the sample of a kind, by any of its names. */
export function sampleOf(kind: string): Sample {
  const { aliasOf = kind } = resourceSurfaces.find(({ name }) => name === kind) ?? {};
  const sample = samples.find((one) => one.kind === aliasOf);
  assert.ok(sample, kind);
  return sample;
}

/** Returns a response without its operation id, its time and the ids of the request. */
export function shape({ status, headers, text }: Answer, ...ids: readonly string[]): unknown {
  const { date: _date, 'underpass-operation-id': _operation, ...rest } = headers;
  const neutral = ids.reduce((before, id) => before.replaceAll(id, 'ID'), text);
  return { status, headers: rest, text: neutral.replace(/op_[0-9A-Za-z]+/, 'op_') };
}

/** A well-formed id like this one that nothing has. */
export function neverWas(id: string): string {
  return `${id.slice(0, id.indexOf('_'))}_${'0'.repeat(27)}`;
}

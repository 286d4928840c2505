/** The OpenAPI document of a service, in the order in which people look for things. */
import {
  type Group,
  type Kind,
  METHODS,
  type OpenApi,
  type Operation,
  type OperationObject,
  type Parameter,
  type Schema,
} from './openapi.ts';
import { type OperationName, operationNames } from './operation-names.ts';

export interface Given {
  readonly schema: Schema;
  /** The name of the schema; '' for none. */
  readonly name: string;
  readonly nullable: boolean;
}

export class Reference {
  readonly document: OpenApi;
  readonly groups: readonly Group[];
  readonly operations: ReadonlyMap<string, Operation>;
  readonly #names: ReadonlyMap<string, OperationName<Operation>>;

  constructor(document: OpenApi) {
    this.document = document;
    this.groups = groupsOf(document);
    this.operations = new Map(
      this.groups.flatMap(({ sections }) =>
        sections.flatMap(({ operations }) => operations.map((it) => [it.id, it] as const)),
      ),
    );
    // The client reads streams by a function of its own.
    const calls = [...this.operations.values()].filter(({ isStream }) => !isStream);
    const names = operationNames(calls, document['x-topics']);
    this.#names = new Map(names.map((it) => [it.operation.id, it]));
  }

  /** The names that the client and the command have for an operation; null for a stream. */
  nameOf({ id }: Operation): OperationName<Operation> | null {
    return this.#names.get(id) ?? null;
  }

  /** The version header of every request, and its value. */
  get version(): { readonly name: string; readonly value: string } {
    const { Version } = this.document.components.parameters;
    return { name: Version?.name ?? '', value: String(Version?.schema.default ?? '') };
  }

  /** The schema of a value that is given, without references and null. */
  given(schema: Schema): Given {
    if (schema.$ref !== undefined) {
      const name = last(schema.$ref);
      return { ...this.given(this.document.components.schemas[name] ?? {}), name };
    }
    const options = schema.anyOf ?? [];
    const value = options.find(({ type }) => type !== 'null');
    if (value === undefined) return { schema, name: '', nullable: false };
    return { ...this.given(value), nullable: options.length > 1 };
  }

  /** The kind of an id by its text before the underscore; null if there is none. */
  kindOfId(id: string): (Kind & { readonly name: string }) | null {
    const prefix = id.slice(0, Math.max(0, id.indexOf('_')));
    const found = Object.entries(this.document['x-kinds']).find(([, kind]) => kind.prefix === prefix);
    return found === undefined ? null : { ...found[1], name: found[0] };
  }

  /** The operation with this method at this path; null if there is none. */
  operationAt(method: string, path: string): Operation | null {
    for (const operation of this.operations.values())
      if (operation.method === method && operation.path === path) return operation;
    return null;
  }
}

function groupsOf(document: OpenApi): Group[] {
  const byTag = Map.groupBy(operationsOf(document), ({ tag }) => tag);
  return document['x-tagGroups'].map(({ name, tags }) => ({
    name,
    sections: tags.map((tag) => ({
      name: tag,
      description: document.tags.find((it) => it.name === tag)?.description ?? '',
      operations: byTag.get(tag) ?? [],
    })),
  }));
}

function operationsOf(document: OpenApi): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined || Array.isArray(operation)) return [];
      const shared = (item.parameters ?? []) as readonly Parameter[];
      return [operationOf(document, path, method, operation as OperationObject, shared)];
    }),
  );
}

function operationOf(
  document: OpenApi,
  path: string,
  method: string,
  operation: OperationObject,
  shared: readonly Parameter[],
): Operation {
  const { parameters, responses } = document.components;
  const all = [...shared, ...(operation.parameters ?? [])].flatMap((it) =>
    it.$ref === undefined ? it : (parameters[last(it.$ref)] ?? []),
  );
  const answers = Object.entries(operation.responses);
  const success = answers.find(([status]) => status.startsWith('2'));
  return {
    ...{ id: operation.operationId, method: method.toUpperCase(), path },
    ...{ summary: operation.summary, tag: operation.tags[0] ?? '' },
    parameters: all.filter((it) => it.in !== 'header'),
    body: operation.requestBody?.content?.['application/json'] ?? null,
    status: success?.[0] ?? '',
    answer: success?.[1].content?.['application/json']?.schema ?? null,
    isStream: success?.[1].content?.['text/event-stream'] !== undefined,
    errors: answers
      .filter(([, { $ref }]) => $ref !== undefined)
      .map(([status, { $ref = '' }]) => [status, responses[last($ref)]?.description ?? '']),
  };
}

function last(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

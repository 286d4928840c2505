/** The OpenAPI document of this very service, in the order in which people look for things. */
/** @import { Group, OpenApi, Operation, OperationObject, Parameter, Schema } from './types.ts' */

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

export class Reference {
  /** @param {OpenApi} document */
  constructor(document) {
    this.document = document;
    /** @type {readonly Group[]} */
    this.groups = groupsOf(this);
    /** @type {ReadonlyMap<string, Operation>} */
    this.operations = new Map(
      this.groups.flatMap(({ sections }) =>
        sections.flatMap(({ operations }) => operations.map((it) => /** @type {const} */ ([it.id, it]))),
      ),
    );
  }

  /** The version header of every request, and its value. */
  get version() {
    const { Version } = this.document.components.parameters;
    return { name: Version?.name ?? '', value: String(Version?.schema.default ?? '') };
  }

  /**
   * The schema of a value that is given, whatever it is wrapped in, and the name that it has.
   * @param {Schema} schema
   * @returns {{ schema: Schema, name: string, nullable: boolean }}
   */
  given(schema) {
    if (schema.$ref !== undefined) {
      const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
      return { ...this.given(this.document.components.schemas[name] ?? {}), name };
    }
    const options = schema.anyOf ?? [];
    const value = options.find(({ type }) => type !== 'null');
    if (value === undefined) return { schema, name: '', nullable: false };
    return { ...this.given(value), nullable: options.length > 1 };
  }
}

/** @returns {Promise<Reference>} */
export async function loadReference() {
  const response = await fetch('/openapi.json');
  if (!response.ok) throw new Error(`/openapi.json was answered with ${response.status}`);
  return new Reference(await response.json());
}

/**
 * @param {Reference} reference
 * @returns {Group[]}
 */
function groupsOf({ document }) {
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

/**
 * @param {OpenApi} document
 * @returns {Operation[]}
 */
function operationsOf(document) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const shared = /** @type {Parameter[]} */ (/** @type {unknown} */ (item.parameters ?? []));
      return [operationOf(document, { path, method, operation, shared })];
    }),
  );
}

/**
 * @param {OpenApi} document
 * @param {{ path: string, method: string, operation: OperationObject, shared: readonly Parameter[] }} found
 * @returns {Operation}
 */
function operationOf(document, { path, method, operation, shared }) {
  const { parameters, responses } = document.components;
  const all = [...shared, ...(operation.parameters ?? [])].map((it) =>
    it.$ref === undefined ? it : /** @type {Parameter} */ (parameters[last(it.$ref)]),
  );
  const answers = Object.entries(operation.responses);
  const success = answers.find(([status]) => status.startsWith('2'));
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    tag: operation.tags[0] ?? '',
    parameters: all.filter((it) => it.in !== 'header'),
    body: operation.requestBody?.content?.['application/json'] ?? null,
    status: success?.[0] ?? '',
    answer: success?.[1].content?.['application/json'].schema ?? null,
    errors: answers
      .filter(([, { $ref }]) => $ref !== undefined)
      .map(([status, { $ref = '' }]) => [status, responses[last($ref)]?.description ?? '']),
  };
}

/** @param {string} pointer */
function last(pointer) {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

/** The OpenAPI document as far as the generator of the client reads it, and its references. */
import type { Kind, METHODS, Schema } from '../../packages/ui/src/form/openapi.ts';
import type { Topics } from '../../packages/ui/src/form/operation-names.ts';

export interface Document {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  /** Operations that belong to no kind, by the start of their names. */
  readonly 'x-topics'?: Topics;
  /** The kinds of resources, by the names that `x-refers-to` has. */
  readonly 'x-kinds'?: Readonly<Record<string, Kind>>;
}

export type Method = (typeof METHODS)[number];

export type PathItem = { readonly parameters?: readonly Parameter[] } & {
  readonly [method in Method]?: Operation;
};

export interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: ResponseContent }>>;
}

type ResponseContent = Partial<Content> & {
  readonly 'text/event-stream'?: {
    readonly 'x-events': Readonly<Record<string, { readonly description: string; readonly schema: Schema }>>;
  };
};

type Content = { readonly 'application/json': { readonly schema: Schema } };

const REFERENCE = '#/components/schemas/';

/** The name that a reference has; throws for one that leads elsewhere. */
export function referredName($ref: string): string {
  if (!$ref.startsWith(REFERENCE)) throw new Error(`the reference ${$ref} leads to no schema`);
  return $ref.slice(REFERENCE.length);
}

/** Returns the description of a field with its default. */
export function describe({ description, default: standard }: Schema): string | undefined {
  // An empty default is not worth a sentence.
  if (standard === undefined || ['""', '[]', '{}'].includes(JSON.stringify(standard))) return description;
  return `${description ?? ''} Default: ${JSON.stringify(standard)}.`.trimStart();
}

/** The schema itself where it is a reference. */
export function resolved(document: Document, schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const name = referredName(schema.$ref);
  const target = document.components.schemas[name];
  if (target === undefined) throw new Error(`there is no schema ${name}`);
  return target;
}

/** An OpenAPI 3.1 document, as far as the generator looks into it. */
export interface Document {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  /** Operations that belong to no kind, by the start of their names. */
  readonly 'x-topics'?: Readonly<Record<string, { readonly tag: string }>>;
  /** The kinds of resources, by the names that `x-refers-to` has. */
  readonly 'x-kinds'?: Readonly<Record<string, Kind>>;
}

export interface Kind {
  /** The name with an article: `an IP policy`. */
  readonly one: string;
  readonly tag: string;
  readonly schema: string;
  readonly prefix: string;
  readonly collection: string;
  /** The kind that this one is only another name of. */
  readonly alias_of?: string;
}

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
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

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly minProperties?: number;
  readonly pattern?: string;
  readonly writeOnly?: boolean;
  readonly 'x-immutable'?: boolean;
  readonly 'x-refers-to'?: readonly string[];
}

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

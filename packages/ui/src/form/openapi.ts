/** Types of the OpenAPI document, as forms, the reference and the generator of the client read it. */
import type { Topics } from './operation-names.ts';

/** The methods of operations, in the order in which a path has them. */
export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: Json;
  readonly examples?: readonly Json[];
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly allOf?: readonly Schema[];
  readonly if?: Schema;
  readonly 'x-max-bytes'?: number;
  readonly 'x-multiline'?: boolean;
  readonly 'x-immutable'?: boolean;
  readonly 'x-refers-to'?: readonly string[];
}

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

/** An id in an example that must be that of something that there is. */
export interface ExampleId {
  readonly pointer: string;
  readonly 'refers-to': readonly string[];
  readonly key?: true;
}

export interface Body {
  readonly schema: Schema;
  readonly example?: Json;
  readonly 'x-example-ids'?: readonly ExampleId[];
}

export interface Content {
  readonly content?: { readonly 'application/json'?: Body; readonly 'text/event-stream'?: object };
}

export interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<
    Record<string, Content & { readonly description?: string; readonly $ref?: string }>
  >;
}

/** A kind of resource, by the name that `x-refers-to` has. */
export interface Kind {
  readonly one: string;
  readonly tag: string;
  readonly schema: string;
  /** The text before the underscore of its ids. */
  readonly prefix: string;
  readonly collection: string;
  /** The kind that this one is another name of. */
  readonly alias_of?: string;
}

export interface OpenApi {
  readonly info: { readonly title: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly 'x-kinds': Readonly<Record<string, Kind>>;
  readonly 'x-topics': Topics;
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject | readonly Parameter[]>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, { readonly description: string }>>;
  };
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly parameters: readonly Parameter[];
  readonly body: Body | null;
  readonly status: string;
  readonly answer: Schema | null;
  /** The response is a stream of events. */
  readonly isStream: boolean;
  readonly errors: readonly (readonly [status: string, description: string])[];
}

export interface Section {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

export interface Group {
  readonly name: string;
  readonly sections: readonly Section[];
}

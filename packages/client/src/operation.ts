/** The table of what can be done with a resource. */

export interface ResourceTable {
  /** The property of `Client`, e.g. `tlsEdges`. */
  readonly name: string;
  readonly summary: string;
  readonly verbs: readonly VerbTable[];
}

export interface VerbTable {
  /** The method of that property, e.g. `putBackend`. */
  readonly name: string;
  readonly summary: string;
  /** The method's first arguments, in order; named as in the path. */
  readonly parameters: readonly { readonly name: string; readonly description: string }[];
  /** The fields of the body, which is the next argument; null for an operation without one. */
  readonly fields: readonly FieldTable[] | null;
  /** Of a list: the field of a page that holds the items. */
  readonly list: { readonly key: string; readonly isPaged: boolean } | null;
}

export type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'strings' | 'map' | 'list' | 'object';

export interface FieldTable {
  readonly name: string;
  /** `strings` is a list of text, `map` is one from text to text. */
  readonly type: FieldType;
  readonly required: boolean;
  readonly description: string;
  /** All that it can be, as text. */
  readonly values?: readonly string[];
}

/** The table of what can be done with a resource. */

export interface ResourceTable {
  /** The property of `Client`, e.g. `tlsEdges`. */
  readonly name: string;
  readonly summary: string;
  /** Null for a list inside of another resource, whose elements have no ids. */
  readonly kind: KindTable | null;
  readonly verbs: readonly VerbTable[];
}

export interface KindTable {
  /** The name that `refersTo` has, e.g. `ip_policy`. */
  readonly name: string;
  /** Name with an article, e.g. `an IP policy`. */
  readonly one: string;
  /** The text before the underscore of its ids. */
  readonly prefix: string;
  /** Fields that people know one by, the surest first: a text, a list of texts, or a map of texts. */
  readonly namedBy: readonly string[];
  /** The kind that this one is only another name of. */
  readonly aliasOf?: string;
  /** The kind whose resources hold those of this one, in the field `key`. */
  readonly within?: { readonly kind: string; readonly key: string };
}

export interface VerbTable {
  /** The method of that property, e.g. `putBackend`. */
  readonly name: string;
  readonly summary: string;
  /** The method's first arguments, in order; named as in the path. */
  readonly parameters: readonly ParameterTable[];
  /**
   * Parameters of the query: fields of the next argument, or of the options of a list. Absent: there are none.
   */
  readonly query?: readonly FieldTable[];
  /** The fields of the body, which is the next argument; null for an operation without one. */
  readonly fields: readonly FieldTable[] | null;
  readonly list: ListTable | null;
}

export interface ListTable {
  /** The field of a page with the items. */
  readonly key: string;
  readonly isPaged: boolean;
  /** It has the options `filter` and `q`. */
  readonly isSelected?: boolean;
}

export interface ParameterTable {
  readonly name: string;
  readonly description: string;
  /** The kinds whose ids it takes, by name. */
  readonly refersTo?: readonly string[];
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
  /** The kinds whose ids it holds, by name: itself, as elements of a list, or as keys of an object. */
  readonly refersTo?: readonly string[];
  /** The name in `objectTables` of the fields that it has, or that each element of the list has. */
  readonly object?: string;
  /** The value of a field that is left out at creation. */
  readonly default?: unknown;
  /** It cannot be `""`, `0`, `[]` or `{}`: these stand for no value. */
  readonly isUnsetByZero?: boolean;
  /** No response shows it. */
  readonly isSecret?: boolean;
  /** It cannot be changed later. */
  readonly isImmutable?: boolean;
}

/** Data about a stored kind for the table-driven tests. */
import type { ErrorName } from '../../errors/catalogue.ts';
import type { JsonObject, JsonValue } from '../../store/store.ts';

/** Target for the resources that samples refer to: an engine, or an account of a daemon. Calls by the kind's store name. */
export interface SampleTarget {
  readonly create: (kind: string, body: JsonObject) => Promise<JsonObject & { readonly id: string }>;
  readonly list: (kind: string) => Promise<{ readonly items: readonly JsonObject[] }>;
  readonly remove: (kind: string, id: string) => Promise<void>;
}

export interface Sample {
  readonly kind: string;
  /** Creates the parent of a kind that lives below another. */
  readonly parent?: (on: SampleTarget) => Promise<string>;
  /** A body that can be created again and again, with what it refers to made on that platform first. */
  readonly body: (on: SampleTarget) => JsonObject | Promise<JsonObject>;
  /** Most resources of an account, if they are few: `body` then makes room by deleting the oldest. */
  readonly most?: number;
  /** Fields that reads show for `body()`, without id, uri and created_at; undefined: not fixed. */
  readonly shown: Readonly<Record<string, JsonValue | undefined>>;
  /** Each updatable field with a new value, and what reads show then. The first one is text. */
  readonly patches: Readonly<Record<string, { readonly send: JsonValue; readonly shown: JsonValue }>>;
  /** The error of each text that is too long; absent for kinds without description and metadata. */
  readonly tooLong?: { readonly description: ErrorName; readonly metadata: ErrorName };
  /** A field of the request with a value of a wrong JSON type. */
  readonly wrongTypes: Readonly<Record<string, JsonValue>>;
}

/** Patches of the two texts that nearly every kind has. */
export const text = {
  description: { send: 'eine Beschreibung ✓', shown: 'eine Beschreibung ✓' },
  metadata: { send: '{"a":1}', shown: '{"a":1}' },
};

/** The two texts as reads show them if they were not given. */
export const unset = { description: '', metadata: '' };

/** A well-formed id's suffix that nothing has. */
export const nobody = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';

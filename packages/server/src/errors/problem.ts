/** The one error that users meet. Never without a row in the catalogue. */
import { type CatalogueEntry, catalogue, type ErrorName } from './catalogue.ts';

/** Facts about a problem that a client can act on without parsing the message. */
export interface ProblemDetails {
  /** JSON pointer to the offending part of the body, or the name of a query parameter. */
  readonly field?: string;
  readonly allowed?: readonly string[];
  readonly limit?: number;
  /** Ids of the resources that still use what was to be deleted. */
  readonly used_by?: readonly string[];
}

/**
 * Names of fields, or values that a field can have, as a message says them. `at` is a JSON pointer: to the object whose fields they
 * are, or to the field that can have them; for clients who have other words there.
 */
export class Terms {
  readonly at: string;
  readonly terms: readonly string[];

  constructor(at: string, terms: readonly string[]) {
    this.at = at;
    this.terms = terms;
  }

  toString(): string {
    return this.terms.join(', ');
  }
}

/** What stands for the placeholders of a message. */
export type ProblemValues = Readonly<Record<string, string | number | Terms>>;

/** A condition of the catalogue, raised anywhere; only the rims (API, edge, ingress) turn it into bytes. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ErrorName;
  readonly values: ProblemValues;
  readonly details: ProblemDetails;
  /** Seconds after which a repeat can succeed, for 429 and 503. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorName,
    values: ProblemValues = {},
    details: ProblemDetails = {},
    retryAfter?: number,
  ) {
    super(render(catalogue[code], values));
    this.code = code;
    this.values = values;
    this.details = details;
    this.retryAfter = retryAfter;
  }

  get entry(): CatalogueEntry {
    return catalogue[this.code];
  }
}

function render(entry: CatalogueEntry, values: ProblemValues): string {
  return entry.message.replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole));
}

/**
 * The response header by which the edge marks its own errors, unless a profile names another; an upstream and a fixed response cannot
 * set it.
 */
export const ERROR_CODE_HEADER = 'underpass-error-code';

/** Writes a condition's public code, such as `ERR_SERVICE_218`. The prefix ends in an underscore. */
export function errorCode(prefix: string, code: ErrorName): string {
  return `${prefix}${catalogue[code].number}`;
}

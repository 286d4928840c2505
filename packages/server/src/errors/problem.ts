/** The one error that users meet. Never without a row in the catalogue. */
import { type CatalogueEntry, catalogue, type ErrorName } from './catalogue.ts';
import { echo } from './echo.ts';
import type { PlaceholdersOf, ProblemValues, ValuesOf } from './values.ts';

/** Facts about a problem that a client can act on without parsing the message. */
export interface ProblemDetails {
  /** JSON pointer to the offending part of the body, or the name of a query parameter. */
  readonly field?: string;
  readonly allowed?: readonly string[];
  readonly limit?: number;
  /** Ids of the resources that still use what was to be deleted. */
  readonly used_by?: readonly string[];
}

/** Arguments after the name of a condition: values for its placeholders, then details. */
type Particulars<Name extends ErrorName> = [
  ...([PlaceholdersOf<Name>] extends [never]
    ? [values?: Readonly<Record<string, never>>]
    : [values: ValuesOf<Name>]),
  details?: ProblemDetails,
  retryAfter?: number,
];

/** A condition of the catalogue, raised anywhere; only the API, the edge and the ingress turn it into bytes. */
export class Problem<Name extends ErrorName = ErrorName> extends Error {
  override readonly name = 'Problem';
  readonly code: Name;
  readonly values: ProblemValues;
  readonly details: ProblemDetails;
  /** Seconds after which a repeat can succeed, for 429 and 503. */
  readonly retryAfter: number | undefined;
  #isOfConfiguration = false;

  constructor(code: Name, ...particulars: Particulars<Name>);
  constructor(code: Name, values: ProblemValues = {}, details: ProblemDetails = {}, retryAfter?: number) {
    super(render(catalogue[code], values));
    this.code = code;
    this.values = values;
    this.details = details;
    this.retryAfter = retryAfter;
  }

  /**
   * Creates a problem whose name is known at run time only: from a schema, from another problem. The compiler does
   * not check its values.
   */
  static named(
    code: ErrorName,
    values: ProblemValues,
    details?: ProblemDetails,
    retryAfter?: number,
  ): Problem {
    const Unchecked = Problem as new (
      code: ErrorName,
      values: ProblemValues,
      details?: ProblemDetails,
      retryAfter?: number,
    ) => Problem;
    return new Unchecked(code, values, details, retryAfter);
  }

  get entry(): CatalogueEntry {
    return catalogue[this.code];
  }

  /** The digits of `error_code`. */
  get number(): number {
    const { number, inConfigurations = number } = this.entry;
    return this.#isOfConfiguration ? inConfigurations : number;
  }

  /** The same, of an endpoint configuration. */
  ofConfiguration(): Problem {
    const problem = Problem.named(this.code, this.values, this.details, this.retryAfter);
    problem.#isOfConfiguration = true;
    return problem;
  }

  /** The same with these words. */
  withWords(values: ProblemValues, details: ProblemDetails): Problem {
    const problem = Problem.named(this.code, values, details, this.retryAfter);
    return this.#isOfConfiguration ? problem.ofConfiguration() : problem;
  }
}

/** Placeholders for words of this service, which are shown whole. Makers of a `reason` cut what is a client's in it. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  'agent',
  'allowed',
  'by',
  'example',
  'form',
  'others',
  'ports',
  'reason',
  'served',
  'supported',
]);

function render(entry: CatalogueEntry, values: ProblemValues): string {
  return entry.message.replace(/\{(\w+)\}/g, (whole, key: string) => {
    const value = values[key];
    if (value === undefined) return whole;
    return OWN_WORDS.has(key) || typeof value === 'number' ? String(value) : echo(String(value));
  });
}

/** Writes a condition's public code, such as `ERR_SERVICE_218`. The prefix ends in an underscore. */
export function errorCode(prefix: string, code: ErrorName): string {
  return `${prefix}${catalogue[code].number}`;
}

/**
 * The steps of an explanation in their order.
 * Invariant: no step is judged after the one that ends the request.
 */
import type { ErrorName } from '../../errors/catalogue.ts';

export type StepOutcome = 'passed' | 'refused' | 'answered' | 'skipped' | 'not_reached';

/** The judgement of one step. `error`: null for a refusal without a code. `status`: 0 for no response of the service. */
export type Judged = Decision & {
  /** Id of the resource that decides. Absent: the one of the step. */
  readonly resource?: string;
};

type Decision =
  | { readonly outcome: 'passed' | 'skipped'; readonly why: string; readonly error?: ErrorName }
  | {
      readonly outcome: 'refused' | 'answered';
      readonly error: ErrorName | null;
      readonly status: number;
      readonly why: string;
    };

export type Ended = Extract<Judged, { readonly status: number }>;

export interface Step {
  readonly step: string;
  readonly outcome: StepOutcome;
  /** '' for none. */
  readonly resource: string;
  readonly error: ErrorName | null;
  readonly why: string;
}

const UNREACHED = 'An earlier step ends it.';
const LEFT_OUT = 'The question leaves this module out, so it counts as passed.';

export class Trace {
  readonly steps: Step[] = [];
  readonly #without: ReadonlySet<string>;
  #ended: Ended | null = null;

  /** `without`: names of modules that count as passed. */
  constructor(without: ReadonlySet<string> = new Set()) {
    this.#without = without;
  }

  /** The step that ended the request; null if none did. */
  get ended(): Ended | null {
    return this.#ended;
  }

  /** Adds a step, which is judged unless an earlier one ended the request. Rejects if `judge` throws. */
  async add(step: string, resource: string, judge: () => Judged | Promise<Judged>): Promise<void> {
    if (this.#ended !== null) {
      this.steps.push({ step, outcome: 'not_reached', resource, error: null, why: UNREACHED });
      return;
    }
    const judged = await judge();
    const { outcome, why, error = null } = judged;
    this.steps.push({ step, outcome, resource: judged.resource ?? resource, error, why });
    if ('status' in judged) this.#ended = judged;
  }

  /** Adds a step of a module, which is not judged if the question leaves the module out. */
  addModule(name: string, resource: string, judge: () => Judged | Promise<Judged>): Promise<void> {
    return this.add(name, resource, this.#without.has(name) ? () => skipped(LEFT_OUT) : judge);
  }
}

export function passed(why: string): Judged {
  return { outcome: 'passed', why };
}

export function skipped(why: string, error?: ErrorName): Judged {
  return error === undefined ? { outcome: 'skipped', why } : { outcome: 'skipped', why, error };
}

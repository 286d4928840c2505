/** Collects the parts of this daemon that run operations of no kind. */
import { Problem } from '../errors/problem.ts';
import type {
  StandaloneCall,
  StandaloneOperation,
  StandaloneRun,
  StandaloneRuns,
} from '../resources/standalone/definition.ts';

const RETRY_SECONDS = 1;

/** The API needs a function for each operation before all parts exist. */
export class OperationRuns {
  readonly #runs = new Map<string, StandaloneRun>();
  readonly #operations: readonly StandaloneOperation[];

  constructor(operations: readonly StandaloneOperation[]) {
    this.#operations = operations;
  }

  /** Adds what a part runs. */
  add(runs: StandaloneRuns): void {
    for (const [operation, run] of Object.entries(runs)) this.#runs.set(operation, run);
  }

  /** A function for each operation. It raises a problem until the part exists. */
  all(): StandaloneRuns {
    return Object.fromEntries(
      this.#operations.map(({ operation }) => [
        operation,
        (call: StandaloneCall) => this.#run(operation, call),
      ]),
    );
  }

  /** Throws Error if an operation has no part. */
  assertComplete(): void {
    const missing = this.#operations.find(({ operation }) => !this.#runs.has(operation));
    if (missing !== undefined) throw new Error(`no part of the daemon runs ${missing.operation}`);
  }

  async #run(operation: string, call: StandaloneCall): ReturnType<StandaloneRun> {
    const run = this.#runs.get(operation);
    if (run === undefined)
      throw new Problem('operationNotStarted', { seconds: RETRY_SECONDS }, {}, RETRY_SECONDS);
    return run(call);
  }
}

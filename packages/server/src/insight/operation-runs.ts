/** Collects the parts of this daemon that run operations of no kind. */
import { Problem } from '../errors/problem.ts';
import type {
  StandaloneCall,
  StandaloneOperation,
  StandaloneRun,
  StandaloneRuns,
  StandaloneStream,
  StandaloneStreams,
  StreamCall,
} from '../resources/standalone/definition.ts';

const RETRY_SECONDS = 1;

/** The API needs a function for each operation before all parts exist. */
export class OperationRuns {
  readonly #runs = new Map<string, StandaloneRun>();
  readonly #streams = new Map<string, StandaloneStream>();
  readonly #operations: readonly StandaloneOperation[];

  constructor(operations: readonly StandaloneOperation[]) {
    this.#operations = operations;
  }

  /** Adds what a part runs. */
  add(runs: StandaloneRuns): void {
    for (const [operation, run] of Object.entries(runs)) this.#runs.set(operation, run);
  }

  /** Adds the streams that a part opens. */
  addStreams(streams: StandaloneStreams): void {
    for (const [operation, open] of Object.entries(streams)) this.#streams.set(operation, open);
  }

  /** A function for each stream. It raises a problem until the part exists. */
  allStreams(): StandaloneStreams {
    const streams = this.#operations.filter(({ events }) => events !== undefined);
    return Object.fromEntries(
      streams.map(({ operation }) => [operation, (call: StreamCall) => this.#open(operation, call)]),
    );
  }

  /** A function for each operation that is no stream. It raises a problem until the part exists. */
  all(): StandaloneRuns {
    return Object.fromEntries(
      this.#operations
        .filter(({ events }) => events === undefined)
        .map(({ operation }) => [operation, (call: StandaloneCall) => this.#run(operation, call)]),
    );
  }

  /** Throws Error if an operation has no part. */
  assertComplete(): void {
    const missing = this.#operations.find(
      ({ operation }) => !this.#runs.has(operation) && !this.#streams.has(operation),
    );
    if (missing !== undefined) throw new Error(`no part of the daemon runs ${missing.operation}`);
  }

  async #open(operation: string, call: StreamCall): ReturnType<StandaloneStream> {
    const open = this.#streams.get(operation);
    if (open === undefined) throw notStarted();
    return open(call);
  }

  async #run(operation: string, call: StandaloneCall): ReturnType<StandaloneRun> {
    const run = this.#runs.get(operation);
    if (run === undefined) throw notStarted();
    return run(call);
  }
}

function notStarted(): Problem {
  return new Problem('operationNotStarted', { seconds: RETRY_SECONDS }, {}, RETRY_SECONDS);
}

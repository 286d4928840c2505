/** The readiness of several workers as that of one daemon: one that is ready is enough. */
import type { Purpose, Readiness, Reason, Warning } from '../health/readiness.ts';
import type { Health } from './messages.ts';

/** A worker, as far as its readiness is concerned. */
export interface Asked {
  readonly number: number;
  readonly isReady: boolean;
  ask(question: { readonly about: 'readiness'; readonly purpose: Purpose }): Promise<Health | null>;
}

interface Answered {
  readonly number: number;
  readonly reasons: readonly Reason[];
  readonly warnings: readonly Warning[];
}

export class WorkersHealth implements Pick<Readiness, 'reasons' | 'warnings'> {
  readonly #workers: () => readonly Asked[];
  /** Null: the supervisor does not stop. */
  draining: string | null = null;

  constructor(workers: () => readonly Asked[]) {
    this.#workers = workers;
  }

  /** Returns none if a worker is ready. Never rejects. */
  async reasons(purpose: Purpose = 'traffic'): Promise<readonly Reason[]> {
    if (this.draining !== null) return [{ reason: 'draining', message: this.draining }];
    const all = await this.#ask(purpose);
    if (all.length === 0) return [{ reason: 'starting', message: 'no worker runs' }];
    if (all.some(({ reasons }) => reasons.length === 0)) return [];
    return all.flatMap(({ number, reasons }) =>
      reasons.map(({ reason, message }) => ({ reason, message: `worker ${number}: ${message}` })),
    );
  }

  /** Returns the warnings of all workers, and one for each worker that is not ready. Never rejects. */
  async warnings(purpose: Purpose = 'traffic'): Promise<readonly Warning[]> {
    const all = await this.#ask(purpose);
    return all.flatMap(({ number, reasons, warnings }) => [
      ...(reasons.length === 0
        ? []
        : [{ warning: 'worker_not_ready' as const, message: textOf(number, reasons) }]),
      ...warnings.map(({ warning, message }) => ({ warning, message: `worker ${number}: ${message}` })),
    ]);
  }

  #ask(purpose: Purpose): Promise<readonly Answered[]> {
    return Promise.all(
      this.#workers().map(async (worker) => {
        const { number } = worker;
        const health = await worker.ask({ about: 'readiness', purpose });
        if (health !== null) return { number, ...health };
        const message = worker.isReady ? 'it does not respond' : 'it is starting';
        return { number, reasons: [{ reason: 'starting' as const, message }], warnings: [] };
      }),
    );
  }
}

function textOf(number: number, reasons: readonly Reason[]): string {
  return `worker ${number} is not ready: ${reasons.map(({ message }) => message).join('; ')}`;
}

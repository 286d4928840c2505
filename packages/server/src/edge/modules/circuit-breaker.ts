/**
 * The circuit breaker module: a failing backend gets no requests for a while.
 * Invariant: at most one request at a time tests if it has recovered.
 */
import type { CircuitBreakerModule } from '../../documents/index.ts';
import type { Preview, RequestFacts } from '../sites/site.ts';
import type { EdgeModule } from './module.ts';
import { RollingWindow } from './rolling-window.ts';

const NAME = 'circuit_breaker';
const TRIAL = 'allow_while_open';
/** Defaults for 0 (open points, B 4.8). */
const usual = { trippedSeconds: 10, windowSeconds: 10, parts: 10, volume: 20 };

/** `now`: milliseconds of a clock that never goes back. */
export function circuitBreakerModule(now: () => number): EdgeModule<CircuitBreakerModule> {
  return {
    compile(config, { before }) {
      // The memory of the backend's failures survives other changes of the site.
      if (before !== undefined) return before;
      const circuit = new Circuit(config, now);
      return {
        isForBackend: true,
        guards: [
          {
            name: NAME,
            reads: 'request',
            isOnce: true,
            check: () => (circuit.admits() ? null : 'circuitOpen'),
            preview: () => circuit.preview(),
            allowed: () => (circuit.isOpen ? TRIAL : 'allow'),
          },
        ],
        watches: [{ answered: (status, request) => circuit.answered(status, isTrial(request)) }],
      };
    },
  };
}

export const circuitBreaker = circuitBreakerModule(() => performance.now());

function isTrial(request: Pick<RequestFacts, 'decisions'> | null): boolean {
  return request?.decisions.get(NAME) === TRIAL;
}

class Circuit {
  readonly #now: () => number;
  readonly #trippedMs: number;
  readonly #volume: number;
  /** 0: it never opens, as the agent protocol has it; there is no usual one. */
  readonly #threshold: number;
  readonly #newWindow: () => RollingWindow;
  #window: RollingWindow;
  /** The time from which one request may test; null if the circuit is closed. */
  #triesAt: number | null = null;

  constructor(config: CircuitBreakerModule, now: () => number) {
    this.#now = now;
    this.#trippedMs = (config.tripped_duration || usual.trippedSeconds) * 1000;
    this.#volume = config.volume_threshold || usual.volume;
    this.#threshold = config.error_threshold_percentage;
    const windowMs = (config.rolling_window || usual.windowSeconds) * 1000;
    this.#newWindow = () => new RollingWindow(windowMs, config.num_buckets || usual.parts);
    this.#window = this.#newWindow();
  }

  get isOpen(): boolean {
    return this.#triesAt !== null;
  }

  /** Returns true if a request may go on; while the circuit is open that is the one that tries. */
  admits(): boolean {
    if (this.#triesAt === null) return true;
    const now = this.#now();
    if (!this.#mayTry(now)) return false;
    // The next one, should nothing be heard of this one.
    this.#triesAt = now + this.#trippedMs;
    return true;
  }

  #mayTry(now: number): boolean {
    return this.#triesAt === null || now >= this.#triesAt;
  }

  /** Describes the next `admits`. */
  preview(): Preview {
    const now = this.#now();
    const verdict = this.#mayTry(now) ? null : 'circuitOpen';
    if (this.#triesAt === null) {
      const { all, failed } = this.#window.totals(now);
      return {
        verdict,
        why: `The circuit of this daemon is closed: ${failed} of ${all} responses failed lately.`,
      };
    }
    if (verdict === null)
      return { verdict, why: 'The circuit of this daemon is open, and the next request tests the backend.' };
    const seconds = Math.ceil((this.#triesAt - now) / 1000);
    return {
      verdict,
      why: `The circuit of this daemon is open: a request may test the backend in ${seconds} s.`,
    };
  }

  /** `status` is 0 if the visitor left before the response, which does not count. */
  answered(status: number, isTrial: boolean): void {
    if (this.#triesAt === null) this.#count(status);
    else if (isTrial) this.#tried(status);
  }

  #count(status: number): void {
    if (status === 0) return;
    const now = this.#now();
    this.#window.count(now, status >= 500);
    const { all, failed } = this.#window.totals(now);
    if (this.#threshold === 0 || all < this.#volume || failed < this.#threshold * all) return;
    this.#triesAt = now + this.#trippedMs;
  }

  #tried(status: number): void {
    const now = this.#now();
    if (status === 0) this.#triesAt = now;
    else if (status >= 500) this.#triesAt = now + this.#trippedMs;
    else {
      this.#triesAt = null;
      this.#window = this.#newWindow();
    }
  }
}

/**
 * A histogram of durations for what happens on every request: an observation is two additions, where the registry's own
 * costs a third of a microsecond.
 */

/** Upper bounds in seconds, from a response of the daemon itself to one that no client waits for. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

export class LatencyHistogram {
  readonly name: string;
  readonly help: string;
  /** Counts by the first bound that is not below; the last one is for all larger values. */
  readonly #counts = new Float64Array(BOUNDS.length + 1);
  #sum = 0;

  constructor(name: string, help: string) {
    this.name = name;
    this.help = help;
  }

  observe(seconds: number): void {
    let index = 0;
    while (index < BOUNDS.length && seconds > BOUNDS[index]!) index += 1;
    this.#counts[index]! += 1;
    this.#sum += seconds;
  }

  /** Returns the text format of Prometheus, whose buckets count all values up to their bound. */
  text(): string {
    const { name, help } = this;
    let count = 0;
    const buckets = [...BOUNDS, '+Inf'].map((bound, index) => {
      count += this.#counts[index]!;
      return `${name}_bucket{le="${bound}"} ${count}`;
    });
    const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...buckets];
    return [...lines, `${name}_sum ${this.#sum}`, `${name}_count ${count}`, ''].join('\n');
  }
}

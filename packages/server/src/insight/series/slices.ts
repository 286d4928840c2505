/**
 * Does work in slices, one in each turn of the event loop, so that visitors are served in between.
 * Invariant: one step runs at a time, and steps are taken in their order.
 */

export interface SlicesOptions {
  /** Steps of a slice. */
  readonly steps: number;
  /** Returns what is to be done, one step each. Called again until it has no step. */
  readonly work: () => Iterator<unknown>;
}

export class Slices {
  readonly #options: SlicesOptions;
  #left: Iterator<unknown> | null = null;
  #turn: NodeJS.Immediate | null = null;

  constructor(options: SlicesOptions) {
    this.#options = options;
  }

  /** Begins with the next turn, unless a slice waits for it already. */
  begin(): void {
    this.#turn ??= setImmediate(this.#slice);
  }

  /** Does the rest at once. */
  finish(): void {
    while (this.#step());
    this.#wait();
  }

  /** Forgets the rest. */
  cancel(): void {
    this.#left = null;
    this.#wait();
  }

  readonly #slice = (): void => {
    this.#turn = null;
    for (let step = 0; step < this.#options.steps; step += 1) if (!this.#step()) return;
    this.begin();
  };

  /** Returns false if nothing was left. */
  #step(): boolean {
    this.#left ??= this.#options.work();
    if (this.#left.next().done !== true) return true;
    this.#left = null;
    return false;
  }

  #wait(): void {
    if (this.#turn !== null) clearImmediate(this.#turn);
    this.#turn = null;
  }
}

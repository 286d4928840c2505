/**
 * The parts of the daemon. They start one after the other, and stop in the reverse order.
 * Invariant: each part that has started stops once, also after a failed start of a later one.
 */

/** A part, and the object that others use of it. */
export interface Part<Made> {
  /** Rejects, and leaves nothing running, if the daemon cannot start. */
  start(): Promise<Made> | Made;
  stop(made: Made): Promise<void> | void;
}

export class Parts {
  readonly #stops: (() => Promise<void> | void)[] = [];

  /** Starts a part, which stops before all parts that have started so far. */
  async start<Made>(part: Part<Made>): Promise<Made> {
    const made = await part.start();
    this.#stops.push(() => part.stop(made));
    return made;
  }

  /** Stops all parts. If one cannot stop, the others stop as well, and the promise rejects with its error. */
  async stop(): Promise<void> {
    const errors: unknown[] = [];
    for (const stop of this.#stops.splice(0).reverse()) {
      try {
        await stop();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}

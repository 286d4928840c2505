/**
 * Counts responses in a rolling window that is split into parts.
 * Invariant: a response counts for at most the window, and for at most a part less.
 */

interface Part {
  all: number;
  failed: number;
}

export class RollingWindow {
  readonly #parts: Part[];
  readonly #partMs: number;
  /** The part that is counted in, numbered from the zero of the clock. */
  #current = -1;
  #all = 0;
  #failed = 0;

  constructor(windowMs: number, parts: number) {
    this.#partMs = windowMs / parts;
    this.#parts = Array.from({ length: parts }, () => ({ all: 0, failed: 0 }));
  }

  count(now: number, isFailure: boolean): void {
    this.#advance(now);
    const part = this.#partAt(this.#current);
    part.all += 1;
    this.#all += 1;
    if (!isFailure) return;
    part.failed += 1;
    this.#failed += 1;
  }

  totals(now: number): { readonly all: number; readonly failed: number } {
    this.#advance(now);
    return { all: this.#all, failed: this.#failed };
  }

  /** Forgets the parts that have gone by. */
  #advance(now: number): void {
    const current = Math.floor(now / this.#partMs);
    const first = Math.max(this.#current + 1, current - this.#parts.length + 1);
    for (let index = first; index <= current; index += 1) {
      const part = this.#partAt(index);
      this.#all -= part.all;
      this.#failed -= part.failed;
      part.all = part.failed = 0;
    }
    this.#current = Math.max(this.#current, current);
  }

  #partAt(index: number): Part {
    return this.#parts[index % this.#parts.length]!;
  }
}

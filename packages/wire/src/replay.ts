/**
 * Keeps what was sent to a place that did not respond yet, for another place if the first one passed nothing on.
 *
 * Invariant: what all of them keep has a bound in bytes; beyond it the oldest forget, and a late refusal ends their connections.
 */
import { type BudgetShare, ByteBudget } from './byte-budget.ts';
import { apart, GrowingBuffer } from './growing-buffer.ts';

/** Enough for a head or a TLS hello and what comes right after it; beyond it a late refusal ends the connection. */
const MAX_BYTES = 128 * 1024;
/** All connections together keep so many bytes. */
const ALL_BYTES = 48 * 1024 * 1024;
/** Heads up to this size are bounded by the number of requests. */
const UNCOUNTED_BYTES = 4096;

const all = new ByteBudget(ALL_BYTES);

/** Counts bytes that are kept for another place. `giveWay` is called if others need the room, and forgets them. */
export function shareOfReplays(giveWay: () => void): BudgetShare {
  return all.open(giveWay);
}

export class Replay {
  #first: Buffer | null = null;
  #rest: GrowingBuffer | null = null;
  #share: BudgetShare | null = null;
  #isKept = false;

  /** True if everything that was sent is still here. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** True if nothing was sent, or if what was sent is not here any more. */
  get isEmpty(): boolean {
    return this.#first === null;
  }

  begin(): void {
    this.forget();
    this.#isKept = true;
  }

  add(chunk: Buffer): void {
    if (!this.#isKept) return;
    if (this.#first === null) this.#begin(chunk);
    else if (this.#first.length + (this.#rest?.length ?? 0) + chunk.length > MAX_BYTES) this.forget();
    else {
      this.#rest ??= new GrowingBuffer();
      this.#rest.append(chunk);
      this.#count();
    }
  }

  /** Views of the bytes in the order in which they were sent; they are kept. */
  *chunks(): Iterable<Buffer> {
    if (this.#first !== null) yield this.#first;
    if (this.#rest !== null) yield this.#rest.bytes;
  }

  /** The place takes long to respond: from now on only the memory that is needed is kept. */
  settle(): void {
    if (this.#first !== null) this.#first = apart(this.#first);
  }

  forget(): void {
    this.#isKept = false;
    this.#first = null;
    this.#rest = null;
    this.#share?.keep(0);
  }

  #begin(first: Buffer): void {
    this.#first = first;
    if (first.length > UNCOUNTED_BYTES) this.#count();
  }

  #count(): void {
    this.#share ??= shareOfReplays(() => this.forget());
    this.#share.keep((this.#first?.length ?? 0) + (this.#rest?.capacity ?? 0));
  }
}

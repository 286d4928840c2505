/**
 * Keeps bytes that were sent to a place that has not responded, to send them to another place.
 *
 * Invariant: all kept bytes together have a bound. Beyond it the oldest are forgotten, and a late refusal ends their
 * connections.
 */
import { type BudgetShare, ByteBudget } from './byte-budget.ts';
import { apart, GrowingBuffer } from './growing-buffer.ts';

/** Bytes that one connection keeps: enough for a request head or a TLS hello and the bytes right after it. */
const MAX_BYTES = 128 * 1024;
/** Bytes that all connections keep together. */
const ALL_BYTES = 48 * 1024 * 1024;
/** Heads of at most this many bytes do not count, because the number of requests bounds them. */
const UNCOUNTED_BYTES = 4096;

const all = new ByteBudget(ALL_BYTES);

/**
 * Opens a share of the bytes kept for all connections. `giveWay` is called if the room is needed, and must forget them.
 */
export function shareOfReplays(giveWay: () => void): BudgetShare {
  return all.open(giveWay);
}

export class Replay {
  #first: Buffer | null = null;
  #rest: GrowingBuffer | null = null;
  #share: BudgetShare | null = null;
  #isKept = false;

  /** True if all sent bytes are still kept. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** True if nothing was sent, or if the sent bytes were forgotten. */
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

  /** Returns views of the bytes in the order in which they were sent. They stay kept. */
  *chunks(): Iterable<Buffer> {
    if (this.#first !== null) yield this.#first;
    if (this.#rest !== null) yield this.#rest.bytes;
  }

  /** Reduces the memory to the bytes themselves, because the place takes long to respond. */
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

/** What was sent to a place that has not said anything yet, for another place should it have passed nothing on. Never more than a limit. */
import { apart } from '../../http-syntax/bytes.ts';

/** Enough for a head or a TLS hello and what comes right after it; beyond it a late refusal ends the connection. */
const MAX_BYTES = 64 * 1024;

export class Replay {
  #first: Buffer | null = null;
  #rest: Buffer[] | null = null;
  #bytes = 0;
  #isKept = false;

  /** Whether everything that was sent is still here. */
  get isKept(): boolean {
    return this.#isKept;
  }

  begin(): void {
    this.#isKept = true;
    this.#first = null;
    this.#rest = null;
    this.#bytes = 0;
  }

  add(chunk: Buffer): void {
    if (!this.#isKept) return;
    this.#bytes += chunk.length;
    if (this.#first === null) this.#first = chunk;
    else if (this.#bytes > MAX_BYTES) this.forget();
    else {
      this.#rest ??= [];
      this.#rest.push(chunk);
    }
  }

  /** In the order in which they were sent; they are kept. */
  *chunks(): Iterable<Buffer> {
    if (this.#first !== null) yield this.#first;
    if (this.#rest !== null) yield* this.#rest;
  }

  /** It waits for what the place says: nothing is kept but what is needed. */
  settle(): void {
    if (this.#first !== null) this.#first = apart(this.#first);
    if (this.#rest !== null) this.#rest = this.#rest.map(apart);
  }

  forget(): void {
    this.#isKept = false;
    this.#first = null;
    this.#rest = null;
  }
}

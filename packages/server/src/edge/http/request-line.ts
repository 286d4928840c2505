/**
 * What was asked, read from where the head lies only when somebody wants to know. Never kept for longer than the request, nor the head
 * for as long as its answer waits.
 */
import type { Head } from '../../http-syntax/head.ts';
import type { Request } from './request.ts';

/** Made once per connection, and used for one request after another. */
export class RequestLine {
  /** Null: what is known of it was copied. */
  #bytes: Buffer | null = null;
  #start = 0;
  #methodEnd = 0;
  #pathStart = 0;
  #pathEnd = 0;
  #method = '';
  #path = '';

  /** Of the head that was just read. */
  begin(head: Head, { pathStart, pathEnd }: Request): void {
    this.#bytes = head.bytes;
    this.#start = head.start;
    this.#methodEnd = head.methodEnd;
    this.#pathStart = pathStart;
    this.#pathEnd = pathEnd;
  }

  /** Lets go of the head. */
  settle(): void {
    if (this.#bytes === null) return;
    this.#method = this.method;
    this.#path = this.path;
    this.#bytes = null;
  }

  forget(): void {
    this.#bytes = null;
    this.#method = '';
    this.#path = '';
  }

  get method(): string {
    return this.#bytes?.toString('latin1', this.#start, this.#methodEnd) ?? this.#method;
  }

  /** As it came, without the query; `*` and an absolute target without one stand as they are. */
  get path(): string {
    if (this.#bytes === null) return this.#path;
    const query = this.#bytes.subarray(this.#pathStart, this.#pathEnd).indexOf(QUERY);
    return this.#bytes.toString(
      'latin1',
      this.#pathStart,
      query === -1 ? this.#pathEnd : this.#pathStart + query,
    );
  }
}

const QUERY = 0x3f;

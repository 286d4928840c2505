/**
 * Method, path and query of a request, read from its head when they are needed. Neither the line nor the head is kept longer
 * than necessary.
 */
import { sameBytes } from '../../http-syntax/bytes.ts';
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
  #query = '';
  #isPathRead = false;

  /** Begins with the head that was just read. */
  begin(head: Head, { pathStart, pathEnd }: Request): void {
    this.#bytes = head.bytes;
    this.#start = head.start;
    this.#methodEnd = head.methodEnd;
    this.#pathStart = pathStart;
    this.#pathEnd = pathEnd;
    this.#isPathRead = false;
  }

  /** Lets go of the head. */
  settle(): void {
    if (this.#bytes === null) return;
    this.#method = this.method;
    this.#path = this.path;
    this.#query = this.query;
    this.#bytes = null;
  }

  forget(): void {
    this.#bytes = null;
    this.#method = '';
    this.#path = '';
    this.#query = '';
  }

  get method(): string {
    const bytes = this.#bytes;
    if (bytes === null) return this.#method;
    // As nearly all: read out of the head, it would be a text of its own.
    return sameBytes(bytes, this.#start, this.#methodEnd, GET)
      ? 'GET'
      : bytes.toString('latin1', this.#start, this.#methodEnd);
  }

  /** The raw path without the query. `*`, and an absolute target without a path, are unchanged. */
  get path(): string {
    const bytes = this.#bytes;
    if (bytes === null || this.#isPathRead) return this.#path;
    let end = this.#pathStart;
    while (end < this.#pathEnd && bytes[end] !== QUERY) end += 1;
    this.#path = bytes.toString('latin1', this.#pathStart, end);
    this.#isPathRead = true;
    return this.#path;
  }

  /** The raw query without the question mark, cut after 1,024 bytes. */
  get query(): string {
    const bytes = this.#bytes;
    if (bytes === null) return this.#query;
    const start = this.#pathStart + this.path.length + 1;
    return start >= this.#pathEnd
      ? ''
      : bytes.toString('latin1', start, Math.min(this.#pathEnd, start + LONGEST_QUERY));
  }
}

const LONGEST_QUERY = 1_024;

const GET = Buffer.from('GET');
const QUERY = 0x3f;

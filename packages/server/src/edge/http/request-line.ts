/** What was asked, read from where the head lies only when somebody wants to know. Never kept for longer than the request. */
import type { Head } from '../../http-syntax/head.ts';
import type { Request } from './request.ts';

/** Made once per connection, and used for one request after another. */
export class RequestLine {
  #bytes: Buffer | null = null;
  #start = 0;
  #methodEnd = 0;
  #pathStart = 0;
  #pathEnd = 0;

  /** Of the head that was just read. */
  begin(head: Head, { pathStart, pathEnd }: Request): void {
    this.#bytes = head.bytes;
    this.#start = head.start;
    this.#methodEnd = head.methodEnd;
    this.#pathStart = pathStart;
    this.#pathEnd = pathEnd;
  }

  forget(): void {
    this.#bytes = null;
  }

  get method(): string {
    return this.#bytes?.toString('latin1', this.#start, this.#methodEnd) ?? '';
  }

  /** As it came, without the query; `*` and an absolute target without one stand as they are. */
  get path(): string {
    const path = this.#bytes?.toString('latin1', this.#pathStart, this.#pathEnd) ?? '';
    const query = path.indexOf('?');
    return query === -1 ? path : path.slice(0, query);
  }
}

/**
 * The backend that answers every request with one configured response.
 * In: a FixedResponse. Out: the bytes of a response. What may change here: nothing that depends on the request beyond HEAD.
 */
import { STATUS_CODES } from 'node:http';
import type { FixedResponse } from '../target.ts';

/** What all responses of an edge have in common. */
interface Common {
  /** The value of the Date header, which changes once a second. */
  readonly date: string;
  /** Only the edge itself says it. */
  readonly errorCodeHeader: string;
}

/** The bytes of one configured response in the forms that requests can ask for, made when first needed. */
class Rendered {
  readonly #date: string;
  readonly #response: FixedResponse;
  readonly #forms: (Buffer | undefined)[] = [];

  constructor(response: FixedResponse, { date, errorCodeHeader }: Common) {
    // It may have been called otherwise when the response was configured.
    const headers = response.headers.filter(([name]) => name !== errorCodeHeader);
    this.#response = { ...response, headers };
    this.#date = date;
  }

  isFrom(date: string): boolean {
    return this.#date === date;
  }

  form(headOnly: boolean, close: boolean): Buffer {
    const index = (headOnly ? 1 : 0) + (close ? 2 : 0);
    let bytes = this.#forms[index];
    if (bytes === undefined) {
      bytes = render(this.#response, this.#date, headOnly, close);
      this.#forms[index] = bytes;
    }
    return bytes;
  }
}

const rendered = new WeakMap<FixedResponse, Rendered>();

/** The whole response. */
export function fixedResponse(
  response: FixedResponse,
  common: Common,
  headOnly: boolean,
  close: boolean,
): Buffer {
  let known = rendered.get(response);
  if (known === undefined || !known.isFrom(common.date)) {
    known = new Rendered(response, common);
    rendered.set(response, known);
  }
  return known.form(headOnly, close);
}

function render(response: FixedResponse, date: string, headOnly: boolean, close: boolean): Buffer {
  const { status, headers, body } = response;
  const hasBody = status !== 204 && status !== 304;
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
  if (!headers.some(([name]) => name === 'date')) head += `Date: ${date}\r\n`;
  for (const [name, value] of headers) head += `${name}: ${value}\r\n`;
  if (hasBody) head += `Content-Length: ${body.length}\r\n`;
  if (close) head += 'Connection: close\r\n';
  // Not latin1, which would cut a character such as U+010A down to a line feed.
  const bytes = Buffer.from(`${head}\r\n`);
  return hasBody && !headOnly ? Buffer.concat([bytes, body]) : bytes;
}

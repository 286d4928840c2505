/** The head of a message, read from its lines, and written again. */

import type { Header } from './api-types.ts';

export interface Head {
  /** `HTTP/1.1`. */
  readonly version: string;
  /** The reason phrase of a response, after its status. */
  readonly reason: string;
  /** The headers as they were sent. Bytes outside ASCII are decoded if they are valid UTF-8. */
  readonly headers: readonly Header[];
}

/** `lines` as they went by, one character a byte; '' makes an empty head. */
export function readHead(lines: string): Head {
  const [first = ''] = lines.split(/\r?\n/, 1);
  const isResponse = first.startsWith('HTTP/');
  const parts = first.split(' ');
  return {
    version: (isResponse ? parts[0] : parts[2]) ?? '',
    reason: isResponse ? legible(parts.slice(2).join(' ')) : '',
    headers: rawHeaders(lines).map(([name, value]) => [name, legible(value)]),
  };
}

/** The headers in lines as they went by, one character a byte. */
export function rawHeaders(lines: string): readonly Header[] {
  const [, ...rest] = lines.split(/\r?\n/);
  return rest
    .filter((line) => line.includes(':'))
    .map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), withoutBlanks(line.slice(colon + 1))];
    });
}

/** `trim` would take U+00A0 away, which here is a byte of a letter. */
function withoutBlanks(text: string): string {
  const isBlank = (at: number) => text[at] === ' ' || text[at] === '\t';
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(start)) start++;
  while (end > start && isBlank(end - 1)) end--;
  return text.slice(start, end);
}

/** Null when it is not there; more than one of a name are joined as a list. */
export function headerOf({ headers }: Pick<Head, 'headers'>, name: string): string | null {
  const values = headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value);
  return values.length === 0 ? null : values.join(', ');
}

/** Text of one character a byte, as it is meant. */
export function legible(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: every byte below 0x80 means itself.
  return /^[\x00-\x7f]*$/.test(text) ? text : Buffer.from(text, 'latin1').toString('utf8');
}

/** Text as it goes by: UTF-8, one character a byte. */
export function inBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

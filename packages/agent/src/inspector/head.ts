/** The head of a message, read from its lines, and written again. */

import type { Header } from './api-types.ts';

export interface Head {
  /** `HTTP/1.1`. */
  readonly version: string;
  /** Of a response, after its status. */
  readonly reason: string;
  /** As they stood there; what is not ASCII as UTF-8 where it is that. */
  readonly headers: readonly Header[];
}

/** `lines` as they went by, one character a byte; '' makes an empty head. */
export function readHead(lines: string): Head {
  const [first = '', ...rest] = lines.split(/\r?\n/);
  const isResponse = first.startsWith('HTTP/');
  const parts = first.split(' ');
  return {
    version: (isResponse ? parts[0] : parts[2]) ?? '',
    reason: isResponse ? legible(parts.slice(2).join(' ')) : '',
    headers: rest.filter((line) => line.includes(':')).map(readHeader),
  };
}

function readHeader(line: string): Header {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), legible(line.slice(colon + 1).trim())];
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

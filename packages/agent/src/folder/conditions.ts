/** Conditional and partial requests (RFC 9110, sections 13 and 14), decided on values alone. */
import type { IncomingMessage } from 'node:http';

/** The properties of a file that decide. */
export interface Version {
  /** Strong, in quotes. */
  readonly etag: string;
  /** Milliseconds since 1970, in whole seconds as in HTTP. */
  readonly modified: number;
  readonly size: number;
}

export type Decision =
  | { readonly status: 200 }
  /** The first and the last byte. */
  | { readonly status: 206; readonly start: number; readonly end: number }
  | { readonly status: 304 | 412 | 416 };

/** Decides in the order of RFC 9110, section 13.2.2. */
export function decide(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  version: Version,
): Decision {
  const { etag, modified } = version;
  const match = headers['if-match'];
  if (match !== undefined) {
    if (!names(match, etag, false)) return { status: 412 };
  } else if (modified > dateOf(headers['if-unmodified-since'], Number.POSITIVE_INFINITY))
    return { status: 412 };
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined) {
    if (names(noneMatch, etag, true)) return { status: 304 };
  } else if (modified <= dateOf(headers['if-modified-since'], Number.NEGATIVE_INFINITY))
    return { status: 304 };
  // Ranges are of GET alone (section 14.2).
  const mayBePart = method === 'GET' && isUnchanged(headers['if-range'], version);
  return mayBePart ? partOf(headers.range, version.size) : { status: 200 };
}

/** Returns true if a list of entity tags has this one; `weakly`: also as a weak one. */
function names(list: string, etag: string, weakly: boolean): boolean {
  if (list.trim() === '*') return true;
  return list.split(',').some((one) => (weakly ? one.trim().replace(/^W\//, '') : one.trim()) === etag);
}

/** Parses a date; returns `otherwise` for an invalid one. */
function dateOf(text: string | undefined, otherwise: number): number {
  const date = Date.parse(text ?? '');
  return Number.isNaN(date) ? otherwise : date;
}

function isUnchanged(ifRange: string | string[] | undefined, { etag, modified }: Version): boolean {
  return ifRange === undefined || ifRange === etag || Date.parse(String(ifRange)) === modified;
}

/** Reads one range of bytes. For several or invalid ranges, the whole file is a correct response (section 14.2). */
function partOf(range: string | undefined, size: number): Decision {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(range ?? '') ?? [];
  if (first === '' && last === '') return { status: 200 };
  if (first !== '' && last !== '' && Number(last) < Number(first)) return { status: 200 };
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start > end ? { status: 416 } : { status: 206, start, end };
}

/** Reads the fields of forms: URL-encoded ones (WHATWG URL, section 5) and bodies of several parts (RFC 2046, section 5.1; RFC 7578). */
import { percentDecoded } from '@underpass/wire/percent';

export interface FormField {
  readonly name: string;
  /** Null: no file. */
  readonly fileName: string | null;
  /** Media type; '' none. */
  readonly type: string;
  /** Bytes of the value. */
  readonly size: number;
  /** Null: not text. */
  readonly value: string | null;
}

export interface FormFields {
  /** 500 fields at most. */
  readonly fields: readonly FormField[];
  /** Fields that are not listed. */
  readonly more: number;
}

const LISTED_MAX = 500;
const PART_HEAD_MAX = 16_384;

/** Null: the body is no URL-encoded form, whatever its type. */
export function urlEncodedFields(text: string): FormFields | null {
  if (!text.includes('=') && !text.includes('&')) return null;
  const pairs = text.split('&').filter((pair) => pair !== '');
  const fields = pairs.slice(0, LISTED_MAX).map((pair) => {
    const equals = pair.indexOf('=');
    const value = equals < 0 ? '' : plain(pair.slice(equals + 1));
    const size = new TextEncoder().encode(value).length;
    return { name: plain(equals < 0 ? pair : pair.slice(0, equals)), fileName: null, type: '', size, value };
  });
  return { fields, more: pairs.length - fields.length };
}

function plain(encoded: string): string {
  return percentDecoded(encoded.replaceAll('+', ' '));
}

/** Null: the body has no parts, or its type does not name their boundary. */
export function multipartFields(content: Uint8Array, contentType: string): FormFields | null {
  const boundary = parametersOf(contentType).get('boundary') ?? '';
  if (boundary === '') return null;
  // A character for each byte, so that positions in both are the same.
  const text = new TextDecoder('latin1').decode(content);
  const fields: FormField[] = [];
  let more = 0;
  let start: number | null = null;
  let isClosed = false;
  for (const { at, end, isLast } of delimitersIn(text, boundary)) {
    if (start !== null && fields.length < LISTED_MAX)
      fields.push(partIn(content, text, start, beforeLine(text, at)));
    else if (start !== null) more++;
    start = end;
    isClosed = isLast;
  }
  if (start === null) return null;
  // The body was cut within its last part.
  if (!isClosed && fields.length < LISTED_MAX) fields.push(partIn(content, text, start, text.length));
  else if (!isClosed) more++;
  return { fields, more };
}

interface Delimiter {
  readonly at: number;
  /** Position after the delimiter's line. */
  readonly end: number;
  readonly isLast: boolean;
}

function* delimitersIn(text: string, boundary: string): Generator<Delimiter> {
  const delimiter = `--${boundary}`;
  const rest = /(--)?[ \t]*(?:\r?\n|$)/y;
  for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, at + 1)) {
    if (at > 0 && text[at - 1] !== '\n') continue;
    rest.lastIndex = at + delimiter.length;
    const match = rest.exec(text);
    if (match === null) continue;
    yield { at, end: rest.lastIndex, isLast: match[1] !== undefined };
    if (match[1] !== undefined) return;
  }
}

/** The line end before a delimiter belongs to that. */
function beforeLine(text: string, at: number): number {
  return text[at - 2] === '\r' ? at - 2 : at - 1;
}

function partIn(content: Uint8Array, text: string, start: number, end: number): FormField {
  const blank = /\r?\n\r?\n|$/.exec(`\n${text.slice(start, Math.min(end, start + PART_HEAD_MAX))}`)!;
  // The first \n of the text is not in the body.
  const headEnd = start + Math.max(0, blank.index - 1);
  const head = decoded(content.subarray(start, headEnd)) ?? '';
  const value = content.subarray(
    Math.min(Math.max(start, end), start + blank.index + blank[0].length - 1),
    Math.max(start, end),
  );
  const disposition = headerIn(head, 'content-disposition');
  const parameters = parametersOf(disposition);
  const type = headerIn(head, 'content-type');
  return {
    name: parameters.get('name') ?? '',
    fileName: extendedValue(parameters.get('filename*')) ?? parameters.get('filename') ?? null,
    ...{ type, size: value.length, value: decoded(value) },
  };
}

function headerIn(head: string, wanted: string): string {
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (line.slice(0, colon).trim().toLowerCase() === wanted) return line.slice(colon + 1).trim();
  }
  return '';
}

const PARAMETER = /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/gs;

/** The parameters of a header value, by their names in lower case. The first of a name counts. */
function parametersOf(header: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, token = ''] of header.matchAll(PARAMETER)) {
    // Browsers write a quote as %22, other programs with a backslash; a path of Windows has plain ones.
    const value = quoted?.replace(/\\(["\\])/g, '$1').replaceAll('%22', '"') ?? token.trim();
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value);
  }
  return parameters;
}

/** RFC 8187: `UTF-8'en'%c2%a3`. Null: not of this form. */
function extendedValue(value: string | undefined): string | null {
  const [, encoded] = /^utf-8'[^']*'(.*)$/is.exec(value ?? '') ?? [];
  return encoded === undefined ? null : percentDecoded(encoded);
}

/** Null: not text. */
function decoded(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

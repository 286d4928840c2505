/** Parses header lines as leniently as RFC 9112, section 5, permits, so that they can be written anew. */
import { MessageFault } from './message-fault.ts';

export interface LooseField {
  readonly name: string;
  /** The value without line ends and control characters, one character a byte. */
  readonly value: string;
}

const TOKEN_ONLY = /^[0-9A-Za-z!#$%&'*+.^_`|~-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to go.
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/g;

/** Splits text of one character a byte into lines, without their line ends (CRLF or LF). */
export function linesOf(text: string): string[] {
  return text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

/**
 * Parses `lines` from `first` to the empty one. White space before a colon is removed, and a folded line is joined with
 * a space. A control character other than CR and NUL becomes a space.
 */
export function looseFields(
  lines: readonly string[],
  first: number,
  maxFields: number,
): LooseField[] | MessageFault {
  const fields: { name: string; parts: string[] }[] = [];
  for (let i = first; i < lines.length && lines[i] !== ''; i += 1) {
    const line = lines[i]!;
    // Some parsers end a line or a text at these bytes (RFC 9110, section 5.5).
    if (/\r[^\r]|\0/.test(line)) return new MessageFault('a header line with a CR or NUL in it', line);
    if (isBlank(line, 0)) {
      const folded = fields.at(-1);
      if (folded === undefined) return new MessageFault('white space before the first header line', line);
      folded.parts.push(line);
      continue;
    }
    const colon = line.indexOf(':');
    if (colon === -1) return new MessageFault('a header line without a colon', line);
    const name = trimmed(line.slice(0, colon));
    if (!TOKEN_ONLY.test(name)) return new MessageFault('a header line whose name is not valid', line);
    if (fields.length === maxFields) return new MessageFault(`more than ${maxFields} header lines`, line);
    fields.push({ name, parts: [line.slice(colon + 1)] });
  }
  return fields.map(({ name, parts }) => ({ name, value: valueIn(parts) }));
}

/** Returns the lines of the fields, each with its CRLF. */
export function fieldText(fields: readonly LooseField[]): string {
  return fields.map(({ name, value }) => `${name}: ${value}\r\n`).join('');
}

/** Replaces control characters by spaces and removes white space around the text. */
export function plainText(text: string): string {
  return trimmed(text.replace(CONTROL, ' '));
}

function valueIn(parts: readonly string[]): string {
  return parts
    .map(plainText)
    .filter((part) => part !== '')
    .join(' ');
}

function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text, start)) start += 1;
  while (end > start && isBlank(text, end - 1)) end -= 1;
  return text.slice(start, end);
}

function isBlank(text: string, at: number): boolean {
  return text[at] === ' ' || text[at] === '\t';
}

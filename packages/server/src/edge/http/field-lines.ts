/**
 * Writes the edge's own header lines.
 * Invariant: a value cannot end its line, because control characters are removed.
 */
import type { Fields } from '../sites/site.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const CONTROLS = /[\x00-\x08\x0a-\x1f\x7f]/g;

/** Each with its line end; characters beyond latin1 go as UTF-8. */
export function fieldLines(fields: Fields): string {
  let lines = '';
  for (const [name, value] of fields) lines += `${name}: ${latin1(value.replace(CONTROLS, ''))}\r\n`;
  return lines;
}

/** Heads are written one byte a character. */
function latin1(value: string): string {
  return Buffer.from(value, 'utf8').toString('latin1');
}

/** One resource as lines that people read. */
import { printableMessage } from '../printable.ts';
import { cell } from './cell.ts';

/** Returns one resource as lines of names and values; inner fields have names such as `backend.enabled`. */
export function recordText(record: Readonly<Record<string, unknown>>): string {
  const fields = flatten('', record);
  const width = Math.max(0, ...fields.map(([name]) => name.length)) + 2;
  const indent = `\n${' '.repeat(width)}`;
  return fields.map(([name, text]) => `${name.padEnd(width)}${text.replaceAll('\n', indent)}\n`).join('');
}

function flatten(prefix: string, value: object): [string, string][] {
  return Object.entries(value).flatMap(([key, part]: [string, unknown]) => {
    const name = `${prefix}${printableMessage(key)}`;
    const text = typeof part === 'string' && part !== '' ? printableMessage(part.trimEnd()) : cell(part);
    return text === null ? flatten(`${name}.`, part as object) : [[name, text] as [string, string]];
  });
}

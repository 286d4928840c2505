/**
 * Changes keys in the text of a config file.
 * Invariant: other lines stay as they are, comments and keys that the daemon does not know included.
 */
import type { Pair, Scalar } from 'yaml';
import { yaml } from '../core/yaml.ts';

/** A value; null takes the key out. */
export type Change = string | boolean | readonly string[] | null;
export type Changes = ReadonlyMap<string, Change>;

/** `text` is valid YAML with a map in it, or nothing. Returns the same text if it has these values. */
export function editDocument(text: string, changes: Changes): string {
  let edited = text;
  for (const [key, value] of changes) if (!has(edited, key, value)) edited = withKey(edited, key, value);
  return edited;
}

function has(text: string, key: string, value: Change): boolean {
  const found = valueAt(text, key);
  if (value === null || found === undefined)
    return value === found || (value === null && found === undefined);
  const wanted = Array.isArray(value) ? value : [value];
  const there = Array.isArray(found) ? found : [found];
  return wanted.length === there.length && wanted.every((one, at) => String(one) === String(there[at]));
}

/** Undefined without the key. */
function valueAt(text: string, key: string): unknown {
  const parsed: unknown = yaml().parse(text);
  return parsed === null || typeof parsed !== 'object' ? undefined : Object(parsed)[key];
}

function withKey(text: string, key: string, value: Change): string {
  const document = yaml().parseDocument(text);
  const { contents } = document;
  const pair =
    yaml().isMap(contents) && !contents.flow ? contents.items.find((it) => isKey(it, key)) : undefined;
  const line = value === null ? '' : yaml().stringify({ [key]: value }, { lineWidth: 0 });
  if (
    pair === undefined &&
    !document.has(key) &&
    (contents === null || (yaml().isMap(contents) && !contents.flow))
  )
    return text === '' || text.endsWith('\n') ? text + line : `${text}\n${line}`;
  const scalar = pair?.value;
  if (scalar !== null && yaml().isScalar(scalar) && scalar.range) {
    const [from, to] = scalar.range;
    // A text over several lines, or one with a name, is not changed in its place.
    if (!text.slice(from, to).includes('\n') && scalar.anchor === undefined)
      return value === null ? withoutLine(text, from) : inPlace(text, { from, to }, value, line);
  }
  if (value === null) document.delete(key);
  else document.set(key, value);
  return document.toString({ lineWidth: 0 });
}

function isKey({ key }: Pair, wanted: string): boolean {
  return yaml().isScalar(key) && (key as Scalar).value === wanted;
}

function inPlace(
  text: string,
  { from, to }: { from: number; to: number },
  value: Change,
  line: string,
): string {
  if (Array.isArray(value)) return withoutLine(text, from) + line;
  return text.slice(0, from) + line.slice(line.indexOf(':') + 2).trimEnd() + text.slice(to);
}

function withoutLine(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  return text.slice(0, start) + (end === -1 ? '' : text.slice(end + 1));
}

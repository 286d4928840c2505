/**
 * Changes single settings in the text of a config file.
 * Invariant: the rest of the text stays, comments included.
 */
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import type { Document } from 'yaml';
import { InvalidInput } from './address.ts';

/** Loads a package of many files that most commands do not need. */
const require = createRequire(import.meta.url);

/**
 * The text with these keys of its mapping at these values; undefined takes a key out. `text` is valid and holds a mapping, or nothing.
 * Throws InvalidInput where a key is written in a way that cannot be changed alone.
 */
export function withSettings(text: string, settings: Readonly<Record<string, string | undefined>>): string {
  const changed = Object.entries(settings).reduceRight(
    (it, [key, value]) => withSetting(it, key, value),
    text,
  );
  const keys = Object.keys(settings);
  if (isDeepStrictEqual(othersIn(changed, keys), othersIn(text, keys))) return changed;
  throw entangled(keys.join(', '));
}

/** Null: the text is not valid. */
function othersIn(text: string, keys: readonly string[]): object | null {
  const { parseDocument }: typeof import('yaml') = require('yaml');
  const document = parseDocument(text);
  if (document.errors.length > 0) return null;
  const entries = Object.entries((document.toJS() ?? {}) as object);
  return Object.fromEntries(entries.filter(([key]) => !keys.includes(key)));
}

function withSetting(text: string, key: string, value: string | undefined): string {
  const { parseDocument, stringify, isMap }: typeof import('yaml') = require('yaml');
  const document = parseDocument(text);
  const written = value === undefined ? undefined : stringify(value, { lineWidth: 0 }).trimEnd();
  const place = placeOf(document, text, key);
  if (place === null) {
    if (written === undefined) return text;
    if (isMap(document.contents) && document.contents.flow === true) throw entangled(key);
    const start = /^---\s*$\r?\n?/m.exec(text);
    const at = start === null ? 0 : start.index + start[0].length;
    return `${text.slice(0, at)}${key}: ${written}\n${text.slice(at)}`;
  }
  if (written !== undefined) return `${text.slice(0, place.from)} ${written}${text.slice(place.to)}`;
  const lineStart = text.lastIndexOf('\n', place.from) + 1;
  const lineEnd = text.indexOf('\n', place.to);
  return text.slice(0, lineStart) + (lineEnd === -1 ? '' : text.slice(lineEnd + 1));
}

/** Returns the range of a key's value, from after its colon; null without the key. */
function placeOf(document: Document, text: string, key: string): { from: number; to: number } | null {
  const { isMap, isScalar }: typeof import('yaml') = require('yaml');
  const { contents } = document;
  if (!isMap(contents)) return null;
  const pair = contents.items.find((it) => isScalar(it.key) && it.key.value === key);
  if (pair === undefined) return null;
  const keyEnd = isScalar(pair.key) ? pair.key.range?.[1] : undefined;
  if (keyEnd === undefined || contents.flow === true) throw entangled(key);
  const from = text.indexOf(':', keyEnd) + 1;
  const { value } = pair;
  if (value === null || (isScalar(value) && value.value === null)) return { from, to: from };
  const to = isScalar(value) && value.anchor === undefined ? value.range?.[1] : undefined;
  if (to === undefined || text.slice(from, to).includes('\n')) throw entangled(key);
  return { from, to };
}

function entangled(key: string): InvalidInput {
  return new InvalidInput(
    `The config file has "${key}" where it cannot be changed alone. Put it on a line of its own, "${key}: TEXT", or leave it out.`,
  );
}

/**
 * Builds the body of a request from flags.
 * Invariant: only the API decides if the body is valid.
 */
import { resolve } from 'node:path';
import type { FieldTable } from '@underpass/client/operations';
import { InvalidInput } from '../address.ts';
import { readText } from '../text-file.ts';
import { attributeOf, flagOf } from './names.ts';

/** A value from the option parser: text, `true` for a flag without a value, several texts for a repeated flag. */
export type FieldFlags = Readonly<Record<string, unknown>> & { readonly data?: string };

/** Returns the body from the flags of the fields, on top of `--data`. The API validates it. Throws InvalidInput. */
export function bodyOf(fields: readonly FieldTable[], flags: FieldFlags): Record<string, unknown> {
  const body: Record<string, unknown> = flags.data === undefined ? {} : wholeBody(flags.data);
  return { ...body, ...queryOf(fields, flags) };
}

/** Returns the parameters of a query from their flags. The API validates them. Throws InvalidInput. */
export function queryOf(fields: readonly FieldTable[], flags: FieldFlags): Record<string, unknown> {
  const given = fields.flatMap((field) => {
    const value = flags[attributeOf(field.name)] as string | true | readonly string[] | undefined;
    return value === undefined ? [] : [[field.name, fieldValue(field, value)] as const];
  });
  return Object.fromEntries(given);
}

function wholeBody(text: string): Record<string, unknown> {
  const value = parseJson('data', text === '-' ? readStdin() : contentOf(text));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidInput('--data is not a JSON object. Give one such as \'{"description": "..."}\'.');
  return value as Record<string, unknown>;
}

function fieldValue({ name, type }: FieldTable, given: string | true | readonly string[]): unknown {
  const flag = flagOf(name);
  const texts = Array.isArray(given) ? (given as readonly string[]) : [String(given)];
  const [text = ''] = texts;
  switch (type) {
    case 'string':
      return contentOf(text);
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw invalid(flag, text, 'Give true or false.');
      return text === 'true';
    case 'integer':
    case 'number':
      if (!/^-?\d+(\.\d+)?$/.test(text)) throw invalid(flag, text, 'Give a number.');
      return Number(text);
    case 'strings':
      return /^\[.*\]$/s.test(text) ? parseJson(flag, text) : texts.map(contentOf);
    case 'map':
      return text.startsWith('{') ? parseJson(flag, text) : mapOf(flag, texts);
    case 'list':
      return text.trimStart().startsWith('[')
        ? parseJson(flag, text)
        : texts.map((it) => parseJson(flag, contentOf(it)));
    case 'object':
      return parseJson(flag, contentOf(text));
  }
}

function mapOf(flag: string, texts: readonly string[]): Record<string, string> {
  const entries = texts.map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw invalid(flag, text, 'Give KEY=VALUE, once for each key.');
    return [text.slice(0, at), text.slice(at + 1)] as const;
  });
  return Object.fromEntries(entries);
}

/** `@FILE` is what the file holds, `@@…` a text that begins with an @. */
function contentOf(text: string): string {
  if (text.startsWith('@@')) return text.slice(1);
  return text.startsWith('@') ? readText(resolve(text.slice(1)), 'The file') : text;
}

function readStdin(): string {
  return readText(0, 'stdin');
}

function parseJson(flag: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidInput(
      `--${flag} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function invalid(flag: string, text: string, advice: string): InvalidInput {
  return new InvalidInput(`--${flag} "${text}" is not valid. ${advice}`);
}

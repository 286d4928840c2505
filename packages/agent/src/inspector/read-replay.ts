/** Reads what a replay is to be like. */
import { field } from '@underpass/wire';
import { InvalidInput } from '../address.ts';
import type { Header, ReplayRequest } from './api-types.ts';

/** '' is a replay as it was, and null in a field what it was. Throws InvalidInput. */
export function readReplay(text: string): ReplayRequest {
  const json = text === '' ? {} : parse(text);
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new InvalidInput('Give an object with what is to be different.');
  const given = <T>(name: string, isOne: (value: unknown) => value is T): { readonly [key: string]: T } => {
    const value = field(json, name) ?? undefined;
    if (value === undefined) return {};
    if (!isOne(value)) throw new InvalidInput(`"${name}" has another shape than it should have.`);
    return { [name]: value };
  };
  const known = ['method', 'path', 'headers', 'body', 'bodyBase64', 'tunnel'];
  const unknown = Object.keys(json).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new InvalidInput(`There is no "${unknown}". Give some of ${known.join(', ')}.`);
  return {
    ...given('method', isText),
    ...given('path', isText),
    ...given('headers', isHeaders),
    ...given('body', isText),
    ...given('bodyBase64', isText),
    ...given('tunnel', isId),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidInput('The body is not valid JSON.');
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isHeaders(value: unknown): value is Header[] {
  return (
    Array.isArray(value) &&
    value.every((header) => Array.isArray(header) && header.length === 2 && header.every(isText))
  );
}

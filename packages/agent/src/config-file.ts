/** Reads the config file. Never that a key which does nothing is let be. */
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { InvalidInput } from './address.ts';
import type { Source } from './source.ts';
import { readText } from './text-file.ts';

/** For a package of many files, which most commands have no use for. */
const require = createRequire(import.meta.url);

const KEYS = ['server', 'authtoken', 'ca', 'domain', 'address', 'label', 'metadata'] as const;

/** Reads a YAML file with the names of the flags as keys; `ca` is relative to the file. Throws InvalidInput. */
export function readConfigFile(path: string): Source {
  const content = parseMapping(path, readText(path, 'The config file'));
  for (const key of content.keys()) {
    if (!KEYS.some((known) => known === key)) {
      throw new InvalidInput(`The key "${key}" in ${path} is unknown. Known keys: ${KEYS.join(', ')}.`);
    }
  }
  const source: { -readonly [key in keyof Source]: Source[key] } = {};
  for (const key of ['server', 'authtoken', 'domain', 'address', 'metadata'] as const) {
    const value = content.get(key);
    if (value !== undefined && value !== null) source[key] = asText(path, key, value);
  }
  const ca = content.get('ca');
  if (ca !== undefined && ca !== null) source.ca = resolve(dirname(path), asText(path, 'ca', ca));
  const label = content.get('label');
  if (label !== undefined && label !== null) source.label = asLabels(path, label);
  return source;
}

function parseMapping(path: string, text: string): Map<string, unknown> {
  const { parse }: typeof import('yaml') = require('yaml');
  let content: unknown;
  try {
    content = parse(text) ?? {};
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new InvalidInput(`The config file ${path} is not valid YAML: ${reason}`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new InvalidInput(
      `The config file ${path} must hold a mapping, such as "server: connect.example.com:443".`,
    );
  }
  return new Map(Object.entries(content));
}

function asText(path: string, key: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new InvalidInput(`"${key}" in ${path} must be a text. Put it in quotes.`);
}

/** A list of `key=value`, one such text, or a mapping. */
function asLabels(path: string, value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.map((item) => asText(path, 'label', item));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).map(([key, item]) => `${key}=${asText(path, `label.${key}`, item)}`);
  }
  throw new InvalidInput(`"label" in ${path} must be a list of "key=value" or a mapping.`);
}

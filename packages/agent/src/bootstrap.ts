import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidInput } from './address.ts';
import { readText } from './text-file.ts';

/** What a daemon's first start left for agents on the same machine. */
export interface Bootstrap {
  readonly server: string;
  readonly authtoken: string;
  /** Path of the local authority's PEM file. */
  readonly ca: string;
}

/** Reads ./data/bootstrap.json; null when there is none. Throws InvalidInput when it cannot be used. */
export function readBootstrap(cwd: string): Bootstrap | null {
  const path = resolve(cwd, 'data', 'bootstrap.json');
  if (!existsSync(path)) return null;
  const content = parse(path, readText(path, 'The file'));
  const read = (key: string): string => {
    const value = content.get(key);
    if (typeof value !== 'string' || value === '') throw unusable(path, `"${key}" is missing`);
    return value;
  };
  return { server: read('connect_addr'), authtoken: read('authtoken'), ca: resolve(cwd, read('ca_file')) };
}

function parse(path: string, text: string): Map<string, unknown> {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw unusable(path, 'it is not valid JSON');
  }
  if (typeof content !== 'object' || content === null) throw unusable(path, 'it is not a JSON object');
  return new Map(Object.entries(content));
}

function unusable(path: string, reason: string): InvalidInput {
  return new InvalidInput(`${path} cannot be used: ${reason}. Give --server, --authtoken and --ca instead.`);
}

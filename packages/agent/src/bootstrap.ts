/** Reads the file that a daemon's first start leaves for agents and clients on the same machine. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidInput } from './address.ts';
import { readText } from './text-file.ts';

/** Data that a daemon's first start stores for agents on the same machine. */
export interface Bootstrap {
  readonly server: string;
  readonly authtoken: string;
  /** Path of the local authority's PEM file. */
  readonly ca: string;
}

/** Data that it stores for clients of its API. */
export interface ApiBootstrap {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Path of the local authority's PEM file. */
  readonly ca: string;
}

export function bootstrapPath(cwd: string): string {
  return resolve(cwd, 'data', 'bootstrap.json');
}

/** Reads ./data/bootstrap.json; null when there is none. Throws InvalidInput when it cannot be used. */
export function readBootstrap(cwd: string): Bootstrap | null {
  const read = openBootstrap(cwd, '--server, --authtoken and --ca');
  if (read === null) return null;
  return { server: read('connect_addr'), authtoken: read('authtoken'), ca: resolve(cwd, read('ca_file')) };
}

/** Works like `readBootstrap`. */
export function readApiBootstrap(cwd: string): ApiBootstrap | null {
  const read = openBootstrap(cwd, '--api-url, --api-key and --ca');
  if (read === null) return null;
  return { baseUrl: read('base_url'), apiKey: read('api_key'), ca: resolve(cwd, read('ca_file')) };
}

/** Answers a reader of single fields; `flags` is what can be given instead of the file. */
function openBootstrap(cwd: string, flags: string): ((key: string) => string) | null {
  const path = bootstrapPath(cwd);
  if (!existsSync(path)) return null;
  const unusable = (reason: string) =>
    new InvalidInput(`${path} cannot be used: ${reason}. Give ${flags} instead.`);
  const content = parse(readText(path, 'The file'));
  if (content === undefined) throw unusable('it is not valid JSON');
  if (typeof content !== 'object' || content === null) throw unusable('it is not a JSON object');
  const fields = new Map<string, unknown>(Object.entries(content));
  return (key) => {
    const value = fields.get(key);
    if (typeof value !== 'string' || value === '') throw unusable(`"${key}" is missing`);
    return value;
  };
}

/** Undefined for what is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

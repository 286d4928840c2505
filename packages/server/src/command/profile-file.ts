/**
 * Reads the file of `--profile`.
 * Invariant: a key without an effect is rejected.
 */
import type { LineCounter, Node, Pair, YAMLMap } from 'yaml';
import { OPERATION_ID_HEADER } from '../api/operation-id.ts';
import { defaultUserHeaders, type UserHeaders } from '../core/modules/user-headers.ts';
import {
  ERROR_PREFIX_RULE,
  HEADER_NAME_RULE,
  parseErrorPrefix,
  parseHeaderName,
} from '../core/names/public-names.ts';
import { type Profile, ProfileFault, type Word } from '../core/profile.ts';
import { ERROR_CODE_HEADER } from '../core/settings.ts';
import { yaml } from '../core/yaml.ts';
import { readNamedFile } from '../system/named-file.ts';
import { ConfigError } from './options.ts';

const KEYS = [
  ...['version-header', 'error-prefix', 'response-headers', 'request-headers', 'cookie-prefix'],
  ...['fields', 'values'],
];
const HEADER_KEYS = ['operation-id', 'error-code'];
const USER_KEYS = ['user-id', 'user-email', 'user-name', 'user-groups'] as const;

/** Defaults for names that a profile leaves out. */
export interface ProfileDefaults {
  readonly errorPrefix: string;
}

/** Throws ConfigError. */
export function readProfile(path: string, defaults: ProfileDefaults): Profile {
  let text: string;
  try {
    text = readNamedFile(path);
  } catch (error) {
    throw new ConfigError(`--profile ${path}: ${(error as Error).message}`);
  }
  return inFile(path, () => parseProfile(text, path, defaults));
}

/** Adds the file's path to the error about an invalid word. */
export function inFile<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProfileFault) throw new ConfigError(`--profile ${path}: ${error.message}`);
    throw error;
  }
}

/** Throws ProfileFault. */
export function parseProfile(text: string, path: string, defaults: ProfileDefaults): Profile {
  const { LineCounter, parseDocument } = yaml();
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) throw new ProfileFault(lines.linePos(error.pos[0]).line, error.message);
  const file = new Entries(document.contents, lines, '', KEYS);
  const headers = file.entries('response-headers', HEADER_KEYS);
  return {
    path,
    versionHeader: file.text('version-header', headerName) ?? file.missing('version-header'),
    errorPrefix: file.text('error-prefix', errorPrefix) ?? defaults.errorPrefix,
    operationIdHeader: headers?.text('operation-id', headerName)?.toLowerCase() ?? OPERATION_ID_HEADER,
    errorCodeHeader: headers?.text('error-code', headerName)?.toLowerCase() ?? ERROR_CODE_HEADER,
    userHeaders: userHeaders(file.entries('request-headers', USER_KEYS)),
    cookiePrefix: file.text('cookie-prefix', cookiePrefix) ?? '',
    words: [...fieldWords(file.entries('fields')), ...valueWords(file.entries('values'))],
  };
}

function userHeaders(named: Entries | null): UserHeaders {
  if (named === null) return defaultUserHeaders;
  const nameOf = (key: (typeof USER_KEYS)[number]) => named.text(key, headerName)?.toLowerCase();
  const headers: UserHeaders = {
    id: nameOf('user-id') ?? defaultUserHeaders.id,
    email: nameOf('user-email') ?? defaultUserHeaders.email,
    name: nameOf('user-name') ?? defaultUserHeaders.name,
    groups: nameOf('user-groups') ?? defaultUserHeaders.groups,
  };
  const names = Object.values(headers);
  for (const [key, name, line] of named.texts())
    if (names.filter((one) => one === name.toLowerCase()).length > 1)
      wrong(name, `request-headers: ${key}`, line, 'must be a name that no other of them has');
  return headers;
}

function fieldWords(collections: Entries | null): readonly Word[] {
  return (collections?.maps() ?? []).flatMap(([collection, fields]) =>
    fields.texts().map(([path, theirs, line]) => {
      const field = path.split('.');
      return { collection, field, value: null, theirs: fieldName(theirs, path, line), line };
    }),
  );
}

function valueWords(collections: Entries | null): readonly Word[] {
  return (collections?.maps() ?? []).flatMap(([collection, fields]) =>
    fields.maps().flatMap(([path, values]) =>
      values.texts().map(([value, theirs, line]) => ({
        collection,
        field: path.split('.'),
        value,
        theirs,
        line,
      })),
    ),
  );
}

/** A map of the file whose keys are texts, each with its line. */
class Entries {
  readonly #pairs: readonly Pair<Node, Node | null>[];
  readonly #lines: LineCounter;
  readonly #name: string;

  /** `name` is its key; `keys` are those that it may have. Throws ProfileFault. */
  constructor(node: unknown, lines: LineCounter, name: string, keys?: readonly string[]) {
    this.#lines = lines;
    this.#name = name;
    if (!yaml().isMap(node)) {
      const line = (node as Node | null)?.range === undefined ? 1 : this.#lineOf(node as Node);
      throw new ProfileFault(line, `${name === '' ? 'the file' : `"${name}"`} must be a map`);
    }
    this.#pairs = (node as YAMLMap<Node, Node | null>).items;
    for (const pair of this.#pairs) {
      const key = this.#keyOf(pair);
      if (keys === undefined || keys.includes(key)) continue;
      throw new ProfileFault(
        this.#lineOf(pair.key),
        `there is no key "${this.#path(key)}"; there are ${keys.join(', ')}`,
      );
    }
  }

  /** Null when there is no such key. */
  text(key: string, check: (text: string, key: string, line: number) => string): string | null {
    const pair = this.#find(key);
    return pair === undefined ? null : check(this.#textOf(pair), this.#path(key), this.#lineOf(pair.key));
  }

  missing(key: string): never {
    throw new ProfileFault(1, `the key "${this.#path(key)}" is missing`);
  }

  entries(key: string, keys?: readonly string[]): Entries | null {
    const pair = this.#find(key);
    return pair === undefined ? null : this.#within(pair, keys);
  }

  maps(): readonly (readonly [key: string, Entries])[] {
    return this.#pairs.map((pair) => [this.#keyOf(pair), this.#within(pair)]);
  }

  texts(): readonly (readonly [key: string, text: string, line: number])[] {
    return this.#pairs.map((pair) => [this.#keyOf(pair), this.#textOf(pair), this.#lineOf(pair.key)]);
  }

  #find(key: string): Pair<Node, Node | null> | undefined {
    return this.#pairs.find((pair) => this.#keyOf(pair) === key);
  }

  #within(pair: Pair<Node, Node | null>, keys?: readonly string[]): Entries {
    const key = this.#path(this.#keyOf(pair));
    if (!yaml().isMap(pair.value)) throw new ProfileFault(this.#lineOf(pair.key), `"${key}" must be a map`);
    return new Entries(pair.value, this.#lines, key, keys);
  }

  #keyOf({ key }: Pair<Node, Node | null>): string {
    if (yaml().isScalar(key) && typeof key.value === 'string') return key.value;
    throw new ProfileFault(this.#lineOf(key), 'a key must be text');
  }

  #textOf(pair: Pair<Node, Node | null>): string {
    const { key, value } = pair;
    if (yaml().isScalar(value) && typeof value.value === 'string' && value.value !== '') return value.value;
    throw new ProfileFault(this.#lineOf(key), `"${this.#path(this.#keyOf(pair))}" must be text`);
  }

  #path(key: string): string {
    return this.#name === '' ? key : `${this.#name}: ${key}`;
  }

  #lineOf(node: Node | null): number {
    return this.#lines.linePos(node?.range?.[0] ?? 0).line;
  }
}

function headerName(text: string, key: string, line: number): string {
  return parseHeaderName(text) ?? wrong(text, key, line, HEADER_NAME_RULE);
}

function errorPrefix(text: string, key: string, line: number): string {
  return parseErrorPrefix(text) ?? wrong(text, key, line, ERROR_PREFIX_RULE);
}

function cookiePrefix(text: string, key: string, line: number): string {
  return /^[A-Za-z0-9.]+$/.test(text) ? text : wrong(text, key, line, 'must be letters, digits and dots');
}

function fieldName(text: string, key: string, line: number): string {
  const rule = 'must be called something of letters, digits and underscores';
  return /^[A-Za-z][A-Za-z0-9_]*$/.test(text) ? text : wrong(text, key, line, rule);
}

function wrong(text: string, key: string, line: number, rule: string): never {
  throw new ProfileFault(line, `"${key}" ${rule}, not "${text}"`);
}

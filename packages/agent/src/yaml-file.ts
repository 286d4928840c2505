/**
 * A YAML file of settings.
 * Invariant: errors have the file, the line, the field and the remedy.
 */
import { createRequire } from 'node:module';
import { mostSimilar } from '@underpass/wire/similar';
import type { Document, ErrorCode, LineCounter, YAMLParseError } from 'yaml';
import { InvalidInput } from './address.ts';
import { asOne, checkAll, mistakesIn } from './check-all.ts';
import { readText } from './text-file.ts';

/** Loads a package of many files that most commands do not need. */
const require = createRequire(import.meta.url);

/** Reads a file whose content is one mapping. Throws InvalidInput. */
export function readYamlFile(path: string): YamlMapping {
  const { LineCounter, parseDocument }: typeof import('yaml') = require('yaml');
  const lines = new LineCounter();
  const document = parseDocument(readText(path, 'The config file', { flag: 'config' }), {
    lineCounter: lines,
  });
  const [error] = document.errors;
  if (error !== undefined) {
    const line = error.linePos?.[0].line ?? 1;
    throw new InvalidInput(`The config file ${path}:${line} is not valid YAML: ${reasonOf(error)}`);
  }
  const values = asMapping(content(path, document) ?? {});
  if (values === null) {
    throw new InvalidInput(
      `The config file ${path} must hold a mapping, such as "server: connect.example.com:443".`,
    );
  }
  return new YamlMapping({ path, lineOf: (keys) => lineOf(document, lines, keys) }, [], values);
}

interface YamlFile {
  readonly path: string;
  /** Counted from 1. */
  readonly lineOf: (keys: readonly string[]) => number;
}

/** A mapping in such a file. A key whose value is null is as good as none. */
export class YamlMapping {
  readonly #file: YamlFile;
  readonly #at: readonly string[];
  readonly #values: ReadonlyMap<string, unknown>;

  constructor(file: YamlFile, at: readonly string[], values: ReadonlyMap<string, unknown>) {
    this.#file = file;
    this.#at = at;
    this.#values = values;
  }

  get path(): string {
    return this.#file.path;
  }

  get keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  /** Returns an error about a key, or about the mapping itself if `key` is null. */
  problem(key: string | null, message: string): InvalidInput {
    const keys = key === null ? this.#at : [...this.#at, key];
    return new InvalidInput(`${this.path}:${this.#file.lineOf(keys)}: "${keys.join('.')}": ${message}`);
  }

  /** Returns the mapping without the rejected keys. */
  only(known: readonly string[]): YamlMapping {
    const values = [...this.#values].filter(([key]) => known.includes(key));
    return new YamlMapping(this.#file, this.#at, new Map(values));
  }

  /** Adds to bad input where in the file it is. `key`: for input that does not name its key. Throws InvalidInput. */
  located<T>(key: string | null, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      throw asOne(mistakesIn(error).map(({ flag, message }) => this.problem(flag ?? key, message)));
    }
  }

  refuseOthers(known: readonly string[]): void {
    checkAll(
      this.keys
        .filter((key) => !known.includes(key))
        .map((key) => () => {
          const meant = mostSimilar(key, known);
          const what = meant === null ? `Known keys: ${known.join(', ')}.` : `Did you mean "${meant}"?`;
          throw this.problem(key, `unknown here. ${what}`);
        }),
    );
  }

  text(key: string): string | undefined {
    const value = this.#values.get(key) ?? undefined;
    if (value === undefined || typeof value === 'string') return value;
    throw this.problem(key, 'must be a text. Put it in quotes.');
  }

  /** A text that may look like a number, such as a port. */
  word(key: string): string | undefined {
    const value = this.#values.get(key);
    return typeof value === 'number' ? String(value) : this.text(key);
  }

  textOrFalse(key: string): string | undefined {
    return this.#values.get(key) === false ? 'false' : this.text(key);
  }

  flag(key: string): boolean | undefined {
    const value = this.#values.get(key) ?? undefined;
    if (value === undefined || typeof value === 'boolean') return value;
    throw this.problem(key, 'must be true or false, without quotes.');
  }

  /** A list of texts, or one. */
  texts(key: string): readonly string[] | undefined {
    const value = this.#values.get(key) ?? undefined;
    if (value === undefined) return undefined;
    return (Array.isArray(value) ? value : [value]).map((it: unknown) => {
      if (typeof it === 'string') return it;
      throw this.problem(key, 'must be a text or a list of texts. Put them in quotes.');
    });
  }

  /** `key=value` texts: a list of them, one of them, or a mapping. */
  pairs(key: string): readonly string[] | undefined {
    const value = this.#values.get(key) ?? undefined;
    if (value === undefined) return undefined;
    if (typeof value === 'string') return [value];
    const bad = this.problem(
      key,
      'must be a list of "key=value" or a mapping of texts. Put numbers in quotes.',
    );
    const pairs = Array.isArray(value) ? value.map((it) => ['', it]) : [...(asMapping(value) ?? [])];
    if (!Array.isArray(value) && asMapping(value) === null) throw bad;
    return pairs.map(([name, text]) => {
      if (typeof text !== 'string') throw bad;
      return name === '' ? text : `${name}=${text}`;
    });
  }

  mapping(key: string, example: string): YamlMapping | undefined {
    const value = this.#values.get(key) ?? undefined;
    if (value === undefined) return undefined;
    const values = asMapping(value);
    if (values === null) throw this.problem(key, `must be a mapping, such as ${example}.`);
    return new YamlMapping(this.#file, [...this.#at, key], values);
  }
}

/** Errors whose messages quote the file, which may contain a secret. */
const QUOTING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['BAD_ALIAS', 'BAD_DIRECTIVE', 'BAD_DQ_ESCAPE', 'BAD_PROP_ORDER', 'TAG_RESOLVE_FAILED'] as const),
  'UNEXPECTED_TOKEN',
]);

/** The mistake that the parser found, without the text that is there. */
export function reasonOf({ code, message }: YAMLParseError): string {
  return QUOTING.has(code) ? 'put the text there in quotes.' : message.replace(/ at line \d.*/s, '');
}

/**
 * Returns the content with resolved aliases, of which there may be too many. The message does not quote one: it may
 * be a secret without quotes.
 */
function content(path: string, document: Document): unknown {
  try {
    return document.toJS();
  } catch {
    throw new InvalidInput(
      `The config file ${path} is not valid YAML: an alias (*NAME) has no anchor, or there are too many. Put a text that begins with * in quotes.`,
    );
  }
}

function asMapping(value: unknown): ReadonlyMap<string, unknown> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return new Map(Object.entries(value));
}

/** Returns the line of the key, or of the innermost key around it in the file: content of an alias is elsewhere. */
function lineOf(document: Document, lines: LineCounter, keys: readonly string[]): number {
  const { isMap, isScalar }: typeof import('yaml') = require('yaml');
  let node: unknown = document.contents;
  let offset = 0;
  for (const key of keys) {
    if (!isMap(node)) break;
    const pair = node.items.find((it) => isScalar(it.key) && String(it.key.value) === key);
    if (pair === undefined || !isScalar(pair.key)) break;
    offset = pair.key.range?.[0] ?? offset;
    node = pair.value;
  }
  return lines.linePos(offset).line;
}

/**
 * Reads JSON strictly.
 * Invariant: a repeated field is always rejected.
 */
import { Problem } from '../errors/problem.ts';
import { pointerStep } from '../resources/pointer.ts';
import type { JsonValue } from '../store/store.ts';

/** Deeper than any body of the API, and far from what the stack holds. */
export const MAX_DEPTH = 32;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses a body as JSON (RFC 8259), more strictly than JSON.parse:
 * - UTF-8 only;
 * - no field twice in an object;
 * - no half surrogate, and no number beyond a double;
 * - at most MAX_DEPTH levels.
 * `__proto__` is a field like any other. Raises Problem.
 */
export function parseJson(bytes: Uint8Array): JsonValue {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new Problem('bodyNotUtf8');
  }
  return new Parser(text).document();
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
/** The literal characters of a string: all except control characters, the quote and the backslash. */
const PLAIN = /[ !#-[\]-\uffff]*/y;
const ESCAPES = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

class Parser {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  /** Names of the fields around the current position, for messages. */
  readonly #path: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsonValue {
    this.#space();
    const value = this.#value();
    this.#space();
    if (this.#at < this.#text.length) this.#fail('something follows the end of the value');
    return value;
  }

  #value(): JsonValue {
    switch (this.#text[this.#at]) {
      case '{':
        return this.#nested(() => this.#object());
      case '[':
        return this.#nested(() => this.#array());
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  #nested<T>(parse: () => T): T {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new Problem('bodyTooDeep', { limit: MAX_DEPTH }, { limit: MAX_DEPTH });
    this.#at += 1;
    this.#space();
    const value = parse();
    this.#depth -= 1;
    return value;
  }

  #object(): JsonValue {
    const object: Record<string, JsonValue> = {};
    if (this.#take('}')) return object;
    for (;;) {
      if (this.#text[this.#at] !== '"') this.#fail('a field name in double quotes is expected');
      const name = this.#string();
      this.#path.push(name);
      if (Object.hasOwn(object, name)) {
        throw new Problem('fieldRepeated', { field: name }, { field: pointer(this.#path) });
      }
      this.#space();
      if (!this.#take(':')) this.#fail('a colon is expected');
      this.#space();
      const value = this.#value();
      // Plain assignment to `__proto__` would set the prototype instead.
      if (name === '__proto__') {
        Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
      } else object[name] = value;
      this.#path.pop();
      this.#space();
      if (this.#take('}')) return object;
      if (!this.#take(',')) this.#fail('a comma or a closing brace is expected');
      this.#space();
    }
  }

  #array(): JsonValue {
    const items: JsonValue[] = [];
    if (this.#take(']')) return items;
    for (;;) {
      this.#path.push(String(items.length));
      items.push(this.#value());
      this.#path.pop();
      this.#space();
      if (this.#take(']')) return items;
      if (!this.#take(',')) this.#fail('a comma or a closing bracket is expected');
      this.#space();
    }
  }

  #string(): string {
    this.#at += 1;
    let value = '';
    for (;;) {
      value += this.#match(PLAIN);
      if (this.#take('"')) break;
      if (!this.#take('\\')) this.#fail('a string is not closed, or has a control character in it');
      value += this.#escape();
    }
    if (!value.isWellFormed()) this.#fail('the string before has one half of a surrogate pair');
    return value;
  }

  #escape(): string {
    const letter = this.#text[this.#at] ?? '';
    const simple = ESCAPES.get(letter);
    if (simple !== undefined) {
      this.#at += 1;
      return simple;
    }
    const digits = this.#text.slice(this.#at + 1, this.#at + 5);
    if (letter !== 'u' || !/^[0-9a-fA-F]{4}$/.test(digits)) this.#fail('an escape sequence is not valid');
    this.#at += 5;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #number(): number {
    const digits = this.#match(NUMBER);
    if (digits === '')
      this.#fail(this.#at < this.#text.length ? 'a value is expected' : 'the text ends early');
    const value = Number(digits);
    if (!Number.isFinite(value)) this.#fail('the number before is too large');
    return value;
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#fail('a value is expected');
    this.#at += word.length;
    return value;
  }

  /** Returns the match of a sticky pattern here, and moves behind it; '' without a match. */
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at += 1;
    }
  }

  #fail(reason: string): never {
    const position = Buffer.byteLength(this.#text.slice(0, this.#at));
    throw new Problem('bodyMalformed', { reason, position });
  }
}

/** RFC 6901. */
function pointer(path: readonly string[]): string {
  return path.map((name) => `/${pointerStep(name)}`).join('');
}

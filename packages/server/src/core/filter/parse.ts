/**
 * Parses filters such as `status = "online" and created_at >= 2026-01-01`.
 *
 *     filter   = term *( "and" term )
 *     term     = field operator value
 *     field    = name *( "." name )        a name is a word or a text in quotes
 *     operator = "=" | "!=" | ">" | ">=" | "<" | "<=" | "contains" | "starts_with"
 *     value    = word | text in double quotes with the escapes of JSON | "null"
 */
import { parseTimestamp } from '../timestamp.ts';
import type { Branch, Field } from './fields.ts';
import {
  type Filter,
  type FilterFault,
  MOST_BYTES,
  MOST_TERMS,
  OPERATORS,
  type Operand,
  type Operator,
  type Term,
} from './filter.ts';

/** Returns the checked filter, or the first fault of the text. Never throws. */
export function parseFilter(text: string, fields: Branch): Filter | FilterFault {
  const actual = Buffer.byteLength(text);
  if (actual > MOST_BYTES) return { fault: 'bytes', actual, limit: MOST_BYTES };
  try {
    return new Parser(text, fields).filter();
  } catch (error) {
    if (error instanceof Fault) return error.fault;
    throw error;
  }
}

/** Leaves the parser. */
class Fault extends Error {
  readonly fault: FilterFault;
  constructor(fault: FilterFault) {
    super(fault.fault);
    this.fault = fault;
  }
}

const SPACE = /[ \t\r\n]*/y;
/** A name in a field. Dots separate names. */
const NAME = /[^\s\p{Cc}".=!<>(),']+/uy;
/** A value without quotes. */
const WORD = /[^\s\p{Cc}"=!<>(),']+/uy;
const SYMBOL = /[!<>]=|[=<>]/y;
/** A text in quotes. JSON checks its escapes. */
const TEXT = /"(?:[^"\\]|\\.)*"/suy;
const NUMBER = /^-?\d{1,20}(?:\.\d{1,20})?$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

const VALUE_MISSING = 'a value is expected, in double quotes if it has spaces or other signs';

const EQUALITY: readonly Operator[] = ['=', '!='];
const ORDER: readonly Operator[] = ['=', '!=', '>', '>=', '<', '<='];
const CHOICE: readonly Operator[] = ['=', '!=', 'contains', 'starts_with'];

class Parser {
  readonly #text: string;
  readonly #fields: Branch;
  #at = 0;

  constructor(text: string, fields: Branch) {
    this.#text = text;
    this.#fields = fields;
  }

  filter(): Filter {
    const terms: Term[] = [];
    for (;;) {
      if (terms.length === MOST_TERMS) throw new Fault({ fault: 'terms', limit: MOST_TERMS });
      terms.push(this.#term());
      this.#match(SPACE);
      if (this.#at === this.#text.length) return terms;
      const start = this.#at;
      if (this.#match(WORD) !== 'and') this.#fail('"and" or the end is expected', start);
    }
  }

  #term(): Term {
    this.#match(SPACE);
    const start = this.#at;
    const { path, field } = this.#field();
    const name = this.#text.slice(start, this.#at);
    this.#match(SPACE);
    const operatorAt = this.#at;
    const operator = this.#operator();
    const allowed = operatorsOf(field);
    if (!allowed.includes(operator))
      throw new Fault({
        fault: 'operator',
        position: this.#position(operatorAt),
        field: name,
        operator,
        allowed,
      });
    this.#match(SPACE);
    const valueAt = this.#at;
    const written = this.#value();
    const operand = operandOf(field, operator, written);
    if (typeof operand !== 'string') return { path, operator, operand };
    const position = this.#position(valueAt);
    throw new Fault({ fault: 'value', position, field: name, value: written.text, expected: operand });
  }

  /** Reads the names of a field. */
  #field(): { readonly path: readonly string[]; readonly field: Field } {
    const path: string[] = [];
    let field: Field = this.#fields;
    do {
      const start = this.#at;
      const name = this.#quoted() ?? this.#match(NAME);
      if (name === '') this.#fail('the name of a field is expected', start);
      const next: Field | undefined = below(field, name);
      if (next === undefined) {
        const allowed = field.type === 'object' ? [...field.fields.keys()] : [];
        const shown = [...path, name].join('.');
        throw new Fault({ fault: 'field', position: this.#position(start), field: shown, allowed });
      }
      path.push(name);
      field = next;
    } while (this.#take('.'));
    return { path, field };
  }

  #operator(): Operator {
    const start = this.#at;
    const written = this.#match(SYMBOL) || this.#match(WORD);
    const operator = OPERATORS.find((one) => one === written);
    return operator ?? this.#fail(`an operator is expected, one of ${OPERATORS.join(' ')}`, start);
  }

  #value(): Written {
    const start = this.#at;
    const quoted = this.#quoted();
    if (quoted !== null) return { text: quoted, isQuoted: true };
    const text = this.#match(WORD);
    if (text === '' || text === 'and') this.#fail(VALUE_MISSING, start);
    return { text, isQuoted: false };
  }

  /** Reads a text in quotes; null without a quote here. */
  #quoted(): string | null {
    if (this.#text[this.#at] !== '"') return null;
    const start = this.#at;
    const raw = this.#match(TEXT);
    const text = raw === '' ? null : unquoted(raw);
    return (
      text ?? this.#fail('the text in quotes is not closed, or has a sign that JSON does not allow', start)
    );
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

  #fail(reason: string, at: number): never {
    throw new Fault({ fault: 'syntax', position: this.#position(at), reason });
  }

  #position(at: number): number {
    return Array.from(this.#text.slice(0, at)).length + 1;
  }
}

/** A value in a filter, before its type is known. */
interface Written {
  readonly text: string;
  readonly isQuoted: boolean;
}

function unquoted(raw: string): string | null {
  try {
    const text = JSON.parse(raw) as string;
    return text.isWellFormed() ? text : null;
  } catch {
    return null;
  }
}

function below(field: Field, name: string): Field | undefined {
  return field.type === 'object' ? (field.fields.get(name) ?? field.rest) : undefined;
}

function operatorsOf(field: Field): readonly Operator[] {
  switch (field.type) {
    case 'text':
      return field.values === undefined ? OPERATORS : CHOICE;
    case 'number':
    case 'time':
      return ORDER;
    case 'boolean':
    case 'object':
      return EQUALITY;
  }
}

/** Returns the checked operand, or a text with the values that are possible. */
function operandOf(field: Field, operator: Operator, { text, isQuoted }: Written): Operand | string {
  if (text === 'null' && !isQuoted)
    return EQUALITY.includes(operator) ? { type: 'null' } : 'a value; null goes with = and != only';
  switch (field.type) {
    case 'text':
      return textOperand(field.values, operator, text);
    case 'number': {
      const value = Number(text);
      return NUMBER.test(text) ? { type: 'number', value } : 'a number such as 10 or -1.5, or null';
    }
    case 'time': {
      const value = timeOf(text);
      const form = 'a time such as 2026-01-31T12:00:00Z, a day such as 2026-01-31, or null';
      return value === null ? form : { type: 'time', value };
    }
    case 'boolean':
      return text === 'true' || text === 'false'
        ? { type: 'boolean', value: text === 'true' }
        : 'true, false or null';
    case 'object':
      return 'null, or a field below it with its own value';
  }
}

function textOperand(
  values: readonly string[] | undefined,
  operator: Operator,
  text: string,
): Operand | string {
  if (operator === 'contains' || operator === 'starts_with')
    return { type: 'text', value: text.toLowerCase() };
  if (values === undefined || values.includes(text)) return { type: 'text', value: text };
  return `one of ${values.join(', ')}, or null`;
}

/** Milliseconds since the epoch; a day is its first moment in UTC. Null for other texts. */
function timeOf(text: string): number | null {
  const whole = DATE.test(text) ? `${text}T00:00:00Z` : text;
  return parseTimestamp(whole) === null ? null : Date.parse(whole.toUpperCase());
}

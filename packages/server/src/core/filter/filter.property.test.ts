import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Type } from '../type.ts';
import { fieldsOf } from './fields.ts';
import { type Filter, isFilterFault, OPERATORS, type Term } from './filter.ts';
import { matches } from './match.ts';
import { parseFilter } from './parse.ts';

const fields = fieldsOf(
  Type.Object({
    text: Type.String(),
    count: Type.Integer(),
    at: Type.String({ format: 'date-time' }),
    on: Type.Boolean(),
    map: Type.Record(Type.String(), Type.Array(Type.Object({ name: Type.String() }))),
  }),
);

/** A term and one of its spellings. */
interface Written {
  readonly term: Term;
  readonly text: string;
}

const space = fc.constantFrom('', ' ', '\t ', '\n');
const order = fc.constantFrom('=', '!=', '>', '>=', '<', '<=');
const unicode = fc.string({ unit: 'grapheme', maxLength: 12 });

function written(term: Term, path: string, value: string, [one, two]: readonly string[]): Written {
  const isWord = /^\w+$/.test(term.operator);
  const [before, after] = isWord ? [` ${one}`, ` ${two}`] : [one, two];
  return { term, text: `${path}${before}${term.operator}${after}${value}` };
}

const spaces = fc.tuple(space, space);
const texts = fc.tuple(fc.constantFrom(...OPERATORS), unicode, spaces).map(([operator, value, gaps]) => {
  const isPart = operator === 'contains' || operator === 'starts_with';
  const operand = { type: 'text', value: isPart ? value.toLowerCase() : value } as const;
  return written({ path: ['text'], operator, operand }, 'text', JSON.stringify(value), gaps);
});
const numbers = fc.tuple(order, fc.integer(), spaces).map(([operator, value, gaps]) => {
  const operand = { type: 'number', value: Object.is(value, -0) ? 0 : value } as const;
  return written({ path: ['count'], operator, operand }, 'count', String(value), gaps);
});
const times = fc.tuple(order, fc.integer({ min: 0, max: 4e9 }), spaces).map(([operator, seconds, gaps]) => {
  const operand = { type: 'time', value: seconds * 1000 } as const;
  const value = new Date(seconds * 1000).toISOString();
  return written({ path: ['at'], operator, operand }, 'at', value, gaps);
});
const keys = fc.tuple(unicode.filter(Boolean), unicode, spaces).map(([key, value, gaps]) => {
  const operand = { type: 'text', value } as const;
  const path = `map.${JSON.stringify(key)}.name`;
  return written({ path: ['map', key, 'name'], operator: '=', operand }, path, JSON.stringify(value), gaps);
});

test('a printed filter is parsed to the same terms', () => {
  const filters = fc.array(fc.oneof(texts, numbers, times, keys), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(filters, (terms) => {
      const text = terms.map((one) => one.text).join(' and ');
      const expected: Filter = terms.map((one) => one.term);
      assert.deepEqual(parseFilter(text, fields), expected);
    }),
  );
});

test('any text is a filter or has a fault, and any filter decides about any JSON', () => {
  const words = fc.constantFrom(
    'text',
    'count',
    'at',
    'on',
    'map',
    'and',
    'null',
    'true',
    '.',
    '"',
    '\\',
    '2026-01-01',
  );
  const signs = fc.constantFrom(...OPERATORS, ' ', '  ');
  const pieces = fc.array(fc.oneof(words, signs, fc.string({ unit: 'binary', maxLength: 3 })), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(
      fc.oneof(
        pieces.map((all) => all.join('')),
        fc.string({ unit: 'binary' }),
      ),
      fc.jsonValue(),
      (text, value) => {
        const filter = parseFilter(text, fields);
        if (isFilterFault(filter)) return;
        assert.equal(typeof matches(filter, value), 'boolean');
        assert.equal(
          typeof matches(filter, { text: value, count: value, at: value, on: value, map: { a: value } }),
          'boolean',
        );
      },
    ),
    { numRuns: 1000 },
  );
});

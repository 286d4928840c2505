import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../../test/harness/any-character.ts';
import type { ErrorName } from '../errors/catalogue.ts';
import { Problem } from '../errors/problem.ts';
import { elementsQuery, emptyQuery, pageQuery, splitTarget } from './query.ts';

const id = 'bkdhr_2NGMTbWc4FRUSFXd6YGbWXkE3PB';

function problemOf(act: () => unknown): Problem {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof Problem);
    return error;
  }
  throw new assert.AssertionError({ message: 'nothing was raised' });
}

function refuses(query: string, code: ErrorName, field?: string): void {
  const problem = problemOf(() => pageQuery(query, 'bkdhr'));
  assert.equal(problem.code, code, query);
  assert.equal(problem.details.field, field, query);
}

test('the query begins after the first question mark', () => {
  assert.deepEqual(splitTarget('/a'), { pathname: '/a', query: '' });
  assert.deepEqual(splitTarget('/a?'), { pathname: '/a', query: '' });
  assert.deepEqual(splitTarget('/a?b=?'), { pathname: '/a', query: 'b=?' });
});

test('a list without parameters shows 100 from the start', () => {
  assert.deepEqual(pageQuery('', 'bkdhr'), { limit: 100 });
  assert.deepEqual(pageQuery('&', 'bkdhr'), { limit: 100 });
});

test('limit takes 1 to 100', () => {
  assert.deepEqual(pageQuery('limit=1', 'bkdhr'), { limit: 1 });
  assert.deepEqual(pageQuery('limit=100', 'bkdhr'), { limit: 100 });
  assert.deepEqual(pageQuery('%6cimit=%37', 'bkdhr'), { limit: 7 });
  for (const value of ['0', '101', '-1', '-0', '99999999999999999999999'])
    refuses(`limit=${value}`, 'limitOutOfRange', 'limit');
  for (const value of ['1e2', '+5', '%2B5', '0x10', '1.5', '1_0', 'ten', ' 5', '٥', '--1']) {
    refuses(`limit=${value}`, 'limitNotNumber', 'limit');
  }
});

test('a parameter without a value is absent, whatever its name and however often', () => {
  const empty = [
    'limit',
    'limit=',
    'before_id=',
    'beforeId=',
    'offset=',
    '=',
    '%6cimit=',
    'a',
    'limit=&limit',
  ];
  for (const query of [...empty, empty.join('&')]) {
    assert.deepEqual(pageQuery(query, 'bkdhr'), { limit: 100 }, query);
    assert.deepEqual(elementsQuery(query), { limit: Infinity }, query);
    assert.deepEqual(emptyQuery(query), { limit: 100 }, query);
    assert.deepEqual(pageQuery(`${query}&limit=7`, 'bkdhr'), { limit: 7 }, query);
    assert.deepEqual(pageQuery(`limit=7&${query}`, 'bkdhr'), { limit: 7 }, query);
  }
  refuses('=1', 'queryParameterUnknown', '');
  refuses('offset=&offset=1', 'queryParameterUnknown', 'offset');
});

test('before_id takes an id of the listed kind', () => {
  assert.deepEqual(pageQuery(`before_id=${id}&limit=5`, 'bkdhr'), { limit: 5, before: id });
  refuses(`before_id=cr${id.slice(5)}`, 'idPrefixWrong', 'before_id');
  refuses('before_id=bkdhrx_1', 'idPrefixWrong', 'before_id');
  refuses('before_id=bkdhr_', 'idMalformed', 'before_id');
  refuses(`before_id=bkdhr_${'z'.repeat(27)}`, 'idMalformed', 'before_id');
  refuses(`before_id=${id}0`, 'idMalformed', 'before_id');
  refuses(`before_id=${id.slice(0, -1)}%00`, 'idMalformed', 'before_id');
});

test('before_id is also taken as published clients spell it, once', () => {
  assert.deepEqual(pageQuery(`limit=5&beforeId=${id}`, 'bkdhr'), { limit: 5, before: id });
  refuses(`beforeId=cr${id.slice(5)}`, 'idPrefixWrong', 'before_id');
  refuses(`beforeId=${id}&before_id=${id}`, 'queryParameterRepeated', 'before_id');
  refuses(`before_id=${id}&beforeId=${id}`, 'queryParameterRepeated', 'before_id');
  refuses(`beforeID=${id}`, 'queryParameterUnknown', 'beforeID');
  const problem = problemOf(() => emptyQuery(`beforeId=${id}`));
  assert.deepEqual([problem.code, problem.details.field], ['queryParameterUnknown', 'beforeId']);
});

test('a list of elements is whole without a limit, and goes on from any key', () => {
  assert.deepEqual(elementsQuery(''), { limit: Infinity });
  assert.deepEqual(elementsQuery('before_id=a.v0&limit=7'), { limit: 7, before: 'a.v0' });
  assert.deepEqual(elementsQuery('beforeId=a.v0'), { limit: Infinity, before: 'a.v0' });
  for (const query of ['limit=0', 'limit=101', 'limit=Infinity', 'type=a'])
    assert.match(problemOf(() => elementsQuery(query)).code, /^limit|^query/);
});

test('unknown, repeated and malformed parameters are refused by name', () => {
  refuses('Limit=5', 'queryParameterUnknown', 'Limit');
  refuses('__proto__=1', 'queryParameterUnknown', '__proto__');
  refuses('=5', 'queryParameterUnknown', '');
  refuses('limit=5&limit=5', 'queryParameterRepeated', 'limit');
  refuses('limit=5&%6cimit=5', 'queryParameterRepeated', 'limit');
  for (const query of ['limit=%', 'limit=%zz', 'limit=%ff', '%c3%28=1']) refuses(query, 'queryMalformed');
  assert.equal(problemOf(() => emptyQuery('limit=5')).code, 'queryParameterUnknown');
});

test('no query text raises anything but a problem', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (query) => {
      try {
        pageQuery(query, 'bkdhr');
      } catch (error) {
        assert.ok(error instanceof Problem);
      }
    }),
  );
});

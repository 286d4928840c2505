/** Tests of values of a client in error messages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cut, echo } from './echo.ts';
import { Problem } from './problem.ts';
import { Terms } from './values.ts';

test('100 characters are shown, and of more than that the first 100 with an ellipsis', () => {
  for (const one of ['x', 'é', '😀', '한']) {
    assert.equal(echo(one.repeat(100)), one.repeat(100));
    assert.equal(echo(one.repeat(101)), `${one.repeat(100)}…`);
    assert.equal(echo(one.repeat(100_000)), `${one.repeat(100)}…`);
  }
  assert.equal(cut(`x${'😀'.repeat(101)}`), `x${'😀'.repeat(99)}…`);
  assert.equal(cut(''), '');
});

test('what would break or reorder the line is escaped', () => {
  assert.equal(echo('a\r\nb\u202ec\u0000'), 'a\\x0d\\x0ab\\u202ec\\x00');
});

test('a message cuts the values of its client, and no words of its own', () => {
  const long = 'x'.repeat(5000);
  const unknown = new Problem('queryParameterUnknown', { name: long, allowed: 'limit, before_id' });
  assert.match(unknown.message, /"x{100}…" is unknown here\. Supported parameters: limit, before_id\./);
  const allowed = new Terms(
    '/a',
    Array.from({ length: 60 }, (_, at) => `value${at}`),
  );
  const problem = new Problem('valueNotAllowed', { field: '/a', value: new Terms('/a', [long]), allowed });
  assert.ok(problem.message.includes(allowed.toString()));
  assert.doesNotMatch(problem.message, /x{101}/);
  const dollar = new Problem('queryParameterRepeated', { name: '$& {name}' });
  assert.ok(dollar.message.includes('"$& {name}"'));
});

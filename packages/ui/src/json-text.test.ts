import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { indentedJson } from './json-text.ts';

test('a value is indented as programs do it, whatever it is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      for (const text of [JSON.stringify(value), JSON.stringify(value, null, '\t')])
        assert.equal(indentedJson(text), JSON.stringify(value, null, 2));
    }),
  );
});

test('what programs would change stays as it was', () => {
  const text = '{"id":12345678901234567890,"2":1.0,"1":1e400,"id":-0,"t":"\\u00e4\\/\\""}';
  const lines = ['"id": 12345678901234567890', '"2": 1.0', '"1": 1e400', '"id": -0', '"t": "\\u00e4\\/\\""'];
  assert.equal(indentedJson(text), `{\n  ${lines.join(',\n  ')}\n}`);
});

test('what is no JSON, or would become huge, is left alone', () => {
  for (const text of ['', '{', '{"a":1', 'text', '{"a":1}x', '['.repeat(5_000) + ']'.repeat(5_000)])
    assert.equal(indentedJson(text), null, text.slice(0, 10));
  const long = JSON.stringify('x"'.repeat(500_000));
  assert.equal(indentedJson(long), long);
});

import assert from 'node:assert/strict';
import { STATUS_CODES } from 'node:http';
import { test } from 'node:test';
import { reasonPhrase } from './reason-phrase.ts';

test('status lines say what they say everywhere, and nothing where there are no words', () => {
  // Its words for these are older than RFC 9110.
  const renamed = new Map([
    [413, 'Content Too Large'],
    [422, 'Unprocessable Content'],
  ]);
  for (let status = 100; status < 600; status += 1)
    assert.equal(reasonPhrase(status), renamed.get(status) ?? STATUS_CODES[status] ?? '');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultOfRefusal } from './refusal-fault.ts';

test('the words of a client name the cause of a channel that it does not open', () => {
  for (const [words, cause] of [
    ['Connection refused', 'refused'],
    ['Name or service not known', 'name'],
    ['Connection timed out', 'timeout'],
    ['Operation timeout', 'timeout'],
    ['No route to host', 'route'],
    ['Network is unreachable', 'route'],
    ['No such file or directory', 'socket'],
    ['open failed', 'failed'],
    ['', 'failed'],
  ] as const)
    assert.equal(faultOfRefusal(words).cause, cause, words);
  assert.equal(faultOfRefusal('open failed').text, 'the connection failed (SSH client: open failed)');
  assert.equal(faultOfRefusal('').text, 'the connection failed');
});

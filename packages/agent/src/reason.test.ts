import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonOf } from './reason.ts';

test('why a connection failed, or a port could not be listened on, is said in words', () => {
  const error = (code: string, message = '') => Object.assign(new Error(message), { code });
  for (const [failed, reason] of [
    [error('EACCES', 'listen EACCES: permission denied 127.0.0.1:80'), 'this user has no permission'],
    [error('ECONNREFUSED'), 'connection refused (is it running?)'],
    [new AggregateError([error('ENOTFOUND'), error('EACCES')]), 'the name does not exist in DNS'],
    [
      error('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate; if the root CA is installed locally, x'),
      'self-signed certificate',
    ],
    [
      error('X', '80:error:0A:SSL routines:ssl3_read:wrong version number:c:1:'),
      'TLS failed: wrong version number',
    ],
    ['text', 'text'],
  ] as const)
    assert.equal(reasonOf(failed), reason);
});

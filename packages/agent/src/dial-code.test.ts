import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErrorCode, isUnreached, toErrorCode } from '@underpass/wire';
import { DialTimeout, dialCodeOf } from './dial-code.ts';

const withCode = (code: string) => Object.assign(new Error(code), { code });

test('each cause of an unreached upstream has a code, which the other end of the wire knows', () => {
  for (const [error, code] of [
    [withCode('ECONNREFUSED'), ErrorCode.upstreamRefused],
    [new AggregateError([withCode('ECONNREFUSED'), withCode('ENETUNREACH')]), ErrorCode.upstreamRefused],
    [withCode('ENOTFOUND'), ErrorCode.upstreamNameMissing],
    [withCode('EAI_AGAIN'), ErrorCode.upstreamNameServers],
    [withCode('ETIMEDOUT'), ErrorCode.upstreamDialTimeout],
    [new DialTimeout('no answer within 10 s'), ErrorCode.upstreamDialTimeout],
    [withCode('CERT_HAS_EXPIRED'), ErrorCode.upstreamTlsFailed],
    [Object.assign(withCode('EPROTO'), { reason: 'wrong version number' }), ErrorCode.upstreamTlsFailed],
    [withCode('EHOSTUNREACH'), ErrorCode.upstreamNoRoute],
    [withCode('ENOENT'), ErrorCode.upstreamNoSocket],
    [withCode('EACCES'), ErrorCode.upstreamUnreached],
    ['?', ErrorCode.upstreamUnreached],
  ] as const) {
    assert.equal(dialCodeOf(error), code, String(error));
    assert.equal(toErrorCode(code), code);
    assert.ok(isUnreached(code));
  }
  assert.equal(toErrorCode(ErrorCode.upstreamNoSocket + 1), ErrorCode.internal);
  assert.equal(toErrorCode(ErrorCode.upstreamRefused - 1), ErrorCode.internal);
});

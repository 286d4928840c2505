import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiKeyOf, hostFits } from './checks.ts';

test('a Host header fits the TLS server name in any spelling of the same name, and no other name fits', () => {
  for (const host of [
    'api.example.com',
    'API.example.COM',
    'api.example.com.',
    'api.example.com:443',
    'api.example.com:8443',
  ]) {
    assert.ok(hostFits(host, 'api.example.com'), host);
    assert.ok(hostFits(host, 'Api.Example.com.'), host);
  }
  for (const host of [
    '',
    'example.com',
    'xapi.example.com',
    'api.example.com.evil.net',
    'api.example.com:',
    'api.example.com@evil.net',
    '10.0.0.1',
    '[::1]:443',
    'api.example.com:443:443',
  ]) {
    assert.ok(!hostFits(host, 'api.example.com'), host);
  }
});

test('an API key comes as a bearer token, or as either half of Basic credentials', () => {
  const key = `${'2NGMTbWc4FRUSFXd6YGbWXkE3PB'}_${'a'.repeat(22)}`;
  const other = `${'2NGMTbWc4FRUSFXd6YGbWXkE3PB'}_${'b'.repeat(22)}`;
  const basic = (text: string) => apiKeyOf(`Basic ${Buffer.from(text).toString('base64')}`);
  const unsupported = { fault: 'authorizationUnsupported' };
  assert.deepEqual(apiKeyOf(`bearer ${key}`), { token: key });
  for (const halves of [`${key}:`, `:${key}`, `${key}:${key}`, `api:${key}`, `${key}:x-oauth`, `:${key}`])
    assert.deepEqual(basic(halves), { token: key }, halves);
  assert.deepEqual(apiKeyOf(`bASIC  ${Buffer.from(`a:${key}`).toString('base64')}`), { token: key });
  // These are no keys, but only the look-up knows which fault each has.
  for (const [halves, token] of [
    ['user:pass', 'user'],
    [':pass', 'pass'],
    [`:${key}:`, `${key}:`],
    ['ak_1:', 'ak_1'],
  ] as const)
    assert.deepEqual(basic(halves), { token }, halves);
  for (const nothing of [':', key, `${key}:${other}`]) assert.deepEqual(basic(nothing), unsupported, nothing);
  for (const header of ['Basic', 'Basic ', 'Basic a:b', 'Basic YTpi YTpi', 'Basic =', `Digest ${key}`, key])
    assert.deepEqual(apiKeyOf(header), unsupported, header);
  for (const header of [undefined, '']) assert.deepEqual(apiKeyOf(header), { fault: 'authorizationMissing' });
});

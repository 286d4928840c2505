import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput } from '../address.ts';
import { describedRequest } from './described-request.ts';
import { explanationText, isExpected, runExplain } from './explain.ts';

test('flags become the described request, and equal headers are joined', () => {
  const header = ['Accept: text/html', 'x-key:a:b', 'ACCEPT:  image/png '];
  const flags = { from: '192.0.2.1', request: 'POST', header, without: ['oidc'] as const };
  assert.deepEqual(describedRequest('https://a.example', flags, '/'), {
    ...{ url: 'https://a.example', client_ip: '192.0.2.1', method: 'POST', without: ['oidc'] },
    headers: { accept: 'text/html, image/png', 'x-key': 'a:b' },
  });
  const bare = describedRequest('a.example:443', { from: '::1' }, '/');
  assert.deepEqual(bare, { url: 'a.example:443', client_ip: '::1' });
});

test('a header without a name and a missing file are refused with their flags', () => {
  for (const [flags, flag] of [
    [{ header: ['no colon'] }, 'header'],
    [{ header: [': value'] }, 'header'],
    [{ clientCertificate: 'missing.pem' }, 'client-certificate'],
  ] as const)
    assert.throws(
      () => describedRequest('https://a.example', { from: '::1', ...flags }, '/nowhere'),
      (error) => error instanceof InvalidInput && error.flag === flag,
    );
});

test('the text has the result first, and a line for each step without control characters', () => {
  const step = { resource: '', error_code: '', why: 'It is known.' };
  const text = explanationText({
    ...{ outcome: 'refused', status_code: 403, error_code: 'ERR_SERVICE_3205' },
    steps: [
      { ...step, step: 'name', outcome: 'passed' },
      { ...step, step: 'route', outcome: 'refused', resource: 'ed_1', why: 'Not \u001b[31mred.' },
      { ...step, step: 'backend', outcome: 'not_reached' },
    ],
  });
  assert.equal(
    text,
    [
      'refused 403 ERR_SERVICE_3205',
      '  passed       name     It is known.',
      '  refused      route    Not \\x1b[31mred. (ed_1)',
      '  not reached  backend  It is known.',
      '',
    ].join('\n'),
  );
});

test('a check expects an outcome, a status code or an error code, and other texts are refused', async () => {
  const result = { outcome: 'refused', status_code: 403, error_code: 'ERR_SERVICE_3205', steps: [] };
  for (const expected of ['refused', '403', 'ERR_SERVICE_3205']) assert.ok(isExpected(result, expected));
  for (const expected of ['served', '40', 'ERR_SERVICE_320']) assert.ok(!isExpected(result, expected));
  for (const expected of ['', 'Refused', '4030', 'ok'])
    await assert.rejects(
      runExplain({ url: 'https://a.example', client_ip: '::1' }, { from: '::1', expect: [expected] }),
      (error) => error instanceof InvalidInput && error.flag === 'expect',
    );
});

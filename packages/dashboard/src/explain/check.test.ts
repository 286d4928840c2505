import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { checkOf } from './check.ts';

test('a check is a command of a shell, with each word of the request as it is', () => {
  const url = "https://a.example/it's?a=1&b=$HOME";
  const question = { url, client_ip: '::1', method: 'POST', headers: { accept: 'a, b' } };
  const check = checkOf({ ...question, without: ['oidc'] }, { outcome: 'refused', status_code: 403 }) ?? '';
  const words = execFileSync('sh', ['-c', `for word in ${check}; do printf '%s\\n' "$word"; done`], {
    encoding: 'utf8',
  });
  assert.deepEqual(words.trimEnd().split('\n'), [
    ...['underpass', 'explain', url, '--from', '::1', '-X', 'POST', '-H', 'accept: a, b'],
    ...['--without', 'oidc', '--expect', 'refused', '--expect', '403'],
  ]);
});

test('a result of a backend expects its outcome only, and a certificate makes no check', () => {
  const question = { url: 'https://a.example/', client_ip: '192.0.2.1' };
  const served = { outcome: 'served', status_code: 0 } as const;
  assert.equal(
    checkOf(question, served),
    'underpass explain https://a.example/ --from 192.0.2.1 --expect served',
  );
  assert.equal(checkOf({ ...question, client_certificate: 'x' }, served), null);
});

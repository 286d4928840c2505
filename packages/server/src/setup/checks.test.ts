/** Checks of a setup, the lines of a change, and the file of secrets. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { checkDns } from './check-dns.ts';
import { checkPorts } from './check-ports.ts';
import { diffLines } from './diff-lines.ts';
import { secretIn, withSecret } from './secrets-file.ts';

const off = { 'http-listen': null, 'ssh-listen': null, 'dns-listen': null };
const service = { domain: 'example.com', acme: null, listeners: { listen: ':443', ...off } };

test('names that lead here need no words; others get the records to create', async () => {
  const here = async () => ['203.0.113.10'];
  assert.deepEqual(await checkDns(service, ['203.0.113.10', '::1'], here), []);
  const lookup = async (name: string) => (name.startsWith('api.') ? ['198.51.100.1'] : []);
  const lines = await checkDns(service, ['203.0.113.10'], lookup);
  assert.match(lines.join('\n'), /^Warning: connect\.example\.com does not resolve\.$/m);
  assert.match(
    lines.join('\n'),
    /^Warning: api\.example\.com leads to 198\.51\.100\.1, which is no address/m,
  );
  assert.match(lines.join('\n'), /^ {2}\*\.example\.com\. +A +203\.0\.113\.10$/m);
  assert.doesNotMatch(lines.join('\n'), /acme/);
  const acme = { directory: 'https://ca.example', email: null, ca: null };
  const listeners = { ...service.listeners, 'dns-listen': ':53' };
  const zone = await checkDns({ ...service, acme, listeners }, ['2001:db8::1'], async () => []);
  assert.match(zone.join('\n'), /_acme-challenge\.example\.com\. +CNAME +service\.acme\.example\.com\./);
  assert.match(zone.join('\n'), /^ {2}example\.com\. +AAAA +2001:db8::1$/m);
  const nothing = await checkDns({ ...service, domain: 'underpass.localhost' }, [], async () => []);
  assert.deepEqual(nothing, []);
});

test('a port that is taken is named with the error and the remedy, unless it is of the former setup', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const listen = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  await assert.rejects(checkPorts({ listen, ...off }, null), {
    name: 'SetupError',
    message:
      /^--listen 127\.0\.0\.1:\d+: cannot listen .*another process .*\(EADDRINUSE\); stop that process .*--listen$/,
  });
  await checkPorts({ listen, ...off }, { listen, ...off });
  const elsewhere = { listen, ...off, 'dns-listen': '192.0.2.1:53' };
  await assert.rejects(checkPorts(elsewhere, { listen, ...off }), /--dns-listen 192.*EADDRNOTAVAIL/);
});

test('the lines of a change are those that differ', () => {
  assert.deepEqual(diffLines('', 'a\nb\n'), ['+ a', '+ b']);
  assert.deepEqual(diffLines('a\nb\nc\n', 'a\nx\nc\nd\n'), ['- b', '+ x', '+ d']);
  assert.deepEqual(diffLines('a\n', 'a\n'), []);
  assert.deepEqual(diffLines('a\nb\n', ''), ['- a', '- b']);
});

test('a secret is read as systemd reads it, and other lines stay', () => {
  const text = '# ours\nA=1\nUNDERPASS_DATABASE=postgres://a:b@c/d\n';
  assert.equal(secretIn(text, 'UNDERPASS_DATABASE'), 'postgres://a:b@c/d');
  assert.equal(secretIn(text, 'UNDERPASS'), null);
  const changed = withSecret(text, 'UNDERPASS_DATABASE', 'a "b" $c \\d');
  assert.equal(changed, '# ours\nA=1\nUNDERPASS_DATABASE="a \\"b\\" \\$c \\\\d"\n');
  assert.equal(secretIn(changed, 'UNDERPASS_DATABASE'), 'a "b" $c \\d');
  assert.equal(withSecret(changed, 'UNDERPASS_DATABASE', null), '# ours\nA=1\n');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput, parseUpstream } from './address.ts';
import { serverNameOf } from './server-name.ts';
import { unreachable } from './upstream-faults.ts';

function ofHost(line: string): string | undefined {
  return serverNameOf({ modules: { requestHeaders: { add: ['x: y', line], remove: [] } } });
}

test('the server name is the given one, else that of the Host that requests get', () => {
  assert.equal(serverNameOf({ upstreamSni: 'a.example' }), 'a.example');
  assert.equal(ofHost('host:inner.example'), 'inner.example');
  assert.equal(ofHost('Host: inner.example:8443 '), 'inner.example');
  assert.equal(
    serverNameOf({ upstreamSni: 'a', modules: { requestHeaders: { add: ['host:b'], remove: [] } } }),
    'a',
  );
});

test('addresses, templates and other headers are no server names', () => {
  assert.equal(serverNameOf({}), undefined);
  for (const line of [
    'host:127.0.0.1:3000',
    'host:[::1]:3000',
    `host:$\{.conn.server_name}`,
    'host:',
    'hosts:a',
  ])
    assert.equal(ofHost(line), undefined, line);
});

test('what is given and is no name is refused', () => {
  for (const upstreamSni of [
    '',
    '127.0.0.1',
    '::1',
    'a.example:443',
    'https://a',
    '*.a',
    'a..b',
    '-a',
    'a'.repeat(64),
  ])
    assert.throws(() => serverNameOf({ upstreamSni }), InvalidInput, upstreamSni);
});

test('a failed handshake with an upstream names the option for the server name', () => {
  const failed = (reason: string) =>
    unreachable(parseUpstream('https://a'), Object.assign(new Error(reason), { reason }));
  for (const reason of [
    'tlsv1 unrecognized name',
    'missing extension',
    'sslv3 alert handshake failure',
    'tlsv1 alert internal error',
  ]) {
    assert.match(failed(reason), /--upstream-sni NAME/, reason);
    assert.doesNotMatch(failed(reason), /connect\.DOMAIN/, reason);
  }
});

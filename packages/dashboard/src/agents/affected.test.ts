/** Tests of the names and backends that one session serves alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tunnel } from '@underpass/client';
import { affectedBy, nameOfTunnel, nameOfUrl } from './affected.ts';

const ref = (id: string) => ({ id, uri: '' });

function tunnel(session: string, changes: Partial<Tunnel>): Tunnel {
  return {
    ...{ id: 'tn_1', started_at: '', metadata: '', region: '', node: '', forwards_to: '127.0.0.1:80' },
    ...{ tunnel_session: ref(session), labels: {}, backends: [], ...changes },
  };
}

test('a name or a backend that another session serves, too, is not affected', () => {
  const tunnels = [
    tunnel('a', { public_url: 'https://only.example.com' }),
    tunnel('a', { public_url: 'https://both.example.com' }),
    tunnel('b', { public_url: 'http://both.example.com' }),
    tunnel('a', { labels: { app: 'web' }, backends: [ref('one'), ref('two')] }),
    tunnel('b', { labels: { app: 'web' }, backends: [ref('two')] }),
    tunnel('a', { public_url: 'tcp://1.tcp.example.com:20000' }),
  ];
  assert.deepEqual(affectedBy('a', tunnels), {
    names: ['1.tcp.example.com:20000', 'only.example.com'],
    backends: ['one'],
  });
  assert.deepEqual(affectedBy('b', tunnels), { names: [], backends: [] });
  assert.deepEqual(affectedBy('c', tunnels), { names: [], backends: [] });
});

test('names have a port for TCP only', () => {
  assert.equal(nameOfUrl('https://a.example.com:8443'), 'a.example.com');
  assert.equal(nameOfUrl('tls://a.example.com:8443'), 'a.example.com');
  assert.equal(nameOfUrl('not a URL'), 'not a URL');
  assert.equal(nameOfTunnel(tunnel('a', { labels: { app: 'web', tier: '1' } })), 'app=web, tier=1');
});

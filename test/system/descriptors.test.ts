/**
 * More connections than the daemon has file descriptors.
 * Invariant: they do not end it, or lock active clients out.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { closing, eventually, Platform, until } from '../harness/index.ts';
import { fixedEdge } from './attacks.fixture.ts';

const NAME = 'scarce.underpass.localhost';
let platform: Platform;

before(async () => {
  platform = await Platform.start({ through: ['/bin/sh', '-c', 'ulimit -n 160; exec "$0" "$@"'] });
  await fixedEdge(platform, 'scarce', 'still here');
});
after(async () => {
  await platform.stop();
});

async function metric(series: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${platform.adminPort}/metrics`);
  const line = (await answer.text()).split('\n').find((each) => each.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}

const logged = (text: string): number => platform.daemon.lines.filter((line) => line.includes(text)).length;

test('connections without a handshake, more than there are file descriptors, keep nobody out', async () => {
  const silent = Array.from({ length: 300 }, () => connect(platform.port, '127.0.0.1'));
  for (const socket of silent) socket.on('error', () => {});
  await Promise.all(silent.map((socket) => (socket.connecting ? once(socket, 'connect') : null)));
  assert.equal((await platform.visit(NAME)).text, 'still here');
  assert.equal((await platform.api('POST', '/reserved_domains', { name: 'written' })).status, 201);
  assert.ok((await metric('underpass_tls_handshake_failures_total{reason="crowded_out"}')) > 100);
  assert.equal(logged('for want of file descriptors'), 0);
  for (const socket of silent) socket.destroy();
  await eventually(async () => assert.ok((await metric('underpass_front_door_connections')) < 20));
});

test('connections beyond the descriptors are refused, counted and logged once, and the daemon goes on', async () => {
  await platform.client.endKept();
  await eventually(async () => assert.equal(await metric('underpass_front_door_connections'), 0));
  const limit = await metric('underpass_front_door_connections_limit');
  assert.ok(limit > 20 && limit < 160, String(limit));
  const taken: TLSSocket[] = [];
  const takeAll = async (): Promise<void> => {
    for (;;) {
      // One source alone has at most half of them.
      const localAddress = `127.0.1.${1 + taken.length}`;
      const socket = await platform.client.tls(NAME, { localAddress }).catch(() => null);
      if (socket === null) return;
      taken.push(socket);
    }
  };
  const refused = () => metric('underpass_accept_failures_total{reason="EMFILE"}');
  await eventually(async () => {
    await takeAll();
    assert.ok(taken.length >= limit - 5, `${taken.length} of ${limit}`);
    const before = await refused();
    await Promise.all(Array.from({ length: 50 }, () => closing(connect(platform.port, '127.0.0.1'))));
    // If a connection kept from the test before has ended meanwhile, there was room for one more, so that the count
    // is repeated.
    assert.equal((await refused()) - before, 50);
  });
  assert.equal(logged('for want of file descriptors'), 1);
  // A connected visitor is served, also by handlers that open a file.
  const [visitor] = taken;
  visitor?.write(`GET / HTTP/1.1\r\nHost: ${NAME}\r\n\r\n`);
  assert.match(String(await once(visitor as TLSSocket, 'data')), /still here/);

  for (const socket of taken) socket.destroy();
  await until(() => logged('there is room for connections again') === 1);
  assert.equal((await platform.visit(NAME)).text, 'still here');
  assert.equal(logged('for want of file descriptors'), 1);
});

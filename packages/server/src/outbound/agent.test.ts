import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { eventually } from '../../../../test/harness/until.ts';
import { type Cidr, parseCidr } from '../core/ip/cidr.ts';
import { makeChain } from '../pki/certificates.fixture.ts';
import { fairLookups } from '../system/fair-lookups.ts';
import { OutboundAgent, type OutboundOptions } from './agent.ts';
import { outboundFetch } from './fetch.ts';

const loopback = [parseCidr('127.0.0.0/8') as Cidr];
const chain = makeChain('target.example');

async function listen(t: TestContext) {
  let requests = 0;
  const server = createServer(
    { key: chain.key, cert: chain.leaf + chain.intermediate },
    (_request, response) => {
      requests += 1;
      response.end('hello');
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port, requests: () => requests, server };
}

function send(t: TestContext, url: string, options: Omit<OutboundOptions, 'account'>) {
  const agent = new OutboundAgent({ account: 'ac_1', ...options });
  t.after(() => agent.destroy());
  return outboundFetch(agent, url, { method: 'POST', body: 'x' });
}

const toLoopback = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);

test('a target is reached at an address that may be dialled, and its certificate is verified for its name', async (t) => {
  const usual = getCACertificates();
  const { port, requests } = await listen(t);
  const there = { allowPrivate: loopback, resolve: toLoopback };
  await assert.rejects(send(t, `https://target.example:${port}/`, there), /unable to|self.signed/);
  setDefaultCACertificates([...usual, chain.root]);
  t.after(() => setDefaultCACertificates(usual));
  const answer = await send(t, `https://target.example:${port}/`, there);
  assert.deepEqual([answer.status, await answer.text()], [200, 'hello']);
  await assert.rejects(send(t, `https://other.example:${port}/`, there), /Hostname.*does not match/);
  assert.equal(requests(), 1);
});

test('a connection that rests is given up after the time for it', async (t) => {
  const usual = getCACertificates();
  setDefaultCACertificates([...usual, chain.root]);
  t.after(() => setDefaultCACertificates(usual));
  const { port, server } = await listen(t);
  // It gives up none by itself.
  server.keepAliveTimeout = 0;
  await send(t, `https://target.example:${port}/`, {
    ...{ allowPrivate: loopback, resolve: toLoopback, restMs: 20 },
  });
  await eventually(async () => {
    const open = await new Promise((done) => server.getConnections((_, count) => done(count)));
    assert.equal(open, 0);
  });
});

test('an address that is not public is not connected to, however it is written', async (t) => {
  const { port, requests } = await listen(t);
  const hosts = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '169.254.169.254',
    'localhost',
  ];
  for (const host of hosts) {
    await assert.rejects(
      send(t, `https://${host}:${port}/`, { allowPrivate: [] }),
      { name: 'InsideError' },
      host,
    );
  }
  assert.equal(requests(), 0);
});

test('of the addresses of a name only those are connected to that may be dialled', async (t) => {
  const { port } = await listen(t);
  const allowPrivate = [parseCidr('127.0.0.2/32') as Cidr];
  const resolve = () =>
    Promise.resolve(['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 })));
  // The server is at the first address alone.
  await assert.rejects(send(t, `https://target.example:${port}/`, { allowPrivate, resolve }), {
    code: 'ECONNREFUSED',
    address: '127.0.0.2',
  });
});

test('names are looked up in the turn of the account that gave them, whatever asks for them', async (t) => {
  const { port } = await listen(t);
  const { mock } = t.mock.method(fairLookups, 'resolve', toLoopback);
  const asked = (account: string) => {
    const agent = new OutboundAgent({ account, allowPrivate: [] });
    t.after(() => agent.destroy());
    return outboundFetch(agent, `https://target.example:${port}/`, {});
  };
  await assert.rejects(asked('ac_1'), { name: 'InsideError' });
  await assert.rejects(asked('ac_2'), { name: 'InsideError' });
  assert.deepEqual(
    mock.calls.map((call) => call.arguments),
    [
      ['target.example', 'ac_1'],
      ['target.example', 'ac_2'],
    ],
  );
});

/** The two families of stock agents against a real daemon: every protocol, reconnects, and tunnels that the service stops. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { after, afterEach, before, describe, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { freePorts, Platform, until } from '../harness/index.ts';
import { FamilyAgent, families, type Protocol } from './agent-families.fixture.ts';

const protocols: readonly Protocol[] = ['http', 'https', 'tls', 'tcp'];
let platform: Platform;
let plainPort: number;
/** Says the first line that it is told, as the answer to a request or as it is. */
let upstream: Server;
let upstreamPort: number;

before(async () => {
  upstream = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (bytes) => {
      const [line = ''] = bytes.toString('latin1').split('\r\n');
      const isHttp = line.endsWith('HTTP/1.1');
      // What passes through without being HTTP is a hello of TLS, or the visitor's own bytes.
      socket.end(isHttp ? `HTTP/1.1 200 OK\r\nContent-Length: ${line.length}\r\n\r\n${line}` : bytes);
    });
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  upstreamPort = (upstream.address() as { port: number }).port;
  [plainPort = 0] = await freePorts(1);
  platform = await Platform.start({ args: ['--http-listen', `127.0.0.1:${plainPort}`] });
});
after(async () => {
  await platform.stop();
  upstream.close();
});

/** That what is behind the URL has answered. */
async function visit(url: string): Promise<void> {
  const { protocol, hostname, port } = new URL(url);
  const target = { host: '127.0.0.1', port: Number(port) };
  if (protocol === 'tls:') {
    // The hello comes back: nobody on the way has read it.
    const socket = connectTls({ ...target, servername: hostname });
    const [error] = await once(socket, 'error');
    assert.match(String(error), /SSL|EPROTO|ssl|wrong|unexpected/i);
    return;
  }
  const socket =
    protocol === 'https:'
      ? connectTls({ ...target, servername: hostname, ca: platform.ca })
      : connect(target);
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes;
  });
  const asked =
    protocol === 'tcp:' ? 'ping' : `GET / HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`;
  socket.write(asked);
  await once(socket, 'end');
  socket.destroy();
  assert.match(text, protocol === 'tcp:' ? /^ping$/ : /^HTTP\/1\.1 200 .*GET \/ HTTP\/1\.1$/s);
}

for (const [name, family] of families) {
  describe(`an agent of the ${name} family`, () => {
    let agent: FamilyAgent;
    before(async () => {
      agent = new FamilyAgent(platform, family, upstreamPort);
      await agent.connect();
    });
    after(() => agent.close());
    afterEach(() => assert.deepEqual(agent.stopped.splice(0), []));

    test('serves every protocol from the answer to its bind on', async () => {
      for (const proto of protocols) {
        const url = await agent.bind(proto, proto);
        assert.ok(url.startsWith(`${proto}://`), url);
        await visit(url);
      }
    });

    test('has all names and ports back with what it was answered, after the daemon was killed', async () => {
      const before = agent.urls;
      agent.close();
      await platform.killAndRestart();
      await agent.connect();
      assert.deepEqual(agent.urls, before);
      for (const url of agent.urls) await visit(url);
    });

    test('has them back from a session that is not yet known to be over', async () => {
      const before = agent.urls;
      await agent.connect();
      assert.deepEqual(agent.urls, before);
      for (const url of agent.urls) await visit(url);
    });

    test('is told that one is no more, keeps the others, and need not answer that', async () => {
      const tcp = agent.urls.find((url) => url.startsWith('tcp:')) ?? '';
      const https = agent.urls.find((url) => url.startsWith('https:')) ?? '';
      const { hostname } = new URL(https);
      // The newest bind of a credential has the name.
      const other = await platform.agent(['http', String(upstreamPort), '--domain', hostname]);
      await until(() => agent.stopped.length > 0, 'it is told');
      assert.deepEqual(agent.stopped.splice(0), [{ id: 'https', code: 'ERR_SERVICE_60316' }]);
      await visit(tcp);
      await other.process.stop();
      await visit(await agent.bind('https', 'again'));
      for (const id of ['http', 'tls', 'tcp', 'again']) await agent.unbind(id);
    });
  });
}

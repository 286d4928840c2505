/**
 * Agents of both families, which share no code with the service: bound tunnels serve, and come back unchanged.
 * Invariant: each agent notes breaches of the protocol by the service, and there are none.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { after, afterEach, before, describe, test } from 'node:test';
import {
  type AgentTunnel,
  FamilyAgent,
  families,
  type Home,
  localPort,
  type Protocol,
} from '../agents/index.ts';
import { eventually, inTime, Platform, startUpstream, type Upstream } from '../harness/index.ts';
import { httpsEdge } from './attacks.fixture.ts';

const LARGE = 3_000_000;

let platform: Platform;
let upstream: Upstream;
let echo: Server;
let web: Home;
let bytes: Home;

before(async () => {
  upstream = await startUpstream((request, response) => {
    if (request.url === '/large') response.end('x'.repeat(LARGE));
    else if (request.url === '/count') {
      let length = 0;
      request.on('data', (chunk: Buffer) => {
        length += chunk.length;
      });
      request.on('end', () => response.end(String(length)));
    } else response.end(`for ${request.headers['x-mark'] ?? 'nobody'}`);
  });
  echo = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  // An agent's end of an idle connection crosses with a request that no proxy may send twice.
  upstream.server.keepAliveTimeout = 0;
  web = localPort(upstream.port);
  bytes = localPort((echo.address() as AddressInfo).port);
  // Inherited, so that a restart lasts for agents no longer than the daemon's own start.
  platform = await Platform.start({ inherited: true });
});
after(async () => {
  await platform.stop();
  await upstream.stop();
  echo.close();
});

/** Returns the echo of this tunnel for a TCP visitor, for TLS over TLS. */
async function echoed({ url }: AgentTunnel, text: string): Promise<string> {
  const { hostname, port } = new URL(url.replace(/^\w+:/, 'http:'));
  const socket = url.startsWith('tls:')
    ? await platform.client.tls(hostname)
    : connect({ port: Number(port), host: '127.0.0.1' });
  socket.on('error', () => {});
  const { promise, resolve } = Promise.withResolvers<string>();
  socket.once('data', (chunk: Buffer) => resolve(chunk.toString()));
  socket.once('close', () => resolve('the end'));
  socket.write(text);
  const heard = await inTime(promise, () => `an echo at ${url}`);
  socket.destroy();
  return heard;
}

async function listed(path: string): Promise<string[]> {
  const { json } = await platform.api('GET', `/${path}`);
  return json[path].map((one: { id: string }) => one.id);
}

for (const family of families) {
  describe(`agents of the ${family.name} family`, () => {
    const label = family.name.toLowerCase();
    const started: FamilyAgent[] = [];
    const start = async (token = platform.bootstrap.authtoken): Promise<FamilyAgent> => {
      const { domain } = platform.bootstrap;
      const service = { port: platform.port, host: `connect.${domain}`, ca: platform.ca };
      const agent = await FamilyAgent.start(family, service, token);
      started.push(agent);
      return agent;
    };
    afterEach(async () => {
      const agents = started.splice(0);
      await Promise.all(agents.map((agent) => agent.stop()));
      for (const agent of agents) assert.deepEqual(agent.faults, []);
      await eventually(async () => assert.deepEqual(await listed('tunnel_sessions'), []));
    });

    test('serve each protocol, at the URL that they are answered', async () => {
      const agent = await start();
      const named = (proto: Protocol) => ({ name: `${proto}-${label}.underpass.localhost` });
      for (const proto of ['http', 'https'] as const) {
        const { url } = await agent.bind(proto, web, named(proto));
        assert.match(url, new RegExp(`^https?://${proto}-${label}\\.underpass\\.localhost:\\d+$`));
        assert.equal((await platform.visit(url)).text, 'for nobody');
      }
      const random = await agent.bind('https', web);
      assert.equal((await platform.visit(random.url)).text, 'for nobody');
      assert.equal(await echoed(await agent.bind('tcp', bytes), 'tcp'), 'tcp');
      const terminated = { ...named('tls'), modules: { TLSTermination: {} } };
      assert.equal(await echoed(await agent.bind('tls', bytes, terminated), 'tls'), 'tls');
      await agent.bindLabelled({ family: label }, web);
      const { json: group } = await platform.api('POST', '/backends/tunnel_group', {
        labels: { family: label },
      });
      await httpsEdge(platform, `group-${label}`, group.id);
      assert.equal((await platform.visit(`group-${label}.underpass.localhost`)).text, 'for nobody');
      assert.equal((await listed('tunnels')).length, 6);

      await agent.unbind(random.id);
      assert.equal((await platform.visit(random.url)).status, 404);
    });

    test('carry more than a window each way, for several at once, and end every stream', async () => {
      const agent = await start();
      const { url } = await agent.bind('https', web);
      const resting = agent.streams;
      const visits = Array.from({ length: 4 }, async () => {
        assert.equal((await platform.visit(`${url}/large`)).text.length, LARGE);
        const init = { method: 'POST', body: 'y'.repeat(LARGE), headers: { connection: 'close' } };
        assert.equal((await platform.visit(`${url}/count`, init)).text, String(LARGE));
      });
      await Promise.all(visits);
      const tcp = await agent.bind('tcp', bytes);
      assert.equal(await echoed(tcp, 'and gone'), 'and gone');
      upstream.server.closeAllConnections();
      await eventually(() => assert.ok(agent.streams <= resting, `${agent.streams} of ${resting} streams`));
    });

    test('have the same URLs with the same options and ids after a cut, and after a daemon that was killed', async () => {
      const agent = await start();
      const headers = { RequestHeaders: { add: ['x-mark:kept'] } };
      const chosen = await agent.bind('https', web, {
        name: `kept-${label}.underpass.localhost`,
        modules: headers,
      });
      const random = await agent.bind('https', web, { modules: headers });
      const tcp = await agent.bind('tcp', bytes);
      const labelled = await agent.bindLabelled({ kept: label }, web);
      const served = async (): Promise<void> => {
        for (const { url } of [chosen, random])
          assert.equal(
            (await platform.visit(url)).text,
            'for kept',
            'with the header that the bind asks for',
          );
        assert.equal(await echoed(tcp, 'again'), 'again');
        assert.equal((await listed('tunnels')).length, 4);
      };
      await served();
      agent.cut();
      await eventually(() => assert.equal(agent.times, 2));
      await served();
      await platform.killAndRestart();
      await eventually(async () => {
        assert.equal(agent.times, 3);
        await served();
      });
      await agent.patch(chosen, { Description: 'changed' });
      const { json } = await platform.api('GET', '/endpoints');
      const { description } = json.endpoints.find(
        (one: { public_url: string }) => one.public_url === chosen.url,
      );
      assert.equal(description, 'changed');
      for (const id of [labelled, random.id, tcp.id, chosen.id]) await agent.unbind(id);
      assert.deepEqual(await listed('tunnels'), []);
    });

    test('lose one tunnel that may no longer be, and keep the others', async () => {
      const { json: credential } = await platform.api('POST', '/credentials', {});
      const agent = await start(credential.token);
      const names = ['stays', 'goes'].map((name) => ({ name: `${name}-${label}.underpass.localhost` }));
      const [stays, goes] = await Promise.all(names.map((name) => agent.bind('https', web, name)));
      assert.ok(stays !== undefined && goes !== undefined);
      const path = `/credentials/${credential.id}`;
      agent.cut(platform.api('PATCH', path, { acl: [`bind:stays-${label}.underpass.localhost`] }));
      await eventually(() =>
        assert.deepEqual(
          agent.stopped.map(({ id }) => id),
          [goes.id],
        ),
      );
      assert.match(agent.stopped[0]?.message ?? '', /\n\nERR_SERVICE_\d+$/);
      assert.match(agent.stopped[0]?.code ?? '', /^ERR_SERVICE_\d+$/);
      // The agent may have understood or not. It is back with all tunnels before it is cut again.
      await eventually(() => assert.equal(agent.times, 2));
      agent.cut();
      await eventually(() => assert.equal(agent.times, 3));
      await eventually(async () => assert.equal((await platform.visit(stays.url)).text, 'for nobody'));
      assert.equal((await platform.visit(goes.url)).status, 404);
      // An agent that has not understood ends it later, as every other.
      if (family.ignoresStopsOnceBack) await agent.unbind(goes.id);
    });

    test('end when the API says so', async () => {
      const agent = await start();
      const { url } = await agent.bind('https', web);
      const [session] = await listed('tunnel_sessions');
      assert.equal((await platform.api('POST', `/tunnel_sessions/${session}/stop`, {})).status, 204);
      await eventually(async () => assert.deepEqual(await listed('tunnels'), []));
      assert.equal((await platform.visit(url)).status, 404);
      await eventually(() => assert.equal(agent.isOnline, false));
    });

    test('are told why a wrong token is refused', async () => {
      await assert.rejects(start('nobodys'), /\n\nERR_SERVICE_105$/);
    });
  });
}

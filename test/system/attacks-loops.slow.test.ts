/** Names that lead back to the service: directly, over another name, over other programs, in HTTP and in TLS that passes through. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type Socket, connect as tcpConnect } from 'node:net';
import { after, before, test } from 'node:test';
import { Agent, request } from 'undici';
import { eventually, freePortRange, Platform, startUpstream, type Upstream } from '../harness/index.ts';
import { fixedEdge } from './attacks.fixture.ts';

const SHARED = 'underpass.localhost';
let platform: Platform;
const upstreams: Upstream[] = [];

before(async () => {
  const first = await freePortRange(2);
  platform = await Platform.start({
    args: ['--tcp-ports', `${first}-${first + 1}`, '--allow-private', '127.0.0.0/8'],
  });
});
after(async () => {
  await platform.stop();
  await Promise.all(upstreams.map((upstream) => upstream.stop()));
});

/** The marks that a request came with. */
function marksOf(value: string | string[] | undefined): string {
  return [value ?? []].flat().join(', ');
}

/** A proxy that sends everything on to a name of the service, as one in front of it would, with the Host of that name. */
async function proxyTo(name: string): Promise<Upstream> {
  const upstream = await startUpstream(async (asked, response) => {
    const { host: _, connection: __, ...headers } = asked.headers;
    const url = `https://127.0.0.1:${platform.port}${asked.url}`;
    const { ca } = platform;
    const dispatcher = new Agent({ connect: { ca, servername: name } });
    const answer = await request(url, { headers: { ...headers, host: name }, dispatcher });
    response.writeHead(answer.statusCode, { 'x-marks': marksOf(asked.headers['cdn-loop']) });
    response.end(await answer.body.text());
    await dispatcher.destroy();
  });
  upstreams.push(upstream);
  return upstream;
}

test('a tunnel that forwards to its own name answers that it does, after a few rounds', async () => {
  const name = `itself.${SHARED}`;
  const agent = await platform.agent(['http', `https://${name}:${platform.port}`, '--domain', name]);
  const { status, text } = await platform.visit(name, { method: 'POST', body: 'once' });
  assert.equal(status, 508);
  assert.match(text, /60327/);
  const rounds = () => agent.process.lines.filter((line) => line.includes('"event":"request"'));
  await eventually(() => assert.equal(rounds().length, 8));
  await agent.process.stop();
});

test('names that lead to each other over other proxies are found out as soon', async () => {
  const [here, there] = [`here.${SHARED}`, `there.${SHARED}`];
  const [toThere, toHere] = [await proxyTo(there), await proxyTo(here)];
  const agents = [
    await platform.agent(['http', String(toThere.port), '--domain', here]),
    await platform.agent(['http', String(toHere.port), '--domain', there]),
  ];
  const { status, headers } = await platform.visit(here);
  assert.equal(status, 508);
  assert.equal(headers['x-marks'], SHARED, 'the first of them has been here once');
  await Promise.all(agents.map(({ process }) => process.stop()));
});

test('a name that leads to another one of the service is no loop', async () => {
  const origin = await startUpstream((asked, response) => response.end(marksOf(asked.headers['cdn-loop'])));
  upstreams.push(origin);
  const [front, back] = [`front.${SHARED}`, `back.${SHARED}`];
  const agents = [
    await platform.agent(['http', String((await proxyTo(back)).port), '--domain', front]),
    await platform.agent(['http', String(origin.port), '--domain', back]),
  ];
  const { status, text } = await platform.visit(front);
  assert.deepEqual([status, text], [200, `${SHARED}, ${SHARED}`]);
  await Promise.all(agents.map(({ process }) => process.stop()));
});

/** A relay of TCP that counts its connections. */
async function relayTo(port: number): Promise<{ server: Server; port: number; count: () => number }> {
  let count = 0;
  const server = createServer({ allowHalfOpen: true }, (near) => {
    count += 1;
    const far = tcpConnect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const tie = (one: Socket, other: Socket): void => {
      one.on('error', () => other.resetAndDestroy());
      one.on('close', () => other.destroy());
    };
    tie(near, far);
    tie(far, near);
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as { port: number }).port, count: () => count };
}

test('TLS that passes through to the service itself, over another program, takes a few connections and gives them back', async (t) => {
  const { json: group } = await platform.api('POST', '/backends/tunnel_group', { labels: { loop: 'tls' } });
  await fixedEdge(platform, 'round', '', { backend: { backend_id: group.id }, tls_termination: null });
  const relay = await relayTo(platform.port);
  t.after(() => relay.server.close());
  const agent = await platform.agent(['http', `127.0.0.1:${relay.port}`, '--label', 'loop=tls']);
  await assert.rejects(platform.client.tls(`round.${SHARED}`));
  assert.equal(relay.count(), 16);
  await eventually(async () => {
    const open = await new Promise<number>((resolve) =>
      relay.server.getConnections((_, count) => resolve(count)),
    );
    assert.equal(open, 0);
  });
  await agent.process.stop();
});

test('a TCP edge does not lead to a port of the service itself', async (t) => {
  const { json: reserved } = await platform.api('POST', '/reserved_addrs', {});
  const port = Number(reserved.addr.split(':')[1]);
  const { json: edge } = await platform.api('POST', '/edges/tcp', { hostports: [reserved.addr] });
  for (const [to, rounds] of [
    [port, 1],
    [platform.port, 2],
  ] as const) {
    const { json: backend } = await platform.api('POST', '/backends/static', { address: `127.0.0.1:${to}` });
    const put = await platform.api('PUT', `/edges/tcp/${edge.id}/backend`, { backend_id: backend.id });
    assert.equal(put.status, 200, put.text);
    const visitor = tcpConnect({ port, host: '127.0.0.1' });
    t.after(() => void visitor.destroy());
    visitor.on('error', () => {});
    await eventually(() => assert.ok(visitor.closed));
    assert.equal(visitor.bytesRead, 0);
    await eventually(() =>
      assert.equal(platform.daemon.lines.filter((line) => line.includes('_60270')).length, rounds),
    );
  }
});

test('a TCP tunnel whose agent leads back to its port takes a part of the streams of that agent, and gives them back', async (t) => {
  const { json: reserved } = await platform.api('POST', '/reserved_addrs', {});
  const port = Number(reserved.addr.split(':')[1]);
  const relay = await relayTo(port);
  t.after(() => relay.server.close());
  const agent = await platform.agent(['tcp', `127.0.0.1:${relay.port}`, '--address', reserved.addr]);
  const visitor = tcpConnect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
  visitor.on('error', () => {});
  await eventually(() => assert.ok(visitor.closed));
  // One address has at most half of the streams that the agent offers.
  assert.ok(relay.count() > 100 && relay.count() <= 8_193, `${relay.count()} connections`);
  await eventually(async () => {
    const open = await new Promise<number>((resolve) =>
      relay.server.getConnections((_, count) => resolve(count)),
    );
    assert.equal(open, 0);
  });
  await agent.process.stop();
});

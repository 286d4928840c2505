/**
 * TCP tunnels of real agents, seen by visitors and in the API.
 * Invariant: a port without an agent is closed.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually, Platform, Process, type RunningAgent } from '../harness/index.ts';

const AGENT = fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js'));

let platform: Platform;
let upstream: Server;
let upstreamPort: string;

before(async () => {
  // Sends a greeting, and echoes its input.
  upstream = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    socket.write('welcome\n');
    socket.pipe(socket);
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  upstreamPort = String((upstream.address() as { port: number }).port);
  platform = await Platform.shared();
});
after(async () => {
  await platform.stop();
  upstream.close();
});

const portOf = (url: string) => Number(/^tcp:\/\/[0-8]\.tcp\.underpass\.localhost:(\d+)$/.exec(url)?.[1]);

/** Returns all bytes for a visitor that sends the text and ends; null without a listener. */
async function say(port: number, text: string): Promise<string | null> {
  const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  const refused = once(socket, 'error').then(() => null);
  const ended = once(socket, 'end').then(() => answer);
  socket.end(text);
  const outcome = await Promise.race([ended, refused]);
  socket.destroy();
  return outcome;
}

async function kill({ process }: RunningAgent): Promise<void> {
  await process.stop('SIGKILL');
}

test('a random port leads to the agent, is in the API while it does, and comes back after a restart', async () => {
  const agent = await platform.agent(['tcp', upstreamPort, '--metadata', 'echo']);
  const port = portOf(agent.url);
  assert.ok(port >= 20_000 && port <= 29_999, agent.url);
  assert.equal(await say(port, 'and back'), 'welcome\nand back');

  const { tunnels } = (await platform.api('GET', '/tunnels')).json;
  const [tunnel] = tunnels;
  assert.deepEqual(
    [tunnels.length, tunnel.proto, tunnel.public_url, tunnel.metadata],
    [1, 'tcp', agent.url, 'echo'],
  );
  const { endpoints } = (await platform.api('GET', '/endpoints')).json;
  const [endpoint] = endpoints;
  const hostport = agent.url.slice('tcp://'.length);
  assert.deepEqual(
    [endpoint.proto, endpoint.hostport, endpoint.port, endpoint.type, endpoint.domain, endpoint.tcp_addr],
    ['tcp', hostport, port, 'ephemeral', null, null],
  );

  await platform.killAndRestart();
  await eventually(async () => assert.equal(await say(port, 'again'), 'welcome\nagain'));
  await kill(agent);
  await eventually(async () => assert.equal(await say(port, 'gone'), null));
});

test('a reserved address is bound by its account, behind its endpoint configuration', async () => {
  const { id, addr } = (await platform.api('POST', '/reserved_addrs', {})).json;
  const agent = await platform.agent(['tcp', `127.0.0.1:${upstreamPort}`, '--address', addr]);
  assert.equal(agent.url, `tcp://${addr}`);
  const port = portOf(agent.url);
  assert.equal(await say(port, 'x'), 'welcome\nx');
  const { endpoints } = (await platform.api('GET', '/endpoints')).json;
  assert.equal(endpoints[0].tcp_addr.id, id);

  const policy = (await platform.api('POST', '/ip_policies', {})).json;
  const configuration = await platform.api('POST', '/endpoint_configurations', {
    type: 'tcp',
    ip_policy: { ip_policy_ids: [policy.id] },
  });
  assert.equal(configuration.status, 201);
  const path = `/reserved_addrs/${id}`;
  await platform.api('PATCH', path, { endpoint_configuration_id: configuration.json.id });
  assert.notEqual(await say(port, 'x'), 'welcome\nx', 'no rule lets anybody in');
  assert.equal((await platform.api('DELETE', `${path}/endpoint_configuration`)).status, 204);
  assert.equal(await say(port, 'x'), 'welcome\nx');

  const refused = await platform.api('POST', '/edges/tcp', { hostports: [addr] });
  assert.deepEqual([refused.status, refused.json.error_code], [409, 'ERR_SERVICE_7132']);
  await agent.process.stop();
  // From when the daemon knows that the agent has gone.
  let edge = refused;
  await eventually(async () => {
    edge = await platform.api('POST', '/edges/tcp', { hostports: [addr] });
    assert.equal(edge.status, 201);
  });
  assert.equal(
    await say(port, 'x').then((answer) => answer ?? ''),
    '',
    'its port is open, and leads nowhere',
  );
  await platform.api('DELETE', `/edges/tcp/${edge.json.id}`);
  assert.equal(await say(port, 'x'), null, 'neither an edge nor an agent has it');
});

test('an address that is not reserved is refused with words', async () => {
  const { authtoken, ca_file, connect_addr } = platform.bootstrap;
  const server = ['--server', connect_addr, '--ca', ca_file, '--authtoken', authtoken];
  const agent = Process.node(AGENT, [
    'tcp',
    '5432',
    '--address',
    '1.tcp.underpass.localhost:29999',
    ...server,
  ]);
  assert.equal((await agent.exited).code, 1);
  assert.match(agent.lines.join(' '), /29999 is not reserved/);
});

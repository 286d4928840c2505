/**
 * Agents and tunnels in the API.
 * Invariant: ended ones are not listed.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { after, before, test } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';
import { call, echoHeartbeat, MuxSession, StreamType } from '@underpass/wire';
import { eventually, Platform, startUpstream, timeoutMs, type Upstream } from '../harness/index.ts';
import { httpsEdge } from './attacks.fixture.ts';

let platform: Platform;
let upstream: Upstream;

before(async () => {
  platform = await Platform.shared();
  upstream = await startUpstream((_request, response) => response.end('ok'));
});
after(async () => {
  await platform.stop();
  await upstream.stop();
});

const list = async (path: string, key: string) => (await platform.api('GET', path)).json[key];

test('a tunnel, its session and its endpoint are in the API while the agent is online, and vanish with it', async () => {
  const { process, url } = await platform.agent(['http', String(upstream.port), '--metadata', 'from a test']);
  const [tunnel] = await list('/tunnels', 'tunnels');
  assert.equal(tunnel.public_url, url);
  assert.equal(tunnel.metadata, 'from a test');
  assert.match(tunnel.forwards_to, new RegExp(String(upstream.port)));
  const session = (await platform.api('GET', `/tunnel_sessions/${tunnel.tunnel_session.id}`)).json;
  assert.equal(session.ip, '127.0.0.1');
  assert.match(session.credential.id, /^cr_/);
  const endpoint = (await platform.api('GET', `/endpoints/${tunnel.endpoint.id}`)).json;
  assert.equal(endpoint.public_url, url);
  assert.equal(endpoint.type, 'ephemeral');
  assert.equal(endpoint.tunnel.id, tunnel.id);
  assert.equal(endpoint.id.slice(3), tunnel.id.slice(3), 'endpoint and tunnel share their suffix');

  await process.stop();
  await eventually(async () => {
    assert.deepEqual(await list('/tunnels', 'tunnels'), []);
    assert.deepEqual(await list('/tunnel_sessions', 'tunnel_sessions'), []);
    assert.deepEqual(await list('/endpoints', 'endpoints'), []);
  });
  assert.equal((await platform.api('GET', `/tunnels/${tunnel.id}`)).status, 404);
});

test('a name whose agent was killed answers 404 with its code, and so does one that the agent gave back', async () => {
  const { process, url } = await platform.agent(['http', String(upstream.port)]);
  await process.stop('SIGKILL');
  await eventually(async () => assert.deepEqual(await list('/tunnels', 'tunnels'), []));
  const { status, headers } = await platform.visit(url);
  assert.equal(status, 404);
  assert.equal(headers['underpass-error-code'], 'ERR_SERVICE_3200');

  const other = await platform.agent(['http', String(upstream.port)]);
  await other.process.stop();
  await eventually(async () => assert.deepEqual(await list('/tunnels', 'tunnels'), []));
  const page = await platform.visit(other.url, { headers: { accept: 'text/html' } });
  assert.deepEqual(
    [page.status, page.headers['underpass-error-code'], page.headers['content-type']],
    [404, 'ERR_SERVICE_3200', 'text/html; charset=utf-8'],
  );
});

/** An agent with a labelled tunnel that is to give a sign of life each second. It does as long as its socket is read. */
async function onlineForSeconds(): Promise<TLSSocket> {
  const { authtoken, domain } = platform.bootstrap;
  const socket = connect({
    host: '127.0.0.1',
    port: platform.port,
    servername: `connect.${domain}`,
    ca: platform.ca,
  });
  await once(socket, 'secureConnect');
  const session = new MuxSession(socket, {
    role: 'client',
    accept: (type, stream) => (type === StreamType.heartbeat ? echoHeartbeat(stream) : undefined),
    closed: () => {},
  });
  const second = 1_000_000_000;
  await call(session, StreamType.auth, {
    Version: ['3'],
    Extra: { Authtoken: authtoken, HeartbeatInterval: second, HeartbeatTolerance: second },
  });
  await call(session, StreamType.startTunnelWithLabel, { Labels: { silent: 'yes' } });
  return socket;
}

test('an agent that dies silently is dropped after its heartbeats stay out', async () => {
  const sockets: TLSSocket[] = [];
  // If this process waits for a processor, the agent is dropped before the check, and another attempt is made.
  await eventually(async () => {
    sockets.at(-1)?.destroy();
    sockets.push(await onlineForSeconds());
    assert.equal((await list('/tunnels', 'tunnels')).length, 1);
  });
  sockets.at(-1)?.pause();
  await eventually(async () => assert.deepEqual(await list('/tunnels', 'tunnels'), []));
  sockets.at(-1)?.destroy();
});

test('visitors of a group go to its other agent soon after one has fallen silent, long before it is dropped', async () => {
  const { json: group } = await platform.api('POST', '/backends/tunnel_group', { labels: { app: 'pair' } });
  const edge = await httpsEdge(platform, 'pair', group.id);
  const labelled = ['http', String(upstream.port), '--label', 'app=pair'];
  const [silent, lively] = [await platform.agent(labelled), await platform.agent(labelled)];
  const visits: Promise<string>[] = [];
  const visit = (ms: number): Promise<string> => {
    const answer = platform.visit('pair.underpass.localhost').then(({ text }) => text);
    visits.push(answer);
    const { promise: late, resolve } = Promise.withResolvers<string>();
    const timer = setTimeout(resolve, ms, 'no answer yet');
    return Promise.race([answer, late]).finally(() => clearTimeout(timer));
  };
  const someVisits = (ms = timeoutMs(1_000)) => Promise.all(Array.from({ length: 8 }, () => visit(ms)));
  await someVisits();
  assert.deepEqual(new Set(await Promise.all(visits)), new Set(['ok']));
  silent.process.signal('SIGSTOP');
  try {
    assert.ok((await someVisits(1_000)).includes('no answer yet'));
    await eventually(async () => {
      assert.deepEqual(new Set(await someVisits()), new Set(['ok']));
      assert.equal((await list('/tunnels', 'tunnels')).length, 2, 'both are online');
    });
  } finally {
    silent.process.signal('SIGCONT');
  }
  // No request was lost: it was only slow.
  assert.deepEqual(new Set(await Promise.all(visits)), new Set(['ok']));
  await Promise.all([silent, lively].map((agent) => agent.process.stop()));
  assert.equal((await platform.api('DELETE', edge)).status, 204);
});

test('deleting the credential ends the sessions that used it', async () => {
  const { json: credential } = await platform.api('POST', '/credentials', {});
  const { process, url } = await platform.agent([
    'http',
    String(upstream.port),
    '--authtoken',
    credential.token,
  ]);
  assert.equal((await platform.visit(url)).status, 200);
  assert.equal((await platform.api('DELETE', `/credentials/${credential.id}`)).status, 204);
  await eventually(async () => assert.deepEqual(await list('/tunnels', 'tunnels'), []));
  assert.equal((await process.exited).code, 1, 'an agent whose credential was revoked does not try for ever');
});

test('a bind rule is enforced, and a name that an edge holds cannot be bound', async () => {
  const { json: credential } = await platform.api('POST', '/credentials', {
    acl: ['bind:allowed.underpass.localhost'],
  });
  const allowed = await platform.agent([
    'http',
    '1',
    '--authtoken',
    credential.token,
    '--domain',
    'allowed.underpass.localhost',
  ]);
  assert.match(allowed.url, /^https:\/\/allowed\./);
  await assert.rejects(
    platform.agent(['http', '1', '--authtoken', credential.token, '--domain', 'other.underpass.localhost']),
    /ERR_SERVICE_316/,
  );
  await platform.api('POST', '/reserved_domains', { name: 'held' });
  await platform.api('POST', '/edges/tls', { hostports: ['held.underpass.localhost:443'] });
  await assert.rejects(
    platform.agent(['http', '1', '--domain', 'held.underpass.localhost']),
    /ERR_SERVICE_381/,
  );
});

test('a name that a second agent takes over is said by both, with who the other one is', async () => {
  const args = ['http', String(upstream.port), '--domain', 'moving.underpass.localhost'];
  const first = await platform.agent(args);
  const second = await platform.agent(args);
  assert.equal((await platform.visit(second.url)).text, 'ok');
  const other = `the agent on "${hostname()}" \\(\\w+, version \\S+, session ts_\\w+\\) from 127\\.0\\.0\\.1`;
  await second.process.line(
    new RegExp(
      `"event":"notice","message":"The name moving\\S+ was taken over from ${other.replaceAll('"', '\\\\"')}`,
    ),
  );
  assert.equal((await first.process.exited).code, 1);
  const lost = JSON.parse(first.process.lines.at(-1) ?? '');
  assert.match(
    lost.message,
    new RegExp(`The name moving\\S+ was bound again .* by ${other}, which has it now`),
  );
  assert.equal(lost.code, 'ERR_SERVICE_60316');
  await second.process.stop();
});

test('an agent whose name became that of an edge while it was away is told so when it is back, and does not try for ever', async () => {
  await platform.api('POST', '/reserved_domains', { name: 'away' });
  const { process } = await platform.agent([
    'http',
    String(upstream.port),
    '--domain',
    'away.underpass.localhost',
  ]);
  process.signal('SIGSTOP');
  try {
    await platform.daemon.stop('SIGKILL');
    await platform.restart();
    await platform.api('POST', '/edges/tls', { hostports: ['away.underpass.localhost:443'] });
  } finally {
    process.signal('SIGCONT');
  }
  assert.equal((await process.exited).code, 1);
  assert.match(process.output, /"event":"connection","state":"offline"/);
  assert.match(process.lines.at(-1) ?? '', /The service stopped the tunnel: .*"code":"ERR_SERVICE_381"/);
  const { text } = await platform.api('GET', '/tunnels');
  assert.doesNotMatch(text, /away\./);
});

/**
 * TCP edges: a database behind a port, with its own clients.
 * Invariant: port and connections end with their edge.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import pg from 'pg';
import {
  closing,
  freePorts,
  makeSshKey,
  Platform,
  Postgres,
  postgresMissing,
  SshServer,
  ssh,
  sshServerMissing,
} from '../harness/index.ts';

let platform: Platform;
let upstream: Server;
let backend: string;
let edge: string;
let port: number;

before(async () => {
  upstream = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('welcome\n');
    socket.pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const [first = 0] = await freePorts(1);
  platform = await Platform.start({ args: ['--tcp-ports', `${first}-${first}`] });
  const { addr } = await create('/reserved_addrs', {});
  port = Number(addr?.split(':')[1]);
  assert.equal(port, first);
  backend = await served('echo', (upstream.address() as { port: number }).port);
  edge = (await create('/edges/tcp', { hostports: [addr], backend: { backend_id: backend } })).id;
});
after(async () => {
  await platform.stop();
  upstream.close();
});

async function create(path: string, body: object): Promise<{ id: string } & Record<string, string>> {
  const { status, json } = await platform.api('POST', path, body);
  assert.equal(status, 201, JSON.stringify(json));
  return json;
}

/** The id of a backend, to an agent that forwards to a port of this machine. */
async function served(app: string, to: number): Promise<string> {
  const { id } = await create('/backends/tunnel_group', { labels: { app } });
  await platform.agent(['http', `127.0.0.1:${to}`, '--label', `app=${app}`]);
  return id;
}

async function put(module: string, body: object): Promise<void> {
  const { status, json } = await platform.api('PUT', `/edges/tcp/${edge}/${module}`, body);
  assert.equal(status, 200, JSON.stringify(json));
}

function visit(t: TestContext, from = '127.0.0.1'): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => {});
  t.after(() => void socket.destroy());
  return socket;
}

/** Returns the first data; '' if the connection ends, or is not accepted, without a byte. */
async function firstWords(socket: Socket): Promise<string> {
  const data = once(socket, 'data').then(([chunk]) => String(chunk));
  const closed = closing(socket).then(() => '');
  return await Promise.race([data, closed]).catch(() => '');
}

test('a server that speaks first is heard, and what its visitor says comes back', async (t) => {
  const socket = visit(t);
  assert.equal(await firstWords(socket), 'welcome\n');
  socket.write('and again');
  assert.equal(await firstWords(socket), 'and again');
});

test('a PostgreSQL client works through the edge', { skip: postgresMissing }, async () => {
  const postgres = await Postgres.shared();
  const url = new URL(await postgres.database());
  await put('backend', { backend_id: await served('db', Number(url.port)) });
  url.port = String(port);
  const client = new pg.Client({ connectionString: url.href });
  try {
    await client.connect();
    const text = 'x'.repeat(300_000);
    const { rows } = await client.query('SELECT $1::text AS text, 6 * 7 AS answer', [text]);
    assert.deepEqual(rows, [{ text, answer: 42 }]);
  } finally {
    await client.end();
    await put('backend', { backend_id: backend });
    await postgres.stop();
  }
});

test('a fixed answer has nothing to be said in here: nobody is taken, and the log says why', async (t) => {
  const { id: page } = await create('/backends/http_response', { body: 'hello' });
  const { id: nobody } = await create('/backends/tunnel_group', { labels: { app: 'nobody' } });
  const { id: failover } = await create('/backends/failover', { backends: [nobody, page] });
  for (const backend_id of [page, failover]) {
    await put('backend', { backend_id });
    assert.equal(await firstWords(visit(t)), '');
    await platform.daemon.line(new RegExp(`"backend":"${backend_id}".*"fault":"fixedResponseNotTerminated"`));
  }
  await put('backend', { backend_id: backend });
});

test('ssh logs in through the edge, and knows the host key of the server', {
  skip: sshServerMissing,
}, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'underpass-ssh-'));
  const [host, user] = ['host', 'user'].map((name) => makeSshKey(directory, name, ['-t', 'ed25519']));
  assert.ok(host && user);
  const server = await SshServer.start({ hostKeys: [host], authorizedKeys: [user.line] });
  try {
    await put('backend', { backend_id: await served('ssh', server.port) });
    const known = join(directory, 'known_hosts');
    writeFileSync(known, `inside ${host.line}\n`);
    const options = [`IdentityFile=${user.path}`, `UserKnownHostsFile=${known}`, 'HostKeyAlias=inside'];
    const { code, output } = await ssh(port, options);
    assert.equal(code, 0, output);
    assert.match(output, /^in$/m);
  } finally {
    await put('backend', { backend_id: backend });
    await server.stop();
    rmSync(directory, { recursive: true });
  }
});

test('an IP restriction closes at accept, and a rule ends the connection that it is against, by the time of the answer', async (t) => {
  const { id: policy } = await create('/ip_policies', {});
  const rule = (action: string, cidr: string) =>
    create('/ip_policy_rules', { ip_policy_id: policy, action, cidr });
  await rule('allow', '127.0.0.1/32');
  await put('ip_restriction', { ip_policy_ids: [policy] });
  assert.equal(await firstWords(visit(t, '127.0.0.2')), '');
  const socket = visit(t);
  assert.equal(await firstWords(socket), 'welcome\n');
  const closed = closing(socket);
  await rule('deny', '127.0.0.0/8');
  await closed;
  assert.equal((await platform.api('DELETE', `/edges/tcp/${edge}/ip_restriction`)).status, 204);
  assert.equal(await firstWords(visit(t)), 'welcome\n');
});

test('each answer of the API is true of the port: it opens, closes and opens with the hostports of its edge', async (t) => {
  const { json } = await platform.api('GET', `/edges/tcp/${edge}`);
  const patch = (hostports: string[]) => platform.api('PATCH', `/edges/tcp/${edge}`, { hostports });
  for (let round = 0; round < 5; round += 1) {
    const socket = visit(t);
    assert.equal(await firstWords(socket), 'welcome\n');
    const closed = closing(socket);
    assert.equal((await patch([])).status, 200);
    await closed;
    assert.equal(await firstWords(visit(t)), '');
    assert.equal((await patch(json.hostports)).status, 200);
  }
});

/** Returns the metrics of listeners, as the operator sees them. */
async function listeners(): Promise<readonly string[]> {
  const answer = await fetch(`http://127.0.0.1:${platform.adminPort}/metrics`);
  const text = await answer.text();
  return text.split('\n').filter((line) => line.startsWith('underpass_tcp_listeners'));
}

test('a restart opens the port again, and what the operator sees says so; a deleted edge has none', async (t) => {
  await platform.restart();
  assert.deepEqual(await listeners(), ['underpass_tcp_listeners 1', 'underpass_tcp_listeners_missing 0']);
  const socket = visit(t);
  await once(socket, 'connect');
  assert.equal((await platform.api('DELETE', `/edges/tcp/${edge}`)).status, 204);
  assert.equal(await firstWords(visit(t)), '');
  assert.deepEqual(await listeners(), ['underpass_tcp_listeners 0', 'underpass_tcp_listeners_missing 0']);
});

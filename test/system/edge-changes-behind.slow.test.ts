/**
 * Connections of each kind to an edge when the agent behind it may not serve it any more. Also connections to a
 * wildcard when a name below it changes.
 * Invariant: a connection ends if it would not be accepted any more.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Agent, connect, type TunnelRequest } from '@underpass/agent';
import { freePortRange, freePorts, Platform } from '../harness/index.ts';
import { EndlessUpstream, Line, type LineKind, type Where } from './edge-changes.fixture.ts';

const SHARED = 'underpass.localhost';
/** More than the tests have at a time. */
const TCP_PORTS = 20;

let platform: Platform;
let upstream: EndlessUpstream;
let plainPort: number;
const agents: Agent[] = [];
const lines: Line[] = [];
let count = 0;

before(async () => {
  upstream = await EndlessUpstream.start();
  [plainPort = 0] = await freePorts(1);
  const first = await freePortRange(TCP_PORTS);
  const ports = ['--tcp-ports', `${first}-${first + TCP_PORTS - 1}`];
  platform = await Platform.start({
    args: ['--http-listen', `127.0.0.1:${plainPort}`, ...ports, '--allow-private', '127.0.0.0/8'],
  });
});
after(async () => {
  for (const line of lines) line.close();
  await Promise.all(agents.map((agent) => agent.close()));
  await platform?.stop();
  upstream?.stop();
});

async function call(method: string, path: string, body?: object): Promise<Record<string, string>> {
  const { status, text } = await platform.api(method, path, body);
  assert.ok(status >= 200 && status < 300, `${method} ${path}: ${text}`);
  return text === '' ? {} : JSON.parse(text);
}

async function create(path: string, body: object): Promise<{ id: string } & Record<string, string>> {
  const { id = '', ...rest } = await call('POST', path, body);
  return { id, ...rest };
}

async function login(authtoken: string): Promise<Agent> {
  const { connect_addr } = platform.bootstrap;
  const server = connect_addr.replace(/:\d+$/, `:${platform.port}`);
  const agent = await connect({ server, authtoken, ca: platform.ca });
  agents.push(agent);
  return agent;
}

async function open(where: Where, kinds: readonly LineKind[]): Promise<readonly Line[]> {
  const opened = await Promise.all(kinds.map((kind) => Line.open(kind, platform, upstream, where)));
  lines.push(...opened);
  return opened;
}

async function makeHttpsEdge(name: string, backend_id: string): Promise<void> {
  const { id } = await create('/edges/https', { hostports: [`${name}:443`] });
  await create(`/edges/https/${id}/routes`, {
    match_type: 'path_prefix',
    match: '/',
    backend: { backend_id },
  });
}

async function makeTlsEdge(name: string, backend_id: string, ...termination: readonly object[]) {
  const [tls_termination = null] = termination;
  await create('/edges/tls', { hostports: [`${name}:443`], backend: { backend_id }, tls_termination });
}

const edgeTermination = { terminate_at: 'edge' };

/** Opens connections to an edge of each kind in front of a backend. */
async function openAtEdges(backend: string): Promise<readonly Line[]> {
  const n = ++count;
  const name = (kind: string) => `${kind}-${n}.${SHARED}`;
  for (const kind of ['https', 'bytes', 'passed']) await create('/reserved_domains', { name: name(kind) });
  const { addr = '' } = await create('/reserved_addrs', {});
  await makeHttpsEdge(name('https'), backend);
  await makeTlsEdge(name('bytes'), backend, edgeTermination);
  await makeTlsEdge(name('passed'), backend);
  await create('/edges/tcp', { hostports: [addr], backend: { backend_id: backend } });
  const opened = await Promise.all([
    open(name('https'), ['websocket', 'stream', 'http2']),
    open(name('bytes'), ['bytes']),
    open(name('passed'), ['passed']),
    open(Number(addr.split(':')[1]), ['tcp']),
  ]);
  return opened.flat();
}

/** Edges in front of one tunnel, whose credential and session are its own. */
async function fronted() {
  const labels = { app: `fronted-${++count}` };
  const { id: backend } = await create('/backends/tunnel_group', { labels });
  const { id: owner } = await create('/bot_users', { name: `of ${count}` });
  const { id: credential, token = '' } = await create('/credentials', { owner_id: owner });
  const agent = await login(token);
  const tunnel = await agent.forward(`127.0.0.1:${upstream.port}`, { labels });
  return { owner, credential, agent, tunnel, labels, opened: await openAtEdges(backend) };
}

type Fronted = Awaited<ReturnType<typeof fronted>>;

const ending: Readonly<Record<string, (made: Fronted) => Promise<unknown>>> = {
  'its credential is deleted': ({ credential }) => call('DELETE', `/credentials/${credential}`),
  'its credential may have other labels only': ({ credential }) =>
    call('PATCH', `/credentials/${credential}`, { acl: ['bind:app=other'] }),
  'its credential may bind names only': ({ credential }) =>
    call('PATCH', `/credentials/${credential}`, { acl: [`bind:*.${SHARED}`] }),
  'the owner of its credential is made inactive': ({ owner }) =>
    call('PATCH', `/bot_users/${owner}`, { active: false }),
  'the agent ends the tunnel': ({ tunnel }) => tunnel.close(),
  'its session ends': ({ agent }) => agent.close(),
};

// One after the other, because each change rechecks all open connections.
describe('what goes to an edge ends with the tunnel behind it when', () => {
  for (const [what, change] of Object.entries(ending))
    test(what, async () => {
      const made = await fronted();
      await change(made);
      await Promise.all(made.opened.map((line) => line.over()));
    });
});

test('requests that are under way when the agent ends the tunnel may finish', async () => {
  const { tunnel, opened } = await fronted();
  await tunnel.close();
  const requests = opened.filter(({ kind }) => kind === 'stream' || kind === 'http2');
  await Promise.all(requests.map((line) => line.lives()));
});

test('and goes on when its credential may have these labels alone', async () => {
  const { credential, labels, opened } = await fronted();
  await call('PATCH', `/credentials/${credential}`, { acl: [`bind:app=${labels.app}`] });
  await Promise.all(opened.map((line) => line.lives()));
});

const dialled: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  'has another address': async (path) => {
    const [port] = await freePorts(1);
    await call('PATCH', path, { address: `127.0.0.1:${port}` });
  },
  'is to be asked with TLS': (path) => call('PATCH', path, { tls: { enabled: true } }),
};

describe('what goes to an address that the daemon dials', () => {
  const make = async () => {
    const { id } = await create('/backends/static', { address: `127.0.0.1:${upstream.port}` });
    return { path: `/backends/static/${id}`, opened: await openAtEdges(id) };
  };
  for (const [what, change] of Object.entries(dialled))
    test(`ends when the backend ${what}`, async () => {
      const { path, opened } = await make();
      await change(path);
      await Promise.all(opened.map((line) => line.over()));
    });

  test('goes on when the backend is described', async () => {
    const { path, opened } = await make();
    await call('PATCH', path, { description: 'new' });
    await Promise.all(opened.map((line) => line.lives()));
  });
});

interface Wild {
  readonly kinds: readonly LineKind[];
  readonly request: TunnelRequest;
  /** Makes an edge of the kind that would serve the lines. */
  readonly edge: ((name: string, backend: string) => Promise<unknown>) | null;
}

const wild: Readonly<Record<string, Wild>> = {
  https: { kinds: ['websocket', 'stream', 'http2'], request: {}, edge: makeHttpsEdge },
  plain: { kinds: ['websocket', 'stream'], request: { scheme: 'http' }, edge: null },
  passed: { kinds: ['passed'], request: { proto: 'tls' }, edge: makeTlsEdge },
  bytes: {
    kinds: ['bytes'],
    request: { proto: 'tls', termination: {} },
    edge: (name, backend) => makeTlsEdge(name, backend, edgeTermination),
  },
};

describe('what goes to a wildcard ends when the name that it came to', () => {
  let agent: Agent;
  let group: string;
  let elsewhere: string;

  before(async () => {
    agent = await login((await create('/credentials', {})).token ?? '');
    const labels = { app: 'wild' };
    await agent.forward(`127.0.0.1:${upstream.port}`, { labels });
    group = (await create('/backends/tunnel_group', { labels })).id;
    elsewhere = (await create('/backends/tunnel_group', { labels: { app: 'nowhere' } })).id;
  });

  async function wildcard(): Promise<string> {
    const base = `w${++count}.${SHARED}`;
    for (const name of [`*.${base}`, `*.c.${base}`]) await create('/reserved_domains', { name });
    return base;
  }

  const bind = (domain: string, request: TunnelRequest) =>
    agent.forward(`127.0.0.1:${upstream.port}`, { ...request, domain });
  const place = (name: string, { request }: Wild): Where =>
    request.scheme === 'http' ? { name, port: plainPort } : name;

  for (const [kind, shape] of Object.entries(wild)) {
    const { kinds, request, edge } = shape;

    test(`${kind}: is bound, that which is bound at other names goes on`, async () => {
      const base = await wildcard();
      await bind(`*.${base}`, request);
      const taken = await open(place(`a.${base}`, shape), kinds);
      const below = await open(place(`b.c.${base}`, shape), kinds);
      const left = await open(place(`b.${base}`, shape), kinds);
      await bind(`a.${base}`, request);
      await Promise.all(taken.map((line) => line.over()));
      await bind(`*.c.${base}`, request);
      await Promise.all(below.map((line) => line.over()));
      await Promise.all(left.map((line) => line.lives()));
      const again = await open(place(`a.${base}`, shape), kinds);
      await Promise.all(again.map((line) => line.lives()));
    });

    if (edge === null) continue;
    test(`${kind}: is bound, where the wildcard is an edge's`, async () => {
      const base = await wildcard();
      await edge(`*.${base}`, group);
      const opened = await open(`a.${base}`, kinds);
      await bind(`a.${base}`, request);
      await Promise.all(opened.map((line) => line.over()));
    });

    test(`${kind}: gets an edge`, async () => {
      const base = await wildcard();
      await edge(`*.${base}`, group);
      const opened = await open(`a.${base}`, kinds);
      const left = await open(`b.${base}`, kinds);
      await create('/reserved_domains', { name: `a.${base}` });
      await edge(`a.${base}`, elsewhere);
      await Promise.all(opened.map((line) => line.over()));
      await Promise.all(left.map((line) => line.lives()));
    });
  }
});

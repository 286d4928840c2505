/**
 * Changes of everything that a connection depends on, for each kind of connection.
 * Invariant: a connection ends if it would not be accepted any more.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { idpMetadata } from '../../packages/server/src/pki/idp-metadata.fixture.ts';
import { type Answer, freePorts, Platform, type Process } from '../harness/index.ts';
import { rowsOf } from '../harness/property-runs.ts';
import { addAccount } from './attacks.fixture.ts';
import { EndlessUpstream, Line, type LineKind, type Where } from './edge-changes.fixture.ts';

type Shape = 'https' | 'passed' | 'bytes' | 'tcp';

interface Edge {
  readonly shape: Shape;
  readonly path: string;
  /** Path of the resource with its modules: the edge, or its one route. */
  readonly modules: string;
  readonly where: Where;
  readonly hostport: string;
  readonly reservation: string;
  /** The path of the tunnel group in which its backend ends. */
  readonly group: string;
  /** The path of the backend that it names. */
  readonly backend: string;
  /** The path of the one that the group is a child of. */
  readonly above: string;
}

interface Row {
  readonly of?: readonly Shape[];
  /** Backends that lead to the tunnel group, the outermost first; none unless given. */
  readonly through?: readonly ('failover' | 'weighted')[];
  /** A change before the connection is opened. */
  readonly given?: (edge: Edge) => Promise<unknown>;
  readonly change: (edge: Edge) => Promise<unknown>;
}

interface Bound {
  readonly process: Process;
  readonly lines: readonly Line[];
}

const kinds: Readonly<Record<Shape, readonly LineKind[]>> = {
  https: ['websocket', 'stream', 'http2'],
  passed: ['passed'],
  bytes: ['bytes'],
  tcp: ['tcp'],
};
const named: readonly Shape[] = ['https', 'passed', 'bytes'];
const everywhere: readonly Shape[] = [...named, 'tcp'];

let platform: Platform;
let upstream: EndlessUpstream;
/** The one TCP port, and its reservation. */
let address: { readonly id: string; readonly addr: string };
let elsewhere: string;
let other: { readonly api_key: string };
/** Connections that no change concerns. */
let bystanders: readonly Line[];
const lines: Line[] = [];
let count = 0;

before(async () => {
  upstream = await EndlessUpstream.start();
  const [port] = await freePorts(1);
  platform = await Platform.start({ args: ['--tcp-ports', `${port}-${port}`] });
  await platform.agent(['http', `127.0.0.1:${upstream.port}`, '--label', 'app=endless']);
  address = await reserveAddress();
  elsewhere = (await create('/backends/tunnel_group', { labels: { app: 'nowhere' } })).id;
  other = await addAccount(platform);
  bystanders = (
    await Promise.all(named.map(async (shape) => await open(shape, (await makeEdge(shape)).where)))
  ).flat();
});
after(async () => {
  for (const line of lines) line.close();
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

async function reserveAddress(): Promise<typeof address> {
  const { id, addr = '' } = await create('/reserved_addrs', {});
  return { id, addr };
}

async function open(shape: Shape, where: Where): Promise<readonly Line[]> {
  const opened = await Promise.all(kinds[shape].map((kind) => Line.open(kind, platform, upstream, where)));
  lines.push(...opened);
  return opened;
}

async function makeBackend(
  through: Row['through'] = [],
): Promise<Pick<Edge, 'group' | 'backend' | 'above'> & { readonly id: string }> {
  let { id } = await create('/backends/tunnel_group', { labels: { app: 'endless' } });
  const group = `/backends/tunnel_group/${id}`;
  const paths = [group];
  for (const kind of through.toReversed()) {
    const backends = kind === 'failover' ? [id] : { [id]: 1 };
    ({ id } = await create(`/backends/${kind}`, { backends }));
    paths.push(`/backends/${kind}/${id}`);
  }
  return { group, backend: paths.at(-1) ?? group, above: paths[1] ?? group, id };
}

async function makeEdge(shape: Shape, through?: Row['through']): Promise<Edge> {
  const { group, backend, above, id: backend_id } = await makeBackend(through);
  const name = `n${++count}.underpass.localhost`;
  const hostport = shape === 'tcp' ? address.addr : `${name}:443`;
  const reservation =
    shape === 'tcp'
      ? `/reserved_addrs/${address.id}`
      : `/reserved_domains/${(await create('/reserved_domains', { name })).id}`;
  const where = shape === 'tcp' ? Number(address.addr.split(':')[1]) : name;
  const made = { shape, where, hostport, reservation, group, backend, above };
  if (shape === 'https') {
    const path = `/edges/https/${(await create('/edges/https', { hostports: [hostport] })).id}`;
    const route = { match_type: 'path_prefix', match: '/', backend: { backend_id } };
    return { ...made, path, modules: `${path}/routes/${(await create(`${path}/routes`, route)).id}` };
  }
  const type = shape === 'tcp' ? 'tcp' : 'tls';
  const { id } = await create(`/edges/${type}`, {
    hostports: [hostport],
    backend: { backend_id },
    ...(shape === 'bytes' ? { tls_termination: { terminate_at: 'edge' } } : {}),
  });
  const path = `/edges/${type}/${id}`;
  return { ...made, path, modules: path };
}

/** Answers the new policy's id. */
async function policy(...rules: readonly (readonly ['allow' | 'deny', string])[]): Promise<string> {
  const { id } = await create('/ip_policies', {});
  for (const [action, cidr] of rules) await create('/ip_policy_rules', { ip_policy_id: id, action, cidr });
  return id;
}

function restrict({ modules }: Edge, ...ids: readonly string[]): Promise<unknown> {
  return call('PUT', `${modules}/ip_restriction`, { ip_policy_ids: ids });
}

function reserveAsOther(name: string): Promise<Answer> {
  const authorization = `Bearer ${other.api_key}`;
  return platform.api('POST', '/reserved_domains', { name }, { authorization });
}

const allowing = () => policy(['allow', '127.0.0.0/8']);
const policies = new Map<Edge, string>();

async function restricted(edge: Edge): Promise<void> {
  const id = await allowing();
  policies.set(edge, id);
  await restrict(edge, id);
}

const ending: Readonly<Record<string, Row>> = {
  'the edge is deleted': { change: ({ path }) => call('DELETE', path) },
  'the route is deleted': { of: ['https'], change: ({ modules }) => call('DELETE', modules) },
  'the route matches other paths': {
    of: ['https'],
    change: ({ modules }) => call('PATCH', modules, { match_type: 'path_prefix', match: '/other' }),
  },
  'routes come that take what goes there': {
    of: ['https'],
    change: async ({ path }) => {
      const backend = { backend_id: elsewhere };
      for (const match of ['/websocket', '/stream'])
        await create(`${path}/routes`, { match_type: 'exact_path', match, backend });
    },
  },
  'another backend is put in its place': {
    change: ({ modules }) => call('PUT', `${modules}/backend`, { backend_id: elsewhere }),
  },
  'the backend is taken away': { change: ({ modules }) => call('DELETE', `${modules}/backend`) },
  'the backend is turned off': {
    change: ({ modules, backend }) =>
      call('PUT', `${modules}/backend`, { enabled: false, backend_id: backend.split('/').at(-1) }),
  },
  'the labels of the backend change': {
    change: ({ group }) => call('PATCH', group, { labels: { app: 'nowhere' } }),
  },
  'the labels of a backend below change': {
    through: ['failover'],
    change: ({ group }) => call('PATCH', group, { labels: { app: 'endless', and: 'more' } }),
  },
  'the child of a failover is replaced': {
    through: ['failover'],
    change: ({ backend }) => call('PATCH', backend, { backends: [elsewhere] }),
  },
  'the child of a weighted backend is replaced': {
    through: ['weighted'],
    change: ({ backend }) => call('PATCH', backend, { backends: { [elsewhere]: 1 } }),
  },
  'the weight becomes zero': {
    through: ['weighted'],
    change: ({ backend, group }) =>
      call('PATCH', backend, { backends: { [group.split('/').at(-1) ?? '']: 0, [elsewhere]: 1 } }),
  },
  'the labels of a backend two levels below change': {
    through: ['failover', 'weighted'],
    change: ({ group }) => call('PATCH', group, { labels: { app: 'nowhere' } }),
  },
  'the child of a child is replaced': {
    through: ['failover', 'weighted'],
    change: ({ above }) => call('PATCH', above, { backends: { [elsewhere]: 1 } }),
  },
  'an IP restriction is put that allows nobody': {
    change: async (edge) => restrict(edge, await policy()),
  },
  'a rule denies': {
    given: restricted,
    change: (edge) =>
      call('POST', '/ip_policy_rules', {
        ip_policy_id: policies.get(edge),
        action: 'deny',
        cidr: '127.0.0.1/32',
      }),
  },
  'the rule that lets them in is for others': {
    given: restricted,
    change: async (edge) => {
      const { json } = await platform.api('GET', '/ip_policy_rules?limit=100');
      const mine = json.ip_policy_rules.find(
        (rule: { ip_policy: { id: string } }) => rule.ip_policy.id === policies.get(edge),
      );
      await call('PATCH', `/ip_policy_rules/${mine.id}`, { cidr: '127.0.0.9/32' });
    },
  },
  'the policy is deleted': {
    given: restricted,
    change: (edge) => call('DELETE', `/ip_policies/${policies.get(edge)}`),
  },
  'another policy is put in its place': {
    given: restricted,
    change: async (edge) => restrict(edge, await policy(['allow', '127.0.0.9/32'])),
  },
  'TLS is no longer terminated': {
    of: ['bytes'],
    change: ({ path }) => call('DELETE', `${path}/tls_termination`),
  },
  'TLS is terminated': {
    of: ['passed'],
    change: ({ path }) => call('PUT', `${path}/tls_termination`, { terminate_at: 'edge' }),
  },
  'visitors need a certificate': {
    of: ['https', 'bytes'],
    change: ({ path }) => call('PUT', `${path}/mutual_tls`, { certificate_authority_ids: [] }),
  },
  'users have to log in by SAML': {
    of: ['https'],
    change: ({ modules }) => call('PUT', `${modules}/saml`, { idp_metadata: idpMetadata() }),
  },
  'users have to log in by OpenID Connect': {
    of: ['https'],
    change: ({ modules }) =>
      call('PUT', `${modules}/oidc`, {
        issuer: 'https://login.example.com',
        client_id: 'reports',
        client_secret: 'It is a secret',
      }),
  },
  'programs are filtered': {
    of: ['https'],
    change: ({ modules }) => call('PUT', `${modules}/user_agent_filter`, { allow: ['nobody'] }),
  },
  'messages of WebSockets are made a stream of bytes': {
    of: ['https'],
    change: ({ modules }) => call('PUT', `${modules}/websocket_tcp_converter`, {}),
  },
  'webhooks are verified': {
    of: ['https'],
    change: ({ modules }) =>
      call('PUT', `${modules}/webhook_verification`, { provider: 'github', secret: 'It is a secret' }),
  },
  'the hostports are emptied': { change: ({ path }) => call('PATCH', path, { hostports: [] }) },
  'the hostports move to another edge': {
    change: async ({ path, shape, hostport }) => {
      await call('PATCH', path, { hostports: [] });
      const type = shape === 'https' || shape === 'tcp' ? shape : 'tls';
      const { id } = await create(`/edges/${type}`, { hostports: [hostport] });
      if (shape === 'tcp') await call('DELETE', `/edges/tcp/${id}`);
    },
  },
};

const sparing: Readonly<Record<string, Row>> = {
  'the edge is described': {
    change: ({ path }) => call('PATCH', path, { description: 'new', metadata: 'new' }),
  },
  'the backend is described': { change: ({ group }) => call('PATCH', group, { description: 'new' }) },
  'a backend that leads there, too, is put in its place': {
    change: async ({ modules }) =>
      call('PUT', `${modules}/backend`, { backend_id: (await makeBackend(['failover'])).id }),
  },
  'a failover gets another child': {
    through: ['failover'],
    change: ({ backend, group }) =>
      call('PATCH', backend, { backends: [elsewhere, group.split('/').at(-1)] }),
  },
  'the child of a child gets another one beside it': {
    through: ['failover', 'weighted'],
    change: ({ above, group }) =>
      call('PATCH', above, { backends: { [elsewhere]: 9, [group.split('/').at(-1) ?? '']: 1 } }),
  },
  'an IP restriction is put that allows them': {
    change: async (edge) => restrict(edge, await allowing()),
  },
  'a rule denies others': {
    given: restricted,
    change: (edge) =>
      call('POST', '/ip_policy_rules', {
        ip_policy_id: policies.get(edge),
        action: 'deny',
        cidr: '127.0.0.9/32',
      }),
  },
  'the IP restriction is turned off': {
    given: restricted,
    change: (edge) =>
      call('PUT', `${edge.modules}/ip_restriction`, { enabled: false, ip_policy_ids: [policies.get(edge)] }),
  },
  'the edge gets another hostport': {
    of: named,
    change: async ({ path, hostport }) => {
      const name = `n${++count}.underpass.localhost`;
      await create('/reserved_domains', { name });
      await call('PATCH', path, { hostports: [hostport, `${name}:443`] });
    },
  },
  'TLS is terminated with another least version, which they speak': {
    of: ['https', 'bytes'],
    change: ({ path, shape }) => {
      const where = shape === 'bytes' ? { terminate_at: 'edge' } : {};
      return call('PUT', `${path}/tls_termination`, { ...where, min_version: '1.3' });
    },
  },
  'modules come that refuse nobody': {
    of: ['https'],
    change: async ({ modules }) => {
      await call('PUT', `${modules}/compression`, {});
      await call('PUT', `${modules}/circuit_breaker`, { error_threshold_percentage: 0.5 });
      await call('PUT', `${modules}/request_headers`, { remove: ['x-a'] });
      await call('PUT', `${modules}/response_headers`, { remove: ['x-a'] });
    },
  },
  'modules that would refuse them come and are off': {
    of: ['https'],
    change: async ({ modules }) => {
      await call('PUT', `${modules}/user_agent_filter`, { enabled: false, allow: ['nobody'] });
      await call('PUT', `${modules}/saml`, { enabled: false, idp_metadata: idpMetadata() });
    },
  },
  'another route comes': {
    of: ['https'],
    change: ({ path }) =>
      call('POST', `${path}/routes`, {
        match_type: 'path_prefix',
        match: '/other',
        backend: { backend_id: elsewhere },
      }),
  },
};

function check(shape: Shape, rows: typeof ending, isOver: boolean): void {
  for (const [what, { of = everywhere, through, given, change }] of rowsOf(
    Object.entries(rows),
    everywhere.indexOf(shape),
  )) {
    if (!of.includes(shape)) continue;
    test(`${shape}: ${what}`, async () => {
      const edge = await makeEdge(shape, through);
      await given?.(edge);
      const opened = await open(shape, edge.where);
      await change(edge);
      await Promise.all(opened.map((line) => (isOver ? line.over() : line.lives())));
      // They have the port one after the other.
      if (shape === 'tcp') await platform.api('DELETE', edge.path);
    });
  }
}

// One after the other, because each change rechecks all open connections.
describe('a change ends what it no longer allows', () => {
  for (const shape of named) check(shape, ending, true);
});
describe('what a change allows lives on', { concurrency: 8 }, () => {
  for (const shape of named) check(shape, sparing, false);
});
describe('at a TCP port', () => {
  check('tcp', ending, true);
  check('tcp', sparing, false);
});

test('a reservation that was given up ends what came by it, also when another account takes it', async () => {
  await Promise.all(
    named.map(async (shape) => {
      const edge = await makeEdge(shape);
      const opened = await open(shape, edge.where);
      await call('PATCH', edge.path, { hostports: [] });
      await call('DELETE', edge.reservation);
      assert.equal((await reserveAsOther(String(edge.where))).status, 201);
      await Promise.all(opened.map((line) => line.over()));
    }),
  );
});

/** The lines of two kinds through an agent of its own, at a name that it binds. */
async function bound(name: string, ...credential: readonly string[]): Promise<Bound> {
  const { process } = await platform.agent([
    ...['http', String(upstream.port), '--domain', name],
    ...credential,
  ]);
  return { process, lines: await open('https', name) };
}

async function own(name: string): Promise<Bound & { readonly id: string }> {
  const { id, token = '' } = await create('/credentials', {});
  return { id, ...(await bound(name, '--authtoken', token)) };
}

const agents: Readonly<Record<string, (name: string) => Promise<Bound>>> = {
  'its credential is deleted': async (name) => {
    const made = await own(name);
    await call('DELETE', `/credentials/${made.id}`);
    return made;
  },
  'its credential may no longer bind the name': async (name) => {
    const made = await own(name);
    await call('PATCH', `/credentials/${made.id}`, { acl: ['bind:other.underpass.localhost'] });
    return made;
  },
  'its agent stops': async (name) => {
    const made = await bound(name);
    await made.process.stop();
    return made;
  },
  'another agent of the credential binds the name': async (name) => {
    const former = await bound(name);
    await bound(name);
    return former;
  },
  'an IP restriction comes that allows nobody': async (name) => {
    const { id } = await create('/reserved_domains', { name });
    const made = await bound(name);
    const restriction = { ip_policy: { ip_policy_ids: [await policy()] } };
    const configuration = await create('/endpoint_configurations', { type: 'https', ...restriction });
    await call('PATCH', `/reserved_domains/${id}`, { https_endpoint_configuration_id: configuration.id });
    return made;
  },
};

describe('what goes to a bound name ends when', () => {
  for (const [what, act] of Object.entries(agents))
    test(what, async () => {
      const made = await act(`n${++count}.underpass.localhost`);
      await Promise.all(made.lines.map((line) => line.over()));
    });
});

test('a bound name whose reservation was given up stays with its agent, and out of reach of others', async () => {
  const name = `n${++count}.underpass.localhost`;
  const { id } = await create('/reserved_domains', { name });
  const { lines: opened } = await bound(name);
  await call('DELETE', `/reserved_domains/${id}`);
  assert.equal((await reserveAsOther(name)).status, 409);
  await Promise.all(opened.map((line) => line.lives()));
});

test('what goes to an edge ends with the credential of its agent', async () => {
  const { id, token = '' } = await create('/credentials', {});
  const labels = { app: 'doomed' };
  const edges = await Promise.all(everywhere.map((shape) => makeEdge(shape)));
  for (const { group } of edges) await call('PATCH', group, { labels });
  await platform.agent([
    ...['http', `127.0.0.1:${upstream.port}`, '--label', 'app=doomed'],
    ...['--authtoken', token],
  ]);
  const opened = await Promise.all(edges.map(({ shape, where }) => open(shape, where)));
  await call('DELETE', `/credentials/${id}`);
  await Promise.all(opened.flat().map((line) => line.over()));
});

test('what no change concerned has lived through them all', async () => {
  await Promise.all(bystanders.map((line) => line.lives()));
});

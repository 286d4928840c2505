/**
 * Changes of everything that a connection to an agent's tunnel depends on, for each protocol and each kind of
 * connection.
 * Invariant: a connection ends if it would not be accepted any more.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Agent, connect, type Tunnel, type TunnelRequest } from '@underpass/agent';
import { freePortRange, freePorts, Platform } from '../harness/index.ts';
import { EndlessUpstream, Line, type LineKind, type Where } from './edge-changes.fixture.ts';

const SHARED = 'underpass.localhost';
/** More than the tests have at a time. */
const TCP_PORTS = 40;

/** A bind of a name or address of the account, and the connections of its visitors. */
interface Shape {
  readonly kinds: readonly LineKind[];
  readonly request: TunnelRequest;
  readonly configuration: { readonly type: 'http' | 'https' | 'tcp'; readonly field: string };
}

const ofName = (type: 'http' | 'https') => ({ type, field: `${type}_endpoint_configuration_id` });
const shapes = {
  https: { kinds: ['websocket', 'stream', 'http2'], request: {}, configuration: ofName('https') },
  plain: { kinds: ['websocket', 'stream'], request: { scheme: 'http' }, configuration: ofName('http') },
  passed: { kinds: ['passed'], request: { proto: 'tls' }, configuration: ofName('https') },
  bytes: {
    kinds: ['bytes'],
    request: { proto: 'tls', termination: {} },
    configuration: ofName('https'),
  },
  tcp: {
    kinds: ['tcp'],
    request: { proto: 'tcp' },
    configuration: { type: 'tcp', field: 'endpoint_configuration_id' },
  },
} as const satisfies Readonly<Record<string, Shape>>;

/** One tunnel of each shape, of one agent with a credential of its own. */
interface Bound {
  readonly credential: string;
  readonly owner: string;
  readonly token: string;
  readonly agent: Agent;
  readonly tunnels: readonly BoundTunnel[];
}

interface BoundTunnel {
  readonly shape: Shape;
  readonly request: TunnelRequest;
  readonly tunnel: Tunnel;
  /** The path of the reserved name or address. */
  readonly reservation: string;
  readonly where: Where;
}

type Change = (bound: Bound) => Promise<unknown>;

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
  const args = [
    '--http-listen',
    `127.0.0.1:${plainPort}`,
    '--tcp-ports',
    `${first}-${first + TCP_PORTS - 1}`,
  ];
  platform = await Platform.start({ args });
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

async function bind(agent: Agent): Promise<Bound['tunnels']> {
  return await Promise.all(
    Object.values(shapes).map(async (shape: Shape) => {
      if (shape.request.proto === 'tcp') {
        const { id, addr: address = '' } = await create('/reserved_addrs', {});
        const request = { ...shape.request, address };
        const tunnel = await agent.forward(`127.0.0.1:${upstream.port}`, request);
        const reservation = `/reserved_addrs/${id}`;
        return { shape, request, tunnel, reservation, where: Number(address.split(':')[1]) };
      }
      const name = `b${++count}.${SHARED}`;
      const { id } = await create('/reserved_domains', { name });
      const request = { ...shape.request, domain: name };
      const tunnel = await agent.forward(`127.0.0.1:${upstream.port}`, request);
      const where = shape.request.scheme === 'http' ? { name, port: plainPort } : name;
      return { shape, request, tunnel, reservation: `/reserved_domains/${id}`, where };
    }),
  );
}

async function bound(): Promise<Bound> {
  const { id: owner } = await create('/bot_users', { name: `of ${++count}` });
  const { id: credential, token = '' } = await create('/credentials', { owner_id: owner });
  const agent = await login(token);
  return { credential, owner, token, agent, tunnels: await bind(agent) };
}

async function open(tunnels: Bound['tunnels']): Promise<readonly Line[]> {
  const opened = await Promise.all(
    tunnels.flatMap(({ shape, where }) =>
      shape.kinds.map((kind) => Line.open(kind, platform, upstream, where)),
    ),
  );
  lines.push(...opened);
  return opened;
}

/** Configures each name and address, with a policy of these rules; answers the policy's id. */
async function restrict(
  { tunnels }: Bound,
  ...rules: readonly ['allow' | 'deny', string][]
): Promise<string> {
  const { id } = await create('/ip_policies', {});
  for (const [action, cidr] of rules) await create('/ip_policy_rules', { ip_policy_id: id, action, cidr });
  for (const { shape, reservation } of tunnels) {
    const { type, field } = shape.configuration;
    const body = { type, ip_policy: { ip_policy_ids: [id] } };
    await call('PATCH', reservation, { [field]: (await create('/endpoint_configurations', body)).id });
  }
  return id;
}

const policies = new Map<Bound, string>();
const restricted: Change = async (made) => {
  policies.set(made, await restrict(made, ['allow', '127.0.0.0/8']));
};

interface Row {
  /** A change before the connections are opened. */
  readonly given?: Change;
  readonly change: Change;
}

const ending: Readonly<Record<string, Row>> = {
  'the credential is deleted': { change: ({ credential }) => call('DELETE', `/credentials/${credential}`) },
  'the credential may bind other names only': {
    change: ({ credential }) =>
      call('PATCH', `/credentials/${credential}`, { acl: [`bind:other.${SHARED}`] }),
  },
  'the owner of the credential is made inactive': {
    change: ({ owner }) => call('PATCH', `/bot_users/${owner}`, { active: false }),
  },
  'the session of the agent ends': { change: ({ agent }) => agent.close() },
  'the agent unbinds': { change: ({ tunnels }) => Promise.all(tunnels.map(({ tunnel }) => tunnel.close())) },
  'another agent of the credential binds the same': {
    change: async ({ token, tunnels }) => {
      const other = await login(token);
      await Promise.all(tunnels.map(({ request }) => other.forward(`127.0.0.1:${upstream.port}`, request)));
    },
  },
  'the API stops the session': {
    change: async ({ tunnels }) => {
      const { tunnels: online } = (await platform.api('GET', '/tunnels')).json;
      const id = tunnels[0]?.tunnel.tunnelId;
      const { tunnel_session } = online.find((one: { id: string }) => one.id === id);
      await call('POST', `/tunnel_sessions/${tunnel_session.id}/stop`);
    },
  },
  'a configuration is put there that allows nobody': { change: (made) => restrict(made) },
  'a rule denies': {
    given: restricted,
    change: (made) =>
      call('POST', '/ip_policy_rules', {
        ip_policy_id: policies.get(made),
        action: 'deny',
        cidr: '127.0.0.1/32',
      }),
  },
  'the policy is deleted': {
    given: restricted,
    change: (made) => call('DELETE', `/ip_policies/${policies.get(made)}`),
  },
};

const sparing: Readonly<Record<string, Row>> = {
  'the credential is described and may bind these alone': {
    change: ({ credential, tunnels }) =>
      call('PATCH', `/credentials/${credential}`, {
        description: 'new',
        acl: tunnels.map(({ request }) => `bind:${request.domain ?? request.address}`),
      }),
  },
  'the agent ends another tunnel': {
    change: async ({ agent }) => {
      const other = await agent.forward(`127.0.0.1:${upstream.port}`, { domain: `b${++count}.${SHARED}` });
      await other.close();
    },
  },
  'a configuration is put there that allows them': {
    change: (made) => restrict(made, ['allow', '127.0.0.0/8']),
  },
  'the configuration is taken away': {
    given: restricted,
    change: ({ tunnels }) =>
      Promise.all(
        tunnels.map(({ shape, reservation }) =>
          call('PATCH', reservation, { [shape.configuration.field]: '' }),
        ),
      ),
  },
  'the reservation is given up': {
    change: ({ tunnels }) => Promise.all(tunnels.map(({ reservation }) => call('DELETE', reservation))),
  },
};

function check(rows: typeof ending, isOver: boolean): void {
  for (const [what, { given, change }] of Object.entries(rows))
    test(what, async () => {
      const made = await bound();
      await given?.(made);
      const opened = await open(made.tunnels);
      await change(made);
      await Promise.all(opened.map((line) => (isOver ? line.over() : line.lives())));
      await made.agent.close();
    });
}

// One after the other, because each change rechecks all open connections.
describe('what goes to what an agent has bound ends when', () => check(ending, true));
describe('and goes on when', { concurrency: 4 }, () => check(sparing, false));

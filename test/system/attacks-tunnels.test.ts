/** Attacks by agents: names of others, names kept half-dead, rules that change, and frames of every wrong kind. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect as connectTcp } from 'node:net';
import { after, before, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import {
  call,
  echoHeartbeat,
  MuxSession,
  type MuxStream,
  readProxyHeader,
  StreamType,
} from '@underpass/wire';
import {
  buildHello,
  serverNameExtension,
} from '../../packages/server/src/edge/listeners/client-hello.fixture.ts';
import { closing, eventually } from '../harness/index.ts';
import { fixedEdge, httpsEdge, startTwoAccounts, type TwoAccounts } from './attacks.fixture.ts';

const SHARED = 'underpass.localhost';
let world: TwoAccounts;
let primary: string;

before(async () => {
  world = await startTwoAccounts();
  primary = world.platform.bootstrap.authtoken;
});
after(() => world.platform.stop());

interface Agent {
  readonly socket: TLSSocket;
  readonly session: MuxSession;
  readonly closed: Promise<string>;
  /** The `Error` of the answer; '' when there was none. */
  bind(opts: object, extra?: object): Promise<{ error: string; url: string; id: string; token: string }>;
  label(labels: object): Promise<string>;
}

/**
 * An agent by hand: authenticated, echoing heartbeats, answering each proxied request with `text`. The first streams, `turnsAway`
 * of them, it ends without a byte, as agents do that do not know the tunnel yet.
 */
async function agent(authtoken: string, text = 'hello', turnsAway = 0): Promise<Agent> {
  const socket = await world.platform.client.tls(`connect.${SHARED}`);
  let left = turnsAway;
  const { promise: closed, resolve } = Promise.withResolvers<string>();
  const session = new MuxSession(socket, {
    role: 'client',
    accept: (type, stream) => {
      if (type === StreamType.heartbeat) return echoHeartbeat(stream);
      if (type === StreamType.proxy && left-- > 0) return readProxyHeader(stream, () => stream.end());
      if (type === StreamType.proxy) return serve(stream, text);
      stream.reset(5);
    },
    closed: ({ debug }) => resolve(debug),
  });
  const auth = await call<{ Error?: string }>(session, StreamType.auth, {
    Version: ['3'],
    ClientId: '',
    Extra: { Authtoken: authtoken },
  });
  if ((auth.Error ?? '') !== '') throw new Error(auth.Error);
  return {
    socket,
    session,
    closed,
    async bind(opts, extra = {}) {
      const answer = await call<Record<string, never>>(session, StreamType.bind, {
        Id: '',
        Proto: 'https',
        Opts: opts,
        Extra: extra,
      });
      const { Error: error = '', URL: url = '', Id: id = '', Extra } = answer;
      return { error, url, id, token: (Extra as { Token?: string } | undefined)?.Token ?? '' };
    },
    async label(labels) {
      const request = { Labels: labels, ForwardsTo: '', ForwardsProto: '', Metadata: '' };
      const { Error: error = '' } = await call<Record<string, never>>(
        session,
        StreamType.startTunnelWithLabel,
        request,
      );
      return error;
    },
  };
}

function serve(stream: MuxStream, text: string): void {
  readProxyHeader(stream, () => {
    let seen = '';
    stream.handler = {
      data: (chunk) => {
        seen += Buffer.from(chunk).toString('latin1');
        for (let end = seen.indexOf('\r\n\r\n'); end !== -1; end = seen.indexOf('\r\n\r\n')) {
          seen = seen.slice(end + 4);
          stream.write(Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`));
        }
      },
      end: () => stream.end(),
      drain: () => {},
      close: () => {},
    };
  });
}

async function credential(acl: readonly string[]): Promise<{ id: string; token: string }> {
  return (await world.platform.api('POST', '/credentials', { acl })).json;
}

test('a half-open agent loses its name to the same credential at once, and never delivers again', async () => {
  const name = `halfopen.${SHARED}`;
  const old = await agent(primary, 'old');
  assert.equal((await old.bind({ Domain: name })).error, '');
  assert.equal((await world.platform.visit(name)).text, 'old');
  // The connection stays, and nothing is read from it any more: as if its packets were dropped.
  old.socket.pause();
  const fresh = await agent(primary, 'new');
  assert.equal((await fresh.bind({ Domain: name.toUpperCase() })).error, '');
  for (let n = 0; n < 10; n++) assert.equal((await world.platform.visit(name)).text, 'new');
  old.socket.resume();
  for (let n = 0; n < 10; n++) assert.equal((await world.platform.visit(name)).text, 'new');
  const { tunnels } = (await world.platform.api('GET', '/tunnels')).json;
  assert.equal(tunnels.filter((one: { public_url: string }) => one.public_url.includes(name)).length, 1);
  old.socket.destroy();
  fresh.socket.destroy();
});

test('requests that meet a tunnel which its agent does not know yet are not lost', async () => {
  const { platform } = world;
  for (const [round, init] of [
    {},
    { method: 'POST', body: 'x'.repeat(50_000) },
    { method: 'POST', body: '' },
  ].entries()) {
    const one = await agent(primary, 'taken', 3);
    const name = `hasty${round}.${SHARED}`;
    assert.equal((await one.bind({ Domain: name })).error, '');
    const { status, text } = await platform.visit(name, init);
    assert.deepEqual([status, text], [200, 'taken'], JSON.stringify(init).slice(0, 40));
    one.socket.destroy();
  }
});

test('TLS that passes through to a tunnel which its agent does not know yet is not lost', async () => {
  const { platform } = world;
  const { json: group } = await platform.api('POST', '/backends/tunnel_group', { labels: { hasty: 'tls' } });
  await fixedEdge(platform, 'hasty-tls', '', { backend: { backend_id: group.id }, tls_termination: null });
  const one = await agent(primary, 'raw', 2);
  assert.equal(await one.label({ hasty: 'tls' }), '');
  const socket = connectTcp({ port: platform.port, host: '127.0.0.1' });
  socket.on('error', () => {});
  const hello = buildHello({ extensions: [serverNameExtension(`hasty-tls.${SHARED}`)] });
  // Past the hello it is any bytes: this agent answers the end of a request's head.
  socket.write(Buffer.concat([hello, Buffer.from('\r\n\r\n')]));
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
    if (answer.endsWith('raw')) socket.destroy();
  });
  await closing(socket);
  assert.match(answer, /raw$/);
  for (const each of [socket, one.socket]) each.destroy();
});

test('another credential gets a name neither while it is online nor in the grace time after its agent died', async () => {
  const name = `kept.${SHARED}`;
  const rival = await credential([]);
  const owner = await agent(primary);
  const { token } = await owner.bind({ Domain: name });
  const [thief, stranger] = await Promise.all([agent(rival.token), agent(world.other.authtoken)]);
  for (const one of [thief, stranger]) {
    assert.match((await one.bind({ Domain: name })).error, /ERR_SERVICE_334$/);
    assert.match(
      (await one.bind({ Domain: `${name}.` }, { Token: token })).error,
      /ERR_SERVICE_(304|334|60304)$/,
    );
  }
  owner.socket.destroy();
  await eventually(async () => {
    const { text } = await world.platform.api('GET', '/tunnels');
    assert.doesNotMatch(text, /kept\./);
  });
  for (const one of [thief, stranger])
    assert.match((await one.bind({ Domain: name })).error, /ERR_SERVICE_60303$/);
  const back = await agent(primary);
  assert.equal((await back.bind({ Domain: name })).error, '');
  for (const { socket } of [thief, stranger, back]) socket.destroy();
});

test('bind rules hold for every spelling, on every bind, and neither kind of rule stands for the other', async () => {
  const { token } = await credential([`bind:Allowed.${SHARED}.`, 'bind:app=web']);
  const one = await agent(token);
  for (let round = 0; round < 2; round++) {
    assert.equal((await one.bind({ Domain: `ALLOWED.${SHARED}.` })).error, '');
    for (const name of [
      `xallowed.${SHARED}`,
      `allowed.${SHARED}.evil.com`,
      `a.allowed.${SHARED}`,
      `*.allowed.${SHARED}`,
    ]) {
      assert.match((await one.bind({ Domain: name })).error, /ERR_SERVICE_(316|318|319|354|321)$/, name);
    }
    assert.match((await one.bind({ Subdomain: 'other' })).error, /ERR_SERVICE_316$/);
    assert.match((await one.bind({})).error, /ERR_SERVICE_60305$/);
    assert.equal(await one.label({ app: 'web' }), '');
    for (const labels of [
      { app: 'db' },
      { app: 'web', x: '1' },
      { app: 'web ' },
      { 'app=web': 'x' },
      { APP: 'web' },
    ]) {
      assert.match(await one.label(labels), /ERR_SERVICE_(399|60312)$/, JSON.stringify(labels));
    }
  }
  one.socket.destroy();
});

test('narrower rules take a live tunnel offline, a deleted credential its session, before the API has answered', async () => {
  const { id, token } = await credential([`bind:*.${SHARED}`]);
  const one = await agent(token);
  const name = `narrowed.${SHARED}`;
  assert.equal((await one.bind({ Domain: name })).error, '');
  assert.equal((await world.platform.visit(name)).status, 200);
  await world.platform.api('PATCH', `/credentials/${id}`, { acl: [`bind:else.${SHARED}`] });
  const refused = await world.platform.visit(name).catch((error: Error) => error);
  assert.ok(
    refused instanceof Error || refused.status === 404,
    'the kept-alive connection serves nothing either',
  );
  assert.match((await one.bind({ Domain: name })).error, /ERR_SERVICE_316$/);
  assert.equal((await world.platform.api('DELETE', `/credentials/${id}`)).status, 204);
  assert.match(await one.closed, /ERR_SERVICE_300/);
  await assert.rejects(agent(token), /ERR_SERVICE_107/);
});

test('names of others are out of reach: reserved ones, those of edges, and those of the service', async () => {
  const { platform, other, asOther } = world;
  await fixedEdge(platform, 'edged', 'x');
  await platform.api('POST', '/reserved_domains', { name: 'mine' });
  await platform.api('POST', '/reserved_domains', { name: '*.wild.example.com' });
  const stranger = await agent(other.authtoken);
  for (const [name, code] of [
    [`mine.${SHARED}`, 320],
    [`a.mine.${SHARED}`, 354],
    ['a.wild.example.com', 320],
    [`edged.${SHARED}`, '(320|381)'],
    ['unreserved.example.com', 319],
    [`api.${SHARED}`, 60302],
    [`connect.${SHARED}`, 60302],
    [`internal.${SHARED}`, 60302],
    [`x.cname.us.${SHARED}`, 60302],
    [`*.${SHARED}`, 60302],
    [SHARED, 60302],
  ] as const) {
    assert.match((await stranger.bind({ Domain: name })).error, new RegExp(`ERR_SERVICE_${code}$`), name);
  }
  const { url } = await stranger.bind({});
  const taken = await platform.api('POST', '/reserved_domains', { name: new URL(url).hostname });
  assert.equal(taken.json.error_code, 'ERR_SERVICE_430');
  const foreign = await asOther('GET', '/tunnels');
  assert.equal(foreign.json.tunnels.length, 1);
  assert.doesNotMatch((await platform.api('GET', '/tunnels')).text, new RegExp(new URL(url).hostname));
  stranger.socket.destroy();
});

test('a name that is held for an agent is reserved by no other account, a wildcard over it neither, and its agent comes back', async () => {
  const { platform, other, asOther } = world;
  const name = `lost.${SHARED}`;
  const owner = await agent(primary, 'owner');
  assert.equal((await owner.bind({ Domain: name })).error, '');
  owner.socket.destroy();
  await eventually(async () => {
    const { text } = await platform.api('GET', '/tunnels');
    assert.doesNotMatch(text, /lost\./);
  });
  const taken = await asOther('POST', '/reserved_domains', { name });
  assert.deepEqual([taken.status, taken.json.error_code], [409, 'ERR_SERVICE_60321']);
  const thief = await agent(other.authtoken);
  assert.match((await thief.bind({ Domain: name })).error, /ERR_SERVICE_60303$/);
  const back = await agent(primary, 'back');
  assert.equal((await back.bind({ Domain: name })).error, '');
  assert.equal((await platform.visit(name)).text, 'back');
  assert.equal(
    (await platform.api('POST', '/reserved_domains', { name })).status,
    201,
    'the own account may',
  );
  assert.equal((await platform.visit(name)).text, 'back');
  for (const { socket } of [thief, back]) socket.destroy();
});

test('of a bind and a reservation of one name by two accounts at once, one is refused and the other stands', async () => {
  const { platform, asOther } = world;
  const one = await agent(primary, 'bound');
  for (let round = 0; round < 40; round++) {
    const name = `contest${round}.${SHARED}`;
    const reserving = asOther('POST', '/reserved_domains', { name });
    // The bind meets the reservation at another point of its way in each round.
    for (let turn = 0; turn < round % 10; turn++) await new Promise(setImmediate);
    const [bound, reserved] = await Promise.all([one.bind({ Domain: name }), reserving]);
    if (bound.error === '') {
      assert.equal(reserved.json.error_code, 'ERR_SERVICE_430', name);
      assert.equal((await platform.visit(name)).text, 'bound');
    } else {
      assert.match(bound.error, /ERR_SERVICE_320$/);
      assert.equal(reserved.status, 201, reserved.text);
    }
  }
  one.socket.destroy();
});

test('labelled tunnels serve groups of their own account only, also when both accounts use the same labels', async () => {
  const { platform, other } = world;
  const { json: group } = await platform.api('POST', '/backends/tunnel_group', { labels: { app: 'shared' } });
  await httpsEdge(platform, 'labelled', group.id);
  const [mine, theirs] = await Promise.all([agent(primary, 'mine'), agent(other.authtoken, 'theirs')]);
  assert.equal(await theirs.label({ app: 'shared' }), '');
  const name = `labelled.${SHARED}`;
  assert.equal((await platform.visit(name)).headers['underpass-error-code'], 'ERR_SERVICE_6515');
  assert.equal(await mine.label({ app: 'shared' }), '');
  for (let n = 0; n < 10; n++) assert.equal((await platform.visit(name)).text, 'mine');
  for (const { socket } of [mine, theirs]) socket.destroy();
});

test('what comes before a successful Auth is refused, and RPCs that are no requests end nothing else', async () => {
  const socket = await world.platform.client.tls(`connect.${SHARED}`);
  const { promise: closed, resolve } = Promise.withResolvers<string>();
  const session = new MuxSession(socket, {
    role: 'client',
    accept: (_type, stream) => stream.reset(5),
    closed: ({ debug }) => resolve(debug),
  });
  const beforeAuth = await call<{ Error: string }>(session, StreamType.bind, { Proto: 'https' }).catch(
    ({ message }: Error) => ({ Error: message }),
  );
  assert.notEqual(beforeAuth.Error, '');
  await closed;

  const one = await agent(primary);
  for (const request of [
    null,
    [],
    'x',
    { Proto: 5 },
    { Proto: 'https', Opts: [] },
    { Opts: { Domain: {} } },
  ]) {
    const { Error: error } = await call<{ Error: string }>(one.session, StreamType.bind, request);
    assert.match(error, /ERR_SERVICE_\d+$/, JSON.stringify(request));
  }
  assert.equal((await one.bind({})).error, '');
  one.socket.destroy();
});

test('frames of every wrong kind end that session only; the others go on serving', async () => {
  const name = `calm.${SHARED}`;
  const calm = await agent(primary, 'calm');
  await calm.bind({ Domain: name });
  const frame = (type: number, flags: number, id: number, body: Buffer, length = body.length): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUIntBE(length, 0, 3);
    head[3] = (type << 4) | flags;
    head.writeUInt32BE(id >>> 0, 4);
    return Buffer.concat([head, body]);
  };
  const four = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value >>> 0);
    return bytes;
  };
  const attacks: Buffer[] = [
    frame(7, 0, 1, Buffer.alloc(3)),
    frame(1, 0, 99, Buffer.from('unknown stream')),
    frame(1, 2, 2, four(1)),
    frame(1, 2, 0, four(1)),
    frame(2, 0, 1, four(0x7fffffff)),
    frame(2, 0, 1, Buffer.alloc(3)),
    frame(0, 0, 0, four(1)),
    frame(3, 0, 5, Buffer.alloc(8)),
    frame(3, 0, 0, Buffer.alloc(4)),
    frame(1, 2, 1, four(1), 0xffffff),
    Buffer.concat([frame(1, 3, 1, four(1)), frame(1, 0, 1, Buffer.from('after the end'))]),
    Buffer.concat([frame(1, 2, 1, four(0xffffffff)), ...Array(5000).fill(frame(1, 0, 1, Buffer.alloc(1)))]),
    Buffer.concat(Array.from({ length: 2000 }, (_, n) => frame(1, 2, 2 * n + 1, four(0xffffffff)))),
    ...Array.from({ length: 30 }, () => randomBytes(400)),
  ];
  const sockets = await Promise.all(attacks.map(() => world.platform.client.tls(`connect.${SHARED}`)));
  for (const [index, socket] of sockets.entries()) {
    socket.resume();
    socket.write(attacks[index] ?? '');
    assert.equal((await world.platform.visit(name)).text, 'calm');
  }
  for (const socket of sockets) socket.end();
  await Promise.all(sockets.map((socket) => closing(socket)));
  assert.equal((await world.platform.visit(name)).text, 'calm');
  assert.doesNotMatch(world.platform.daemon.output, /uncaught exception|unhandled rejection/);
  calm.socket.destroy();
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ErrorCode, field, noopHandler, StreamType } from '@underpass/wire';
import {
  codeOf,
  domain,
  numberIn,
  pattern,
  publicPort,
  type TestCredential,
  until,
  visitor,
  World,
} from './ingress.fixture.ts';

const second = 1_000_000_000;

describe('an agent session', () => {
  let world: World;
  let account: string;
  let credential: TestCredential;

  before(async () => {
    world = await World.create();
    account = await world.account('Acme GmbH');
    credential = await world.credential(account);
  });
  after(() => world.stop());

  const online = () => [...world.ingress.online.sessions(account)];

  test('comes online with Auth and is told everything about itself', async () => {
    const agent = await world.connect();
    const response = await agent.auth(credential.token, { Metadata: 'rack 7' });
    const [session] = online();
    assert.ok(session !== undefined);
    const extra = field(response, 'Extra') as Record<string, unknown>;
    const { Cookie: cookie, ...rest } = extra;
    assert.deepEqual(
      { ...response, Extra: rest },
      {
        Version: '3',
        ClientId: session.id,
        Error: '',
        Extra: {
          Version: '9.9.9',
          Region: 'us',
          AccountName: 'Acme GmbH',
          SessionDuration: 0,
          PlanName: 'self-hosted',
          Banner: '',
          DeprecationWarning: null,
          ConnectAddresses: [{ Region: 'us', ServerAddr: `connect.${domain}:${publicPort}` }],
          AgentSessionID: session.id,
        },
      },
    );
    assert.match(String(cookie), /^[\w-]{43}$/);
    assert.match(session.id, /^ts_[0-9A-Za-z]{27}$/);
    const { startedAt, id, ...shown } = session;
    assert.ok(Math.abs(startedAt - Date.now()) < 60_000 && id !== '');
    assert.deepEqual(shown, {
      account,
      credential: credential.id,
      clientId: session.id,
      leg: 0,
      agentVersion: '1.2.3',
      userAgent: '',
      arch: 'amd64',
      ip: '127.0.0.1',
      serverIp: '127.0.0.1',
      metadata: 'rack 7',
      os: 'linux',
      region: 'us',
      node: '',
      transport: 'underpass/3',
    });
    assert.deepEqual(world.ingress.counts, { sessions: 1, tunnels: 0 });
    agent.socket.destroy();
    await until(() => online().length === 0, 'the session vanishes with its connection');
    assert.deepEqual(world.ingress.counts, { sessions: 0, tunnels: 0 });
  });

  test('reads field names in any case, and ignores what it does not know', async () => {
    const agent = await world.connect();
    const response = await agent.request(StreamType.auth, {
      version: ['9', '2', '3'],
      CLIENTID: '',
      NewThing: { deep: [1] },
      extra: { AuthToken: credential.token, heartbeatinterval: null, fingerprint: { M: [] } },
    });
    assert.equal(response.Error, '');
    assert.equal(response.Version, '2');
    agent.socket.destroy();
  });

  test('is refused with a code and then GOAWAY when Auth is wrong', async () => {
    const stranger = await world.credential(account);
    await world.remove(stranger.id);
    const cases = [
      ['a token that is none', '105', { Extra: { Authtoken: 'nonsense' } }],
      ['no token', '105', {}],
      ['the token of a deleted credential', '107', { Extra: { Authtoken: stranger.token } }],
      [
        'a wrong secret',
        '107',
        {
          Extra: {
            Authtoken: `${credential.token.slice(0, -1)}${credential.token.endsWith('a') ? 'b' : 'a'}`,
          },
        },
      ],
      ['long metadata', '100', { Extra: { Authtoken: credential.token, Metadata: 'ü'.repeat(2049) } }],
      ['a short interval', '111', { Extra: { Authtoken: credential.token, HeartbeatInterval: second / 2 } }],
      ['a long interval', '111', { Extra: { Authtoken: credential.token, HeartbeatInterval: 601 * second } }],
      [
        'a negative tolerance',
        '112',
        { Extra: { Authtoken: credential.token, HeartbeatTolerance: -second } },
      ],
      ['unknown versions', '120', { Version: ['1', '4'] }],
      ['no versions', '120', { Version: null }],
      ['versions of a wrong type', '109', { Version: '3' }],
      ['extra of a wrong type', '109', { Extra: [] }],
      ['a token of a wrong type', '109', { Extra: { Authtoken: 7 } }],
      ['an interval of a wrong type', '109', { Extra: { HeartbeatInterval: '10s' } }],
    ] as const;
    const refuse = async (what: string, code: string, request: unknown) => {
      const agent = await world.connect();
      const response = await agent.request(StreamType.auth, request);
      assert.equal(codeOf(response), code, what);
      assert.equal(response.ClientId, '', what);
      assert.equal(numberIn((await agent.closed).debug), code, what);
    };
    await Promise.all([
      ...cases.map(([what, code, auth]) => refuse(what, code, { Version: ['3'], ...auth })),
      ...[null, 3, 'auth', [], true].map((body) => refuse(JSON.stringify(body), '109', body)),
    ]);
    assert.equal(online().length, 0);
  });

  test('never echoes a token in an error', async () => {
    const agent = await world.connect();
    const response = await agent.auth(`${credential.token}x!`);
    assert.equal(codeOf(response), '105');
    assert.ok(!JSON.stringify(response).includes(credential.token));
  });

  test('is refused when anything but a heartbeat or SrvInfo comes before Auth', async () => {
    const beforeAuth = async (type: StreamType) => {
      const agent = await world.connect();
      const answers = [agent.request(type, { Proto: 'https' }), agent.auth(credential.token)];
      // It is too late for Auth then.
      assert.deepEqual((await Promise.all(answers)).map(codeOf), ['60309', '60309']);
      assert.equal(numberIn((await agent.closed).debug), '60309');
    };
    const foreign = async (type: number) => {
      const agent = await world.connect();
      const { promise, resolve } = Promise.withResolvers<ErrorCode>();
      agent.mux.open(type as StreamType, { ...noopHandler, close: resolve });
      assert.equal(await promise, ErrorCode.streamRefused);
      assert.equal(numberIn((await agent.closed).debug), '60309');
    };
    const { bind, unbind, startTunnelWithLabel, patchTunnelState, proxy, stop } = StreamType;
    await Promise.all([
      ...[bind, unbind, startTunnelWithLabel, patchTunnelState].map(beforeAuth),
      ...[proxy, stop, 99].map(foreign),
    ]);
    assert.equal(online().length, 0);
  });

  test('is told the region before Auth, as often as it asks, and can log in after that', async () => {
    const agent = await world.connect();
    for (let time = 0; time < 2; time++)
      assert.deepEqual(await agent.request(StreamType.srvInfo, {}), { Region: 'us', Error: '' });
    const auth = agent.auth(credential.token);
    assert.equal(codeOf(await agent.request(StreamType.srvInfo, {})), '', 'between Auth and its answer, too');
    assert.equal(codeOf(await auth), '');
    agent.socket.destroy();
  });

  test('is refused when a bind comes on the heels of Auth, before its answer', async () => {
    const agent = await world.connect();
    const auth = agent.auth(credential.token);
    assert.equal(codeOf(await agent.bind({ Subdomain: 'hasty' })), '60309');
    assert.equal(codeOf(await auth), '60309');
    await agent.closed;
    assert.equal(world.ingress.online.byName(pattern(`hasty.${domain}`)), undefined);
  });

  test('has its heartbeats echoed before and after Auth', async () => {
    const agent = await world.connect();
    const echoed: number[] = [];
    const beat = agent.mux.open(StreamType.heartbeat, {
      ...noopHandler,
      data: (chunk) => echoed.push(...chunk),
    })!;
    beat.write(Buffer.from([1, 2]));
    await until(() => echoed.length === 2, 'the first half of a beat');
    assert.equal(codeOf(await agent.auth(credential.token)), '');
    beat.write(Buffer.from([3, 4, 5, 6, 7, 8]));
    await until(() => echoed.length === 8, 'all beats');
    assert.deepEqual(echoed, [1, 2, 3, 4, 5, 6, 7, 8]);
    agent.socket.destroy();
  });

  test('vanishes when the agent stops echoing, and when it stops reading', async () => {
    const heartbeat = { HeartbeatInterval: second, HeartbeatTolerance: second };
    const frozen = await world.login(credential, heartbeat);
    const two = await frozen.bind();
    const mute = await world.login(credential, heartbeat);
    const one = await mute.bind();
    assert.equal(codeOf(one) + codeOf(two), '');
    const tunnels = [...world.ingress.online.named(() => true)];
    assert.equal(tunnels.length, 2);
    mute.echoes = false;
    frozen.socket.pause();
    assert.equal(numberIn((await mute.closed).debug), '60318');
    await until(() => online().length === 0, 'both sessions vanish');
    assert.deepEqual([...world.ingress.online.tunnels(account)], []);
    assert.ok(tunnels.every((tunnel) => tunnel.closed.aborted));
  });

  test('that owes an answer and says nothing is suspect long before its heartbeat is due, until it is heard', async () => {
    const quick = await World.create({ limits: { silentMs: 50 } });
    try {
      const agent = await quick.login(await quick.credential(await quick.account()));
      await agent.bind({ Subdomain: 'quiet' });
      const tunnel = quick.ingress.online.byName(pattern(`quiet.${domain}`))!;
      await until(() => agent.beats === 1, 'the first heartbeat');
      let answers = 0;
      const ask = () => {
        const stream = tunnel.open(visitor)!;
        stream.handler = { ...noopHandler, data: () => answers++ };
        stream.write(Buffer.from('?'));
      };
      ask();
      await until(() => answers === 1, 'an answer');
      assert.equal(tunnel.isSuspect, false);
      agent.socket.pause();
      ask();
      await until(() => tunnel.isSuspect, 'it is suspect');
      agent.socket.resume();
      await until(() => !tunnel.isSuspect, 'its echo is heard');
      assert.ok(!tunnel.closed.aborted);
    } finally {
      await quick.stop();
    }
  });

  test('lives on with the smallest heartbeat while beats are echoed', async () => {
    const heartbeat = { HeartbeatInterval: second, HeartbeatTolerance: second };
    const agent = await world.login(credential, heartbeat);
    await until(() => agent.beats === 1, 'the service opens one heartbeat stream');
    assert.equal(online().length, 1);
    agent.socket.destroy();
  });

  test('answers SrvInfo, refuses a second Auth and streams of the other side, and lives on', async () => {
    const agent = await world.login(credential);
    assert.deepEqual(await agent.request(StreamType.srvInfo, {}), { Region: 'us', Error: '' });
    assert.equal(codeOf(await agent.auth(credential.token)), '60310');
    for (const type of [
      StreamType.proxy,
      StreamType.restart,
      StreamType.stop,
      StreamType.update,
      StreamType.stopTunnel,
      4_000_000_000 as StreamType,
    ]) {
      const { promise, resolve } = Promise.withResolvers<ErrorCode>();
      agent.mux.open(type, { ...noopHandler, close: resolve }, Buffer.from('{}'));
      assert.equal(await promise, ErrorCode.streamRefused);
    }
    assert.equal(codeOf(await agent.bind()), '');
    agent.socket.destroy();
  });

  test('survives RPCs that are no JSON: only their stream is reset', async () => {
    const agent = await world.login(credential);
    for (const text of ['{"Proto": nope}', '}', '{"a":'.repeat(1000), 'x'.repeat(100)]) {
      const { promise, resolve } = Promise.withResolvers<ErrorCode>();
      const stream = agent.mux.open(StreamType.bind, { ...noopHandler, close: resolve }, Buffer.from(text))!;
      stream.end();
      assert.equal(await promise, ErrorCode.protocol, text.slice(0, 20));
    }
    assert.equal(codeOf(await agent.bind()), '');
    agent.socket.destroy();
  });

  test('keeps its client id over a reconnect that proves it, and its former connection ends', async () => {
    const first = await world.connect();
    const hello = await first.auth(credential.token);
    const earlier = { ClientId: hello.ClientId };
    const cookie = { Cookie: field(hello.Extra, 'Cookie') };

    const back = await world.connect();
    const again = await back.auth(credential.token, cookie, earlier);
    assert.equal(again.ClientId, hello.ClientId);
    assert.notEqual(field(again.Extra, 'AgentSessionID'), hello.ClientId);
    assert.equal(numberIn((await first.closed).debug), '60315');
    await until(
      () => online().length === 1,
      'agents of earlier tests are gone, and so is the former connection',
    );

    const leg = await world.connect();
    assert.equal(
      (await leg.auth(credential.token, { ...cookie, LegNumber: 1 }, earlier)).ClientId,
      hello.ClientId,
    );
    assert.equal(online().length, 2, 'another leg of the agent is no reconnect');

    const other = await world.credential(account);
    for (const [token, forged] of [
      [other.token, cookie],
      [credential.token, { Cookie: 'AAAA' }],
      [credential.token, {}],
    ] as const) {
      const impostor = await world.connect();
      const response = await impostor.auth(token, forged, earlier);
      assert.equal(response.Error, '');
      assert.notEqual(response.ClientId, hello.ClientId);
      impostor.socket.destroy();
    }
    assert.ok(!back.mux.isClosed);
    for (const agent of [back, leg]) agent.socket.destroy();
  });
});

test('a connection that says nothing is closed with a reason, and one whose Auth never ends too', async () => {
  const world = await World.create({ limits: { authMs: 100 } });
  try {
    const silent = await world.connect();
    assert.equal(numberIn((await silent.closed).debug), '60317');
    const slow = await world.connect();
    slow.mux.open(StreamType.auth, noopHandler, Buffer.from('{"Version":["3"'));
    assert.equal(numberIn((await slow.closed).debug), '60317');
  } finally {
    await world.stop();
  }
});

test('a flood of connections that prove nothing closes those that have waited longest, and lets agents in', async () => {
  const world = await World.create({ limits: { unauthenticatedPerSource: 5 } });
  try {
    const credential = await world.credential(await world.account());
    const before = await world.login(credential);
    const silent = [];
    for (let count = 0; count < 8; count++) {
      silent.push(await world.connect());
      const agent = await world.login(credential);
      assert.equal(codeOf(await agent.bind()), '', 'an agent that sends its Auth at once comes in');
    }
    for (const [index, one] of silent.entries()) {
      if (index < 4) assert.equal(numberIn((await one.closed).debug), '60324');
      else assert.equal(one.mux.isClosed, false, `silent ${index}`);
    }
    assert.equal(codeOf(await before.bind()), '', 'who has proven something does not count');
    const refused = await world.connect();
    assert.equal(codeOf(await refused.auth('nonsense')), '105');
  } finally {
    await world.stop();
  }
});

test('before Auth an agent has few streams, and its Auth may not be long', async () => {
  const world = await World.create({
    limits: { unauthenticatedStreams: 3, unauthenticatedRequestBytes: 2_000 },
  });
  try {
    const credential = await world.credential(await world.account());
    const agent = await world.connect();
    const codes: ErrorCode[] = [];
    for (let count = 0; count < 5; count++)
      agent.mux.open(StreamType.heartbeat, { ...noopHandler, close: (code) => codes.push(code) });
    await until(() => codes.length === 2, 'two streams too many');
    assert.deepEqual(codes, [ErrorCode.streamRefused, ErrorCode.streamRefused]);
    agent.socket.destroy();

    const long = await world.connect();
    const { promise, resolve } = Promise.withResolvers<ErrorCode>();
    long.mux.open(StreamType.auth, { ...noopHandler, close: resolve }, Buffer.from(`"${'x'.repeat(2_000)}"`));
    assert.equal(await promise, ErrorCode.protocol);

    const online = await world.login(credential);
    const answers = await Promise.all(Array.from({ length: 40 }, () => online.bind()));
    assert.ok(
      answers.every((answer) => codeOf(answer) === ''),
      'after it there is room for many',
    );
  } finally {
    await world.stop();
  }
});

test('a half-sent Auth that has to give way is told so', async () => {
  const world = await World.create({ limits: { unauthenticatedBytesInAll: 8_000 } });
  try {
    const credential = await world.credential(await world.account());
    const told: string[] = [];
    const begin = async () => {
      const agent = await world.connect();
      const handler = { ...noopHandler, data: (chunk: Buffer) => told.push(chunk.toString()) };
      agent.mux.open(StreamType.auth, handler, Buffer.from('{"Version":'))?.write(Buffer.alloc(1_800, ' '));
      return agent;
    };
    const first = await begin();
    for (let count = 0; count < 4 && told.length === 0; count++) await begin();
    assert.equal(numberIn((await first.closed).debug), '60323');
    assert.equal(codeOf(JSON.parse(told[0] ?? '')), '60323');
    await world.login(credential);
  } finally {
    await world.stop();
  }
});

test('sessions are limited by credential, account and source, but an agent that is back is no one more', async () => {
  const limits = { sessionsPerCredential: 2, sessionsPerAccount: 3, sessionsPerSource: 4 };
  const world = await World.create({ limits });
  try {
    const account = await world.account();
    const [one, two] = [await world.credential(account), await world.credential(account)];
    const other = await world.credential(await world.account('other'));
    const third = await world.credential(await world.account('third'));
    const first = await world.connect();
    const hello = await first.auth(one.token);
    const second = await world.login(one);
    const refused = async ({ token }: TestCredential) => {
      const agent = await world.connect();
      const code = codeOf(await agent.auth(token));
      assert.equal(numberIn((await agent.closed).debug), code);
      return code;
    };
    assert.equal(await refused(one), '60325');
    await world.login(two);
    assert.equal(await refused(two), '108');
    await world.login(other);
    assert.equal(await refused(third), '60326');

    const back = await world.connect();
    const cookie = { Cookie: field(hello.Extra, 'Cookie') };
    assert.equal(codeOf(await back.auth(one.token, cookie, { ClientId: hello.ClientId })), '');
    assert.equal(numberIn((await first.closed).debug), '60315');
    assert.equal(await refused(one), '60325');
    second.socket.destroy();
    await until(() => world.ingress.counts.sessions === 3, 'one session less');
    await world.login(one);
    assert.equal(world.ingress.counts.sessions, 4);
  } finally {
    await world.stop();
  }
});

test('closing ends every session with GOAWAY, waits for none beyond the deadline, and takes no more', async () => {
  const world = await World.create();
  try {
    const credential = await world.credential(await world.account());
    const polite = await world.login(credential);
    const bound = await polite.bind();
    const frozen = await world.login(credential);
    frozen.socket.pause();
    const silent = await world.connect();
    await world.ingress.close(50);
    assert.equal(numberIn((await polite.closed).debug), '60319');
    assert.equal(numberIn((await silent.closed).debug), '60319');
    assert.equal(bound.Error, '');
    assert.deepEqual(world.ingress.counts, { sessions: 0, tunnels: 0 });
    await (await world.connect()).closed;
  } finally {
    await world.stop();
  }
});

test('a garbage byte stream closes that connection only', async () => {
  const world = await World.create();
  try {
    const credential = await world.credential(await world.account());
    const agent = await world.login(credential);
    for (const bytes of ['GET / HTTP/1.1\r\n\r\n', '\xff'.repeat(64), '\0'.repeat(64)]) {
      const garbage = await world.connect();
      garbage.socket.write(Buffer.from(bytes, 'latin1'));
      await garbage.closed;
    }
    assert.equal(codeOf(await agent.bind()), '');
  } finally {
    await world.stop();
  }
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { field, StreamType } from '@underpass/wire';
import { tcpPort } from '../core/names/bind-target.ts';
import {
  codeOf,
  domain,
  hostname,
  numberIn,
  type TestAgent,
  type TestCredential,
  until,
  World,
} from './ingress.fixture.ts';

const first = 20_000;
const last = 20_003;

describe('an agent that binds TCP', () => {
  let world: World;
  let account: string;
  let credential: TestCredential;
  let agent: TestAgent;
  let stranger: TestAgent;
  let strangers: TestCredential;
  /** Ports that another process listens on. */
  const foreign = new Set<number>();
  let now = 0;

  before(async () => {
    world = await World.create({
      tcpPorts: { first, last },
      isPortFree: (port) => !foreign.has(port),
      uptime: () => now,
    });
    account = await world.account();
    credential = await world.credential(account);
    agent = await world.login(credential);
    strangers = await world.credential(await world.account('stranger'));
    stranger = await world.login(strangers);
  });
  after(() => world.stop());

  const bind = (from: TestAgent, opts: Record<string, unknown> = {}, extra: Record<string, unknown> = {}) =>
    from.bind(opts, extra, { Proto: 'tcp' });
  const unbind = (from: TestAgent, answer: Record<string, unknown>) =>
    from.request(StreamType.unbind, { Id: answer.Id });
  const ports = () => [...world.ingress.online.ports].sort();
  const portOf = (answer: Record<string, unknown>) => Number(/:(\d+)$/.exec(String(answer.URL))?.[1]);
  const reserve = (of: string, port: number, host = `1.tcp.${domain}`) =>
    world.insert('reserved_addr', 'ra', of, {
      description: '',
      metadata: '',
      hostname: host,
      port,
      region: 'us',
      endpoint_configuration_id: null,
    });

  test('gets any free port of the range, whichever way it says that it wants any', async () => {
    foreign.add(first);
    const answers = [
      await bind(agent, { Addr: '' }),
      await bind(agent, { URL: 'tcp://' }),
      await bind(stranger),
    ];
    for (const answer of answers) {
      assert.equal(answer.Error, '');
      assert.match(String(answer.URL), /^tcp:\/\/[0-8]\.tcp\.underpass\.localhost:2000[1-3]$/);
      assert.equal(answer.Proto, 'tcp');
    }
    assert.deepEqual(ports(), [20_001, 20_002, 20_003]);
    const full = await bind(agent);
    assert.equal(codeOf(full), '60403');
    const [one] = answers;
    const url = String(one?.URL);
    assert.deepEqual(one?.Opts, { Addr: url.slice('tcp://'.length), ProxyProto: 0 });
    assert.deepEqual(answers[1]?.Opts, {
      URL: answers[1]?.URL,
      Addr: String(answers[1]?.URL).slice(6),
      ProxyProto: 0,
    });
    const endpoint = world.ingress.online.byPort(portOf(one!))?.facts.endpoint;
    assert.deepEqual([endpoint?.proto, endpoint?.url, endpoint?.port], ['tcp', url, portOf(one!)]);
    foreign.clear();
    for (const answer of answers.slice(0, 2)) await unbind(agent, answer);
    await unbind(stranger, answers[2]!);
    assert.deepEqual(ports(), []);
  });

  test('has its random port back after its session is lost, by proof and by address; nobody else gets it', async () => {
    const lost = await world.login(credential);
    const bound = await bind(lost);
    const port = portOf(bound);
    lost.socket.destroy();
    await until(() => ports().length === 0, 'the port goes offline');
    assert.equal(world.ingress.online.occupied(tcpPort(port), strangers.account), 'held');
    const others = [await bind(stranger), await bind(stranger), await bind(stranger)];
    assert.ok(others.every((answer) => answer.Error === '' && portOf(answer) !== port));
    assert.equal(codeOf(await bind(stranger)), '60403', 'the one that is left is held');
    assert.equal(codeOf(await bind(stranger, bound.Opts as Record<string, unknown>)), '307');
    const Token = field(bound.Extra, 'Token');
    assert.equal(codeOf(await bind(stranger, {}, { Token })), '60304');
    assert.equal(codeOf(await agent.bind({}, { Token })), '60304', 'it proves no name');
    for (const [opts, extra] of [
      [{}, { Token }],
      [bound.Opts, {}],
      [{ URL: bound.URL }, { Token }],
    ] as [Record<string, unknown>, Record<string, unknown>][]) {
      const back = await bind(agent, opts, extra);
      assert.deepEqual([back.Error, back.URL], ['', bound.URL]);
    }
    for (const answer of others) await unbind(stranger, answer);
    await world.restart();
    agent = await world.login(credential);
    stranger = await world.login(strangers);
    const again = await bind(agent, bound.Opts as Record<string, unknown>, { Token });
    assert.equal(again.URL, bound.URL, 'after a restart too');
    await unbind(agent, again);
  });

  test('chooses among the addresses of its account, and is told why it may not have another', async () => {
    const own = await reserve(account, 30_001);
    const theirs = await reserve(strangers.account, 30_002);
    const addr = `1.tcp.${domain}:30001`;
    const answer = await bind(agent, { Addr: addr });
    assert.deepEqual([answer.Error, answer.URL], ['', `tcp://${addr}`]);
    const narrow = await world.credential(account, [`bind:1.tcp.${domain}:30001`]);
    const bounded = await world.login(narrow);
    for (const [from, code, opts] of [
      [agent, '309', { Addr: `1.tcp.${domain}:30002` }],
      [agent, '307', { Addr: `2.tcp.${domain}:30001` }],
      [agent, '307', { URL: `tcp://1.tcp.${domain}:20001` }],
      [agent, '60402', { Addr: '30001' }],
      [agent, '60402', { URL: `tcp://1.tcp.${domain}` }],
      [agent, '60402', { URL: `https://${addr}` }],
      [agent, '60402', { Addr: `*.tcp.${domain}:30001` }],
      [agent, '9037', { URL: `tcp://me:secret@${addr}` }],
      [agent, '9021', { Addr: addr, URL: `tcp://1.tcp.${domain}:30002` }],
      [agent, '60705', { TLSTermination: { cert: 'eA==' } }],
      [bounded, '356', {}],
      [bounded, '308', { Addr: `1.tcp.${domain}:30003` }],
      [bounded, '334', { Addr: addr }],
    ] as const) {
      assert.equal(codeOf(await bind(from, opts)), code, JSON.stringify(opts));
    }
    await unbind(agent, answer);
    const bound = await bind(bounded, { Addr: addr });
    assert.equal(bound.Error, '');
    await world.remove(theirs);
    await world.remove(own);
    assert.deepEqual(ports(), [30_001], 'who has it keeps it');
    await unbind(bounded, bound);
    bounded.socket.destroy();
  });

  test('loses its port to whoever reserves it or puts an edge on it', async () => {
    for (const change of ['reserved', 'edge'] as const) {
      const answer = await bind(agent);
      const port = portOf(answer);
      const host = hostname(/\/\/(.*):/.exec(String(answer.URL))?.[1] ?? '');
      const seen = agent.stopped.length;
      const id =
        change === 'reserved'
          ? await reserve(strangers.account, port)
          : await world.insert('tcp_edge', 'edgtcp', account, {
              description: '',
              metadata: '',
              hostports: [
                { hostname: host, port, endpoint_id: 'ep_x', created_at: '', region: 'us', address_id: 'ra' },
              ],
              backend: null,
              ip_restriction: null,
            });
      assert.deepEqual(ports(), []);
      now += 10_000;
      await until(() => agent.stopped.length > seen, 'the agent is told');
      assert.equal(numberIn(agent.stopped.at(-1)?.Message ?? ''), change === 'reserved' ? '309' : '381');
      const { Token } = answer.Extra as { Token: string };
      assert.equal(codeOf(await bind(agent, {}, { Token })), change === 'reserved' ? '309' : '381');
      await world.remove(id);
    }
  });

  test('of two that draw ports at once, each gets its own', async () => {
    const answers = await Promise.all([bind(agent), bind(stranger), bind(agent), bind(stranger)]);
    assert.equal(new Set(answers.map(portOf)).size, 4);
    assert.deepEqual(answers.map(codeOf), ['', '', '', '']);
  });
});

test('the address of a daemon outside the default region says where it is, and comes back as such', async () => {
  const world = await World.create({ tcpPorts: { first, last }, region: 'eu' });
  const credential = await world.credential(await world.account());
  const agent = await world.login(credential);
  const answer = await agent.bind({}, {}, { Proto: 'tcp' });
  const url = String(answer.URL);
  assert.match(url, /^tcp:\/\/[0-8]\.tcp\.eu\.underpass\.localhost:2000[0-3]$/);
  agent.socket.destroy();
  await until(() => world.ingress.online.ports.size === 0);
  const { Token } = answer.Extra as { Token: string };
  const again = await (await world.login(credential)).bind({ URL: url }, { Token }, { Proto: 'tcp' });
  assert.deepEqual([again.URL, again.Error], [url, '']);
  await world.stop();
});

import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { Problem } from '../../errors/problem.ts';
import type { SessionFacts } from '../../online/session.ts';
import type { JsonObject } from '../../store/store.ts';
import { collection, type Platform, refused, startPlatform } from '../engine.fixture.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
afterEach(() => {
  platform.online.liveTunnels.length = 0;
  platform.online.liveSessions.length = 0;
});
after(() => platform.close());

const base = 'https://api.underpass.localhost:8443';
const nobody = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';

describe('tunnels', () => {
  test('an ephemeral tunnel is shown with its name and endpoint', async () => {
    const live = await platform.tunnel(platform.admin.account, { name: 'one.underpass.localhost' });
    const shown = await platform.get('tunnel', live.id);
    assert.deepEqual(Object.entries(shown), [
      ['id', live.id],
      ['public_url', 'https://one.underpass.localhost:8443'],
      ['started_at', '2030-01-02T03:04:05Z'],
      ['metadata', 'mine'],
      ['proto', 'https'],
      ['region', 'us'],
      ['node', 'edge-1'],
      ['tunnel_session', { id: live.session, uri: `${base}/tunnel_sessions/${live.session}` }],
      ['endpoint', { id: live.endpoint?.id, uri: `${base}/endpoints/${live.endpoint?.id}` }],
      ['labels', {}],
      ['backends', []],
      ['forwards_to', 'localhost:3000'],
    ]);
    assert.deepEqual((await platform.list('tunnel')).items, [shown]);
  });

  test('a labelled tunnel has no name, and shows the groups that it belongs to', async () => {
    const group = await platform.create('tunnel_group_backend', { labels: { app: 'web' } });
    await platform.create('tunnel_group_backend', { labels: { app: 'web', zone: 'a' } });
    await platform.create('tunnel_group_backend', { labels: { app: 'web' } }, platform.stranger);
    const live = await platform.tunnel(platform.admin.account, { labels: { app: 'web', more: 'x' } });
    const shown = await platform.get('tunnel', live.id);
    for (const field of ['proto', 'public_url', 'endpoint']) assert.ok(!(field in shown), field);
    assert.deepEqual(shown.labels, { app: 'web', more: 'x' });
    assert.deepEqual(shown.backends, [{ id: group.id, uri: group.uri }]);
  });

  test('pages go from the newest to the oldest, and tunnels that are gone are not on them', async () => {
    const { account } = platform.admin;
    const ids: string[] = [];
    for (let count = 0; count < 5; count++)
      ids.unshift((await platform.tunnel(account, { labels: { a: 'b' } })).id);
    const { liveTunnels } = platform.online;
    liveTunnels.push(...liveTunnels.splice(0, 2));
    await platform.tunnel(platform.stranger.account, { labels: { a: 'b' } });
    const first = await platform.list('tunnel', { limit: 2 });
    assert.deepEqual(
      first.items.map((item) => item.id),
      ids.slice(0, 2),
    );
    assert.equal(first.next, ids[1]);
    const second = await platform.list('tunnel', { limit: 1, before: ids[1]! });
    assert.deepEqual(
      second.items.map((item) => item.id),
      ids.slice(2, 3),
    );
    const gone = platform.online.liveTunnels.findIndex((one) => one.id === ids[1]);
    platform.online.liveTunnels.splice(gone, 1);
    const rest = await platform.list('tunnel', { limit: 3, before: ids[1]! });
    assert.deepEqual(
      rest.items.map((item) => item.id),
      ids.slice(2),
    );
    assert.equal(rest.next, null);
    await refused(platform.get('tunnel', ids[1]!), 'resourceNotFound');
  });

  test('ids are checked as everywhere', async () => {
    const live = await platform.tunnel(platform.stranger.account, { name: 'x.underpass.localhost' });
    for (const kind of ['tunnel', 'tunnel_session', 'endpoint']) {
      await refused(platform.get(kind, `rd_${nobody}`), 'idPrefixWrong');
      await refused(platform.list(kind, { before: `rd_${nobody}` }), 'idPrefixWrong');
    }
    const foreign = await refused(platform.get('tunnel', live.id), 'resourceNotFound');
    const unknown = await refused(platform.get('tunnel', `tn_${nobody}`), 'resourceNotFound');
    assert.equal(foreign.message, unknown.message);
    await refused(platform.get('endpoint', live.endpoint?.id ?? ''), 'resourceNotFound');
    await refused(platform.get('tunnel_session', `ts_${nobody}`), 'resourceNotFound');
  });
});

function sessionFacts(account: string, id: string): SessionFacts {
  return {
    ...{ id, account, credential: `cr_${nobody}`, clientId: id, leg: 0 },
    ...{ agentVersion: '', userAgent: '', os: '', arch: '', metadata: '', transport: 'underpass/3' },
    ...{ ip: '203.0.113.7', serverIp: '198.51.100.1', region: 'us', node: 'edge-1' },
    startedAt: Date.parse('2030-01-02T03:04:05.999Z'),
  };
}

test('a tunnel session is shown with the credential that it belongs to', async () => {
  const { id: credential } = await platform.create('credential', {});
  const id = `ts_${nobody}`;
  const facts = { ...sessionFacts(platform.admin.account, id), credential, agentVersion: '3.1.0' };
  platform.online.liveSessions.push({
    facts: { ...facts, metadata: 'm', os: 'linux', transport: 'underpass/2' },
    ask: async () => assert.fail('asked'),
  });
  const shown = await platform.get('tunnel_session', id);
  assert.deepEqual(Object.entries(shown), [
    ['agent_version', '3.1.0'],
    ['credential', { id: credential, uri: `${base}/credentials/${credential}` }],
    ['id', id],
    ['ip', '203.0.113.7'],
    ['metadata', 'm'],
    ['node', 'edge-1'],
    ['os', 'linux'],
    ['region', 'us'],
    ['started_at', '2030-01-02T03:04:05Z'],
    ['transport', 'underpass/2'],
    ['uri', `${base}/tunnel_sessions/${id}`],
  ]);
  assert.deepEqual((await platform.list('tunnel_session')).items, [shown]);
  assert.deepEqual((await platform.list('tunnel_session', {}, platform.stranger)).items, []);
  await refused(platform.get('tunnel_session', id, platform.stranger), 'resourceNotFound');
});

test('the agent of a session is asked for what the path says, by members too, and only in its account', async () => {
  const asked: string[] = [];
  const session = (account: string, suffix: string) => ({
    facts: sessionFacts(account, `ts_${suffix}`),
    ask: async (what: string) => {
      asked.push(`${what} ${suffix}`);
      if (suffix === 'unresponsive') throw new Problem('agentConnectionLost');
    },
  });
  const { admin, member, stranger, engine, online } = platform;
  online.liveSessions.push(session(admin.account, 'one'), session(admin.account, 'unresponsive'));
  online.liveSessions.push(session(stranger.account, 'theirs'));
  const sessions = collection('tunnel_session');
  for (const what of ['restart', 'stop', 'update']) await engine.act(sessions, member, 'ts_one', what);
  assert.deepEqual(asked, ['restart one', 'stop one', 'update one']);
  await refused(engine.act(sessions, admin, 'ts_unresponsive', 'stop'), 'agentConnectionLost');
  const foreign = await refused(engine.act(sessions, admin, 'ts_theirs', 'stop'), 'resourceNotFound');
  const unknown = await refused(engine.act(sessions, admin, `ts_${nobody}`, 'stop'), 'resourceNotFound');
  assert.deepEqual([foreign.message, foreign.details], [unknown.message, unknown.details]);
  await refused(engine.act(sessions, admin, `tn_${nobody}`, 'stop'), 'idPrefixWrong');
  assert.deepEqual(asked.slice(3), ['stop unresponsive']);
});

describe('endpoints', () => {
  test('a tunnel with a name has an ephemeral endpoint, and its reservation if there is one', async () => {
    const reserved = await platform.create('reserved_domain', { name: '*.agents.example.com' });
    const bot = await platform.create('bot_user', { name: 'agents' });
    const { id: credential } = await platform.create('credential', { owner_id: bot.id });
    const said = { credential, title: 'shop', description: 'of the agent' };
    const live = await platform.tunnel(platform.admin.account, { name: 'a.agents.example.com', ...said });
    await platform.tunnel(platform.admin.account, { labels: { a: 'b' } });
    const shown = await platform.get('endpoint', live.endpoint?.id ?? '');
    assert.deepEqual(Object.entries(shown), [
      ['id', live.endpoint?.id],
      ['uri', `${base}/endpoints/${live.endpoint?.id}`],
      ['region', 'us'],
      ['node', 'edge-1'],
      ['created_at', '2030-01-02T03:04:05Z'],
      ['updated_at', '2030-01-02T03:04:05Z'],
      ['public_url', 'https://a.agents.example.com:8443'],
      ['url', 'https://a.agents.example.com:8443'],
      ['proto', 'https'],
      ['scheme', 'https'],
      ['hostport', 'a.agents.example.com:8443'],
      ['host', 'a.agents.example.com'],
      ['port', 8443],
      ['type', 'ephemeral'],
      ['name', 'shop'],
      ['description', 'of the agent'],
      ['metadata', 'mine'],
      ['bindings', ['public']],
      ['pooling_enabled', false],
      ['traffic_policy', ''],
      ['upstream_url', 'localhost:3000'],
      ['upstream_protocol', 'http1'],
      ['principal', { id: bot.id, uri: bot.uri }],
      ['domain', { id: reserved.id, uri: reserved.uri }],
      ['tcp_addr', null],
      ['tunnel', { id: live.id, uri: `${base}/tunnels/${live.id}` }],
      ['tunnel_session', { id: live.session, uri: `${base}/tunnel_sessions/${live.session}` }],
      ['edge', null],
    ]);
    assert.deepEqual((await platform.list('endpoint')).items, [shown]);
  });

  for (const [kind, proto] of [
    ['tls_edge', 'tls'],
    ['https_edge', 'https'],
  ] as const) {
    test(`each hostport of ${kind} is an endpoint for as long as it stands`, async () => {
      const name = `${proto}-endpoint`;
      const reserved = await platform.create('reserved_domain', { name });
      const texts = { description: 'the edge', metadata: 'of the edge' };
      const body = { hostports: [`${name}.underpass.localhost:443`], ...texts };
      const edge = await platform.create(kind, body);
      const { items } = await platform.list('endpoint');
      const [listed] = items;
      assert.equal(items.length, 1);
      const { id, created_at, ...rest } = listed as JsonObject & { id: string };
      assert.deepEqual(await platform.get('endpoint', id), listed);
      assert.equal(created_at, rest.updated_at);
      assert.deepEqual(
        { ...rest, updated_at: '' },
        {
          uri: `${base}/endpoints/${id}`,
          region: 'us',
          node: '',
          updated_at: '',
          public_url: `${proto}://${name}.underpass.localhost:8443`,
          url: `${proto}://${name}.underpass.localhost:8443`,
          proto,
          scheme: proto,
          hostport: `${name}.underpass.localhost:443`,
          host: `${name}.underpass.localhost`,
          port: 8443,
          type: 'edge',
          name: '',
          ...texts,
          bindings: ['public'],
          pooling_enabled: false,
          traffic_policy: '',
          upstream_url: '',
          upstream_protocol: '',
          principal: null,
          domain: { id: reserved.id, uri: reserved.uri },
          tcp_addr: null,
          tunnel: null,
          tunnel_session: null,
          edge: { id: edge.id, uri: edge.uri },
        },
      );
      await refused(platform.get('endpoint', id, platform.stranger), 'resourceNotFound');
      await platform.remove(kind, edge.id);
      await refused(platform.get('endpoint', id), 'resourceNotFound');
      assert.deepEqual((await platform.list('endpoint')).items, []);
    });
  }
});

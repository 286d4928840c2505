/** Rows of another daemon, with a peer whose answers a test sets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErrorCode, WireError } from '@underpass/wire';
import { until } from '../../../../../test/harness/until.ts';
import type { Hostname } from '../../core/names/hostname.ts';
import { LinkStream, type Peer } from '../../link/peers.ts';
import type { ProxyConnection } from '../../online/online.ts';
import { factsAt, labelledFacts, type OtherFacts } from '../../online/tunnels.fixture.ts';
import { Visits } from '../../online/visits.ts';
import type { Entry, TunnelEntry } from '../directory/entry.ts';
import type { DirectoryRow, KnownNode } from '../directory/row.ts';
import type { RemoteTunnel } from './remote-tunnel.ts';
import { RemoteTunnels } from './remote-tunnels.ts';

const NODE = 5;
const name = 'a.example.com' as Hostname;

function entryOf(facts: OtherFacts = {}, other: Partial<TunnelEntry> = {}): TunnelEntry {
  return {
    ...{
      kind: 'tunnel',
      facts: factsAt(name, facts),
      capacity: null,
      hidesDials: false,
      refusesForNow: true,
    },
    ...{
      hasModules: false,
      behaviour: '',
      wantsRefusals: false,
      wantsVisits: false,
      bound: null,
      changedAt: 0,
    },
    ...other,
  };
}

function rowOf(number: number, entry: Entry): DirectoryRow {
  const { account, credential, clientId } = entry.facts;
  const facts = {
    account,
    credential,
    clientId,
    session: 'ts_1',
    bindId: '',
    isPooled: false,
    endpoint: null,
  };
  return { number, incarnation: NODE, isOver: false, holdMs: 0, facts, entry };
}

function world() {
  const rows = new Map<string, readonly DirectoryRow[]>();
  let changed = (_: string): void => {};
  let linkChanged = (_: Peer): void => {};
  const calls: { readonly type: number; readonly body: unknown }[] = [];
  const answers = new Map<number, (body: never) => unknown>();
  const peer = {
    ...{ incarnation: NODE, isUp: true, isOnThisMachine: true, region: 'us', opened: 0 },
    open: () => {
      peer.opened += 1;
      return null;
    },
    async call(type: LinkStream, body: object): Promise<unknown> {
      calls.push({ type, body });
      const answer = answers.get(type);
      return answer === undefined ? {} : answer(body as never);
    },
  };
  const entered = new Set<RemoteTunnel>();
  const nodes = new Map<number, KnownNode>();
  const visits = new Visits();
  const lost: (string | number)[] = [];
  const remote = new RemoteTunnels({
    directory: {
      onRows: (listener) => {
        changed = listener;
      },
      liveElsewhere: (key) => rows.get(key) ?? [],
      nodes,
    },
    peers: {
      get: (incarnation) => (incarnation === NODE ? peer : undefined),
      all: () => [peer],
      onChange: (listener) => {
        linkChanged = listener;
      },
      serve() {},
      answer() {},
    },
    table: {
      enterRemote: (tunnel) => entered.add(tunnel),
      leaveRemote: (tunnel, isLost) => {
        entered.delete(tunnel);
        tunnel.goOffline(isLost);
      },
    },
    ...{ visits, region: 'us' },
    lost: (key) => lost.push(key),
  });
  const set = (key: string, ...now: DirectoryRow[]): void => {
    rows.set(key, now);
    changed(key);
  };
  const link = (isUp: boolean): void => {
    peer.isUp = isUp;
    linkChanged(peer);
  };
  return { remote, set, link, peer, calls, answers, entered, visits, lost, nodes };
}

const connection: ProxyConnection = {
  ...{ clientAddr: '192.0.2.1:1', serverAddr: '192.0.2.2:443' },
  ...{ proto: 'https', edgeType: '0', passthroughTls: false },
};

test('a tunnel of another daemon is there while its row and the link are', () => {
  const { remote, set, link, entered, peer, lost } = world();
  set(name, rowOf(1, entryOf()));
  const [tunnel] = entered;
  assert.equal(tunnel?.distance, 1);
  assert.equal(tunnel?.open(connection), null);
  assert.equal(peer.opened, 1);
  link(false);
  assert.equal(entered.size, 0);
  assert.equal(tunnel?.closed.aborted, true);
  assert.equal(tunnel?.open(connection), null);
  assert.equal(peer.opened, 1, 'nothing is opened on a tunnel that has left');
  assert.deepEqual(
    [...remote.tunnels('ac_1')].map(({ id }) => id),
    [`tn_${name}`],
  );
  link(true);
  assert.equal(entered.size, 1);
  set(name);
  assert.equal(entered.size, 0);
  assert.deepEqual([...remote.tunnels('ac_1')], []);
  assert.equal(remote.size, 0);
  assert.deepEqual(lost, [name], 'an end that the directory has is no loss');
});

test('a tunnel of a daemon that drains is the last choice among those of its pool', () => {
  const { set, entered, nodes } = world();
  set(name, rowOf(1, entryOf()));
  const [tunnel] = entered;
  assert.equal(tunnel?.isSuspect, false);
  nodes.set(NODE, { facts: {}, isDead: false, isDraining: true });
  assert.equal(tunnel?.isSuspect, true);
  nodes.set(NODE, { facts: {}, isDead: false, isDraining: false });
  assert.equal(tunnel?.isSuspect, false);
});

test('newer facts of a row replace the old ones, and the tunnel stays', () => {
  const { remote, set, entered } = world();
  set(name, rowOf(1, entryOf()));
  const [before] = entered;
  set(name, rowOf(1, entryOf({ metadata: 'new' })));
  const [after] = entered;
  assert.equal(after, before);
  assert.equal(after?.facts.metadata, 'new');
  assert.deepEqual(
    [...remote.tunnels('ac_1')].map(({ metadata }) => metadata),
    ['new'],
  );
});

test('modules are fetched before visitors find the tunnel, together and once more after a fault', async () => {
  const { remote, set, entered, calls, answers } = world();
  let fails = true;
  answers.set(LinkStream.modules, ({ numbers }: { numbers: number[] }) => {
    if (fails) throw new Error('the link was lost');
    return numbers.map((number) => ({
      modules: { compression: { enabled: true, number } },
      termination: null,
    }));
  });
  set(name, rowOf(1, entryOf({}, { hasModules: true })));
  set('b.example.com', rowOf(2, entryOf({}, { hasModules: true })));
  assert.equal(entered.size, 0);
  assert.equal(remote.isWhole, false);
  await until(() => calls.length === 1, 'the first call');
  fails = false;
  await until(() => entered.size === 2, 'both tunnels');
  assert.deepEqual(calls.at(-1)?.body, { numbers: [1, 2] });
  assert.equal(remote.isWhole, true);
  assert.deepEqual(
    [...entered].map(({ modules }) => modules),
    [1, 2].map((number) => ({ compression: { enabled: true, number } })),
  );
});

test('a tunnel that ended while its modules were fetched does not appear', async () => {
  const { set, entered, answers, remote } = world();
  const { promise, resolve } = Promise.withResolvers<unknown>();
  answers.set(LinkStream.modules, () => promise);
  set(name, rowOf(1, entryOf({}, { hasModules: true })));
  set(name);
  resolve([{ modules: {}, termination: null }]);
  await until(() => remote.isWhole, 'nothing is fetched');
  assert.equal(entered.size, 0);
});

test('a tunnel that is not yet online at its daemon appears when it is', async () => {
  const { set, entered, answers, remote, calls } = world();
  let isOnline = false;
  answers.set(LinkStream.modules, ({ numbers }: { numbers: number[] }) =>
    numbers.map((number) => (number === 1 && !isOnline ? null : { modules: {}, termination: null })),
  );
  set(name, rowOf(1, entryOf({}, { hasModules: true })));
  set('b.example.com', rowOf(2, entryOf({}, { hasModules: true })));
  await until(() => calls.length > 2, 'it is fetched again');
  assert.deepEqual(
    [...entered].map(({ number }) => number),
    [2],
  );
  isOnline = true;
  await until(() => entered.size === 2, 'both');
  assert.equal(remote.isWhole, true);
});

test('a session of another daemon is asked there, and its problem is raised here', async () => {
  const { remote, set, link, calls, answers } = world();
  const { account, session } = labelledFacts();
  const facts = {
    ...{ id: session, account, credential: 'cr_1', clientId: 'c', leg: 0, agentVersion: '1', userAgent: '' },
    ...{
      ip: '192.0.2.1',
      serverIp: '192.0.2.2',
      metadata: '',
      os: '',
      arch: '',
      region: 'us',
      node: '',
      startedAt: 0,
    },
    ...{ transport: 'mux' },
  };
  set('session:ts_1', rowOf(1, { kind: 'session', facts } as Entry));
  assert.deepEqual(
    [...remote.sessions(account)].map(({ id }) => id),
    [session],
  );
  assert.equal(remote.session(session, 'ac_other'), undefined);
  const handle = remote.session(session, account);
  answers.set(LinkStream.ask, () => null);
  await handle?.ask('stop');
  assert.deepEqual(calls.at(-1)?.body, { session, account, request: 'stop' });
  answers.set(LinkStream.ask, () => ({ code: 'agentCannotStop', values: { reason: 'it is old' } }));
  await assert.rejects(async () => handle?.ask('stop'), { code: 'agentCannotStop' });
  answers.set(LinkStream.ask, () => ({ code: 'agentIsNewer', values: {} }));
  await assert.rejects(async () => handle?.ask('stop'), { code: 'sessionNodeNewer' });
  answers.set(LinkStream.ask, () => {
    throw new WireError(ErrorCode.streamRefused, 'it does not know the call');
  });
  await assert.rejects(async () => handle?.ask('stop'), { code: 'sessionNodeOlder' });
  link(false);
  await assert.rejects(async () => handle?.ask('stop'), { code: 'sessionNodeUnreachable', retryAfter: 5 });
});

test('refusals and visits are reported to the daemon of the tunnel, if its agent wants them', async () => {
  const { set, entered, calls, visits } = world();
  set(name, rowOf(1, entryOf({}, { wantsRefusals: true, wantsVisits: true })));
  set('b.example.com', rowOf(2, entryOf({ id: 'tn_2', account: 'ac_2' })));
  const refusal = {
    ...{ at: 1, clientAddr: '192.0.2.1:1', host: name, method: 'GET', path: '/', status: 403, code: 'E' },
    ...{ reason: '', module: '' },
  };
  for (const tunnel of entered) tunnel.refused(() => refusal);
  const visit = { method: 'GET', path: '/', status: 200, durationMs: 1, connection: { clientAddr: 'a' } };
  assert.equal(visits.areWatched('ac_1'), true);
  assert.equal(visits.areWatched('ac_2'), false);
  // The edge's record has more fields than a visit, and not all of them are JSON.
  const record = { ...visit, servedBy: `tn_${name}`, query: 'key=1', to: new Map(), loop: {} };
  record.loop = record;
  visits.observe(record);
  await until(() => calls.length === 2, 'both reports');
  assert.deepEqual(
    calls.map(({ type, body }) => [type, body]),
    [
      [LinkStream.refused, [{ number: 1, about: refusal }]],
      [LinkStream.visits, [{ number: 1, about: visit }]],
    ],
  );
  set(name);
  assert.equal(visits.areWatched('ac_1'), false);
});

import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { eventually, Postgres, postgresMissing } from '../../../../test/harness/index.ts';
import type { SessionFacts } from '../online/session.ts';
import { DirectoryLink } from '../store/postgres/directory-link.ts';
import { prepare } from '../store/postgres/open.ts';
import { DirectoryNode } from './directory/node.ts';
import { sessionKey } from './directory/stored.ts';
import { defaultLimits } from './limits.ts';
import { SessionQuotas } from './session-quotas.ts';
import { SharedSessions } from './shared-sessions.ts';

function sessionOf(id: string, clientId: string, credential = 'cr_1'): SessionFacts {
  return {
    ...{ id, account: 'ac_1', credential, clientId, leg: 0, ip: '192.0.2.1', serverIp: '192.0.2.2' },
    ...{
      agentVersion: '1',
      userAgent: '',
      metadata: '',
      os: '',
      arch: '',
      region: 'us',
      node: '',
      startedAt: 0,
    },
    transport: 'test',
  };
}

describe('sessions of several daemons', { skip: postgresMissing }, () => {
  let server: Postgres;
  before(async () => {
    server = await Postgres.shared();
  });
  after(() => server.stop());

  async function daemon(context: TestContext, url: string) {
    const over: string[] = [];
    const quotas = new SessionQuotas({ ...defaultLimits, sessionsPerCredential: 2 });
    const node = new DirectoryNode({
      link: new DirectoryLink(url),
      ...{ facts: {}, times: { leaseMs: 20_000, graceMs: 60_000 }, previous: null },
      now: () => ({ uptime: performance.now(), wall: Date.now() }),
      joined: () => {},
      over: (number) => {
        const facts = sessions.own(number);
        if (facts === undefined) return;
        over.push(facts.id);
        sessions.remove(facts);
      },
      failed: () => {},
      fenced: () => {},
    });
    const sessions: SharedSessions = new SharedSessions({ node, quotas });
    context.after(() => node.stop());
    await node.start();
    return { node, sessions, quotas, over };
  }

  async function daemons(context: TestContext) {
    const url = await server.database();
    await prepare(url);
    return [await daemon(context, url), await daemon(context, url)] as const;
  }

  test('count for the quotas of every daemon while they last', async (context) => {
    const [one, two] = await daemons(context);
    const sessions = ['ts_1', 'ts_2'].map((id) => sessionOf(id, id));
    for (const facts of sessions) one.sessions.add(facts);
    await eventually(() =>
      assert.throws(() => two.quotas.check(sessionOf('ts_3', 'ts_3')), { code: 'sessionLimitCredential' }),
    );
    assert.equal(one.quotas.size, 0, 'its own sessions are counted by the ingress');
    two.quotas.check(sessionOf('ts_3', 'ts_3', 'cr_2'));
    assert.equal(two.sessions.isElsewhere(sessions[0]!), true);
    for (const facts of sessions) one.sessions.remove(facts);
    await eventually(() => assert.equal(two.quotas.size, 0));
    assert.equal(two.sessions.isElsewhere(sessions[0]!), false);
  });

  test('do not count any more when their daemon is dead', async (context) => {
    const [one, two] = await daemons(context);
    one.sessions.add(sessionOf('ts_1', 'ts_1'));
    await eventually(() => assert.equal(two.quotas.size, 3));
    await one.node.stop();
    await eventually(() => assert.equal(two.quotas.size, 0));
  });

  test('of one connection of an agent are ended but for the newest', async (context) => {
    const [one, two] = await daemons(context);
    one.sessions.add(sessionOf('ts_1', 'ag_1'));
    await eventually(() => assert.equal(two.node.liveElsewhere(sessionKey('ts_1')).length, 1));
    two.sessions.add({ ...sessionOf('ts_2', 'ag_1'), leg: 1 });
    two.sessions.add(sessionOf('ts_3', 'ag_1'));
    await eventually(() => assert.deepEqual(one.over, ['ts_1']));
    await eventually(() => assert.deepEqual(two.node.rows(sessionKey('ts_1')), []));
    assert.deepEqual(two.over, []);
  });

  test('that start at once at two daemons are one soon', async (context) => {
    const [one, two] = await daemons(context);
    one.sessions.add(sessionOf('ts_1', 'ag_1'));
    two.sessions.add(sessionOf('ts_2', 'ag_1'));
    await eventually(() => assert.equal(one.over.length + two.over.length, 1));
  });
});

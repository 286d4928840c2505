import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ErrorCode, StreamType } from '@underpass/wire';
import type { Hostname } from '../core/names/hostname.ts';
import { catalogue, type ErrorName } from '../errors/catalogue.ts';
import { Problem } from '../errors/problem.ts';
import type { SessionHandle, SessionRequest } from '../online/session.ts';
import { type TestAgent, type TestCredential, until, World } from './ingress.fixture.ts';

const able = { RestartUnsupportedError: '', StopUnsupportedError: '', UpdateUnsupportedError: '' };

describe('asking an agent to do something with itself', () => {
  let world: World;
  let account: string;
  let credential: TestCredential;
  let now = 0;

  before(async () => {
    world = await World.create({ limits: { askMs: 60_000, leaveMs: 1_000 }, uptime: () => now });
    account = await world.account();
    credential = await world.credential(account);
  });
  after(() => world.stop());

  /** Starts an agent with these fields in its Auth, and returns its session. */
  async function login(
    extra: Record<string, unknown>,
  ): Promise<{ agent: TestAgent; session: SessionHandle }> {
    const agent = await world.login(credential, extra);
    const { online } = world.ingress;
    const [facts] = [...online.sessions(account)].slice(-1);
    const session = online.session(facts?.id ?? '', account);
    assert.ok(session);
    return { agent, session };
  }

  async function refused(call: Promise<void>, code: ErrorName, text: RegExp): Promise<void> {
    await assert.rejects(call, (error) => {
      assert.ok(error instanceof Problem);
      assert.equal(error.code, code);
      assert.match(error.message, text);
      assert.doesNotMatch(error.message, /\{\w+\}/);
      assert.equal(error.retryAfter, error.entry.status === 503 ? 1 : undefined);
      return true;
    });
  }

  const requests: readonly [SessionRequest, StreamType, object, ErrorName, ErrorName][] = [
    ['restart', StreamType.restart, {}, 'agentCannotRestart', 'agentRestartFailed'],
    ['stop', StreamType.stop, {}, 'agentCannotStop', 'agentStopFailed'],
    [
      'update',
      StreamType.update,
      { Version: '', PermitMajorVersion: false },
      'agentCannotUpdate',
      'agentUpdateFailed',
    ],
  ];

  for (const [what, type, body, cannot, failed] of requests) {
    test(`${what}: the agent gets the request, and its answer is waited for`, async () => {
      const { agent, session } = await login(able);
      await session.ask(what);
      assert.deepEqual(agent.asked, [[type, body]]);
      agent.reply = { error: '', unknown: true };
      await session.ask(what);
      agent.socket.destroy();
    });

    test(`${what}: an agent that said why it cannot, or nothing at all, is not asked`, async () => {
      const field = `${what[0]!.toUpperCase()}${what.slice(1)}UnsupportedError`;
      const saying = await login({ ...able, [field]: 'the remote control\n is switched off.' });
      await refused(saying.session.ask(what), cannot, /: the remote control is switched off\. /);
      const silent = await login({ ...able, [field]: null });
      await refused(silent.session.ask(what), cannot, /of a kind or an age that takes no such request/);
      assert.deepEqual([...saying.agent.asked, ...silent.agent.asked], []);
      saying.agent.socket.destroy();
      silent.agent.socket.destroy();
    });

    test(`${what}: an error in the agent's answer is passed on`, async () => {
      const { agent, session } = await login(able);
      agent.reply = { Error: 'not in this\x1b[2J mood\n\nERR_AGENT_7' };
      await refused(session.ask(what), failed, /: not in this\?\[2J mood ERR_AGENT_7\. /);
      agent.socket.destroy();
    });
  }

  test('an agent that is about to leave gives way to others until it has refused, or stayed for long', async () => {
    const { agent, session } = await login(able);
    const name = 'leaving.underpass.localhost' as Hostname;
    const tunnelOf = () => world.ingress.online.byName(name);
    await agent.bind({ Domain: name });
    assert.equal(tunnelOf()?.isSuspect, false);
    agent.reply = { Error: 'not now' };
    const asking = session.ask('stop');
    assert.equal(tunnelOf()?.isSuspect, true, 'while it is asked');
    await assert.rejects(asking);
    assert.equal(tunnelOf()?.isSuspect, false);
    agent.reply = {};
    await session.ask('stop');
    assert.equal(tunnelOf()?.isSuspect, true, 'while it leaves');
    now += 1_000;
    assert.equal(tunnelOf()?.isSuspect, false, 'it stays all the same');
    agent.socket.destroy();
  });

  test('an agent whose connection ends before it answers', async () => {
    const { agent, session } = await login(able);
    agent.reply = undefined;
    const asking = session.ask('stop');
    await until(() => agent.asked.length === 1, 'the agent was asked');
    agent.mux.goAway(ErrorCode.none, 'bye');
    await refused(asking, 'agentConnectionLost', /was lost before it responded/);
    await refused(session.ask('stop'), 'agentConnectionLost', /was lost/);
  });

  test('an agent that does not answer keeps nobody waiting, and its session', async (t) => {
    const { agent, session } = await login(able);
    agent.reply = undefined;
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const asking = session.ask('restart');
    await until(() => agent.asked.length === 1, 'the agent was asked');
    t.mock.timers.tick(60_000);
    await refused(asking, 'agentAnswerMissing', /no response within 60 s/);
    t.mock.timers.reset();
    agent.reply = { Error: '' };
    await session.ask('restart');
    agent.socket.destroy();
  });

  test('an agent that answers late is heard while it is waited for, and not after that', async (t) => {
    const { agent, session } = await login(able);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    for (const [waitedMs, error] of [
      [59_999, ''],
      [59_999, 'not now'],
      [60_000, ''],
    ] as const) {
      const late = Promise.withResolvers<object>();
      agent.reply = late.promise;
      const before = agent.asked.length;
      const asking = session.ask('restart');
      await until(() => agent.asked.length > before, 'the agent was asked');
      t.mock.timers.tick(waitedMs);
      const isOver = waitedMs === 60_000;
      if (isOver) await refused(asking, 'agentAnswerMissing', /no response within 60 s/);
      late.resolve({ Error: error });
      if (error !== '') await refused(asking, 'agentRestartFailed', /not now/);
      else if (!isOver) await asking;
    }
    t.mock.timers.reset();
    agent.reply = { Error: '' };
    await session.ask('restart');
    agent.socket.destroy();
  });

  test('an agent that says it can and then refuses the stream', async () => {
    const { agent, session } = await login(able);
    agent.refuses = true;
    await refused(session.ask('update'), 'agentUpdateFailed', /streamRefused/);
    agent.socket.destroy();
  });

  test('what the agent says it cannot do has to be text', async () => {
    const agent = await world.connect();
    const response = await agent.auth(credential.token, { StopUnsupportedError: false });
    assert.match(String(response.Error), new RegExp(`_${catalogue.authRequestMalformed.number}$`));
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../../test/harness/index.ts';
import type { Problem } from '../errors/problem.ts';
import type { ReasonSource } from '../health/readiness.ts';
import type { Session } from '../tunnels/live-session.ts';
import { Leaving } from './leaving.ts';

/** A daemon with agents that connect and are ended. */
class Agents {
  readonly sessions: Session[] = [];
  readonly ended: string[] = [];
  sendsAway = false;
  /** Called after the end of an agent. */
  afterEnd: (name: string) => void = () => {};

  connect(name: string): void {
    const session: Session = {
      identity: null,
      end: () => assert.fail('ended'),
      leave: async ({ code }: Problem) => {
        assert.equal(code, 'serviceStopping');
        this.sessions.splice(this.sessions.indexOf(session), 1);
        this.ended.push(name);
        this.afterEnd(name);
      },
      drop: () => assert.fail('dropped'),
      destroy: () => assert.fail('destroyed'),
    };
    this.sessions.push(session);
  }
}

function leavingWith(agents: Agents, leaveMs: number, hasTakers: () => boolean = () => true) {
  let reason: ReasonSource = () => null;
  const readiness = {
    register: (_: string, source: ReasonSource) => {
      reason = source;
    },
  };
  const leaving = new Leaving({ agents, readiness, leaveMs, hasTakers, log: { info: () => {} } });
  return { leaving, reason: () => reason() };
}

test('agents end one after the other, the oldest first, and the daemon is not ready', async () => {
  const agents = new Agents();
  const names = Array.from({ length: 7 }, (_, at) => `agent ${at}`);
  for (const name of names) agents.connect(name);
  const { leaving, reason } = leavingWith(agents, 200);
  assert.equal(reason(), null);
  const done = leaving.begin('it drains');
  assert.equal(reason(), 'it drains');
  assert.ok(agents.sessions.length > 0);
  await done;
  assert.deepEqual(agents.ended, names);
  assert.equal(reason(), 'it drains');
});

test('agents that come back are taken until all have ended once, and then sent away', async () => {
  const agents = new Agents();
  for (const name of ['first', 'second']) agents.connect(name);
  agents.afterEnd = (name) => {
    assert.equal(agents.sendsAway, name.includes('again'));
    if (!agents.sendsAway) agents.connect(`${name} again`);
  };
  const { leaving } = leavingWith(agents, 100);
  await leaving.begin('it drains');
  assert.deepEqual(agents.ended, ['first', 'second', 'first again', 'second again']);
  assert.equal(agents.sendsAway, true);
});

test('after the end of the draining agents stay and are taken', async () => {
  const agents = new Agents();
  for (const name of ['first', 'second', 'third']) agents.connect(name);
  const { leaving, reason } = leavingWith(agents, 60_000);
  const done = leaving.begin('it drains');
  assert.deepEqual(agents.ended, ['first']);
  leaving.undo();
  leaving.undo();
  await done;
  assert.equal(reason(), null);
  assert.equal(agents.sendsAway, false);
  assert.deepEqual(agents.ended, ['first']);
  const { leaving: atOnce } = leavingWith(agents, 0);
  await atOnce.begin('it drains');
  await until(() => agents.sessions.length === 0);
});

test('a daemon that stops sends agents away over the time, and late ones in one go', async () => {
  const agents = new Agents();
  for (const name of ['first', 'second']) agents.connect(name);
  agents.afterEnd = (name) => {
    if (!agents.sendsAway) agents.connect(`${name} again`);
  };
  const { leaving, reason } = leavingWith(agents, 100);
  let marks = 0;
  const mark = (): void => {
    marks += 1;
    // The mark comes back as if an operator drained the daemon.
    void leaving.begin('it drains');
  };
  const done = leaving.finish(mark);
  assert.match(reason() as string, /this daemon stops/);
  leaving.undo();
  await done;
  assert.deepEqual([marks, agents.sendsAway], [1, true]);
  assert.deepEqual(agents.ended, ['first', 'second', 'first again', 'second again']);
});

test('a daemon that gets no more connections ends its draining with its last agent', async () => {
  const agents = new Agents();
  agents.connect('only');
  const { leaving } = leavingWith(agents, 600_000);
  leaving.handOver();
  await leaving.finish(() => {});
  assert.deepEqual([agents.ended, agents.sendsAway], [['only'], true]);
});

test('a daemon that stops waits for nothing without another daemon, and no longer when none is left', async () => {
  const agents = new Agents();
  for (const name of ['first', 'second', 'third']) agents.connect(name);
  const alone = leavingWith(agents, 600_000, () => false);
  await alone.leaving.finish(() => assert.fail('marked'));
  assert.deepEqual([agents.ended, alone.reason()], [[], null]);
  let takers = true;
  const { leaving } = leavingWith(agents, 600_000, () => takers);
  const done = leaving.finish(() => {});
  assert.deepEqual(agents.ended, ['first']);
  takers = false;
  await done;
  assert.deepEqual(agents.ended, ['first', 'second', 'third']);
});

test('a daemon that stops while an operator drains it goes on from there', async () => {
  const agents = new Agents();
  for (const name of ['first', 'second']) agents.connect(name);
  const { leaving } = leavingWith(agents, 0);
  await leaving.begin('it drains');
  assert.deepEqual(agents.ended, ['first', 'second']);
  await leaving.finish(() => {});
  assert.equal(agents.ended.length, 2);
});

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { until } from '../../../../../test/harness/until.ts';
import { type Waiting, WaitingRoom } from './waiting-room.ts';

/** A session with `free` streams, and who took them. */
class Session {
  readonly gone = new AbortController();
  readonly place: { readonly session: string; readonly closed: AbortSignal };
  readonly served: string[] = [];
  free = 0;

  constructor(session = 'ts_1') {
    this.place = { session, closed: this.gone.signal };
  }

  enter(room: WaitingRoom, source: string, name = source, until = room.now + room.waitMs): Waiting | null {
    return room.enter([this.place], source, until, {
      attempt: () => this.#take(name),
      expired: () => this.served.push(`${name} expired`),
    });
  }

  #take(name: string): boolean {
    if (this.gone.signal.aborted) {
      this.served.push(`${name} failed`);
      return true;
    }
    if (this.free === 0) return false;
    this.free -= 1;
    this.served.push(name);
    return true;
  }
}

test('sources take turns, and each is served in the order in which its waiters came', async () => {
  const room = new WaitingRoom();
  const session = new Session();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) session.enter(room, name[0]!, name);
  session.free = 4;
  room.freed('ts_1');
  await turn();
  assert.deepEqual(session.served, ['a1', 'b1', 'c1', 'a2']);
  session.free = 9;
  room.freed('another');
  await turn();
  assert.equal(session.served.length, 4);
  room.freed('ts_1');
  await turn();
  assert.deepEqual(session.served.slice(4), ['b2', 'a3', 'a4']);
  assert.equal(room.size, 0);
  room.close();
});

test('one address has at most half of the places, of a session and in all, and cancelled ones are free again', () => {
  const room = new WaitingRoom({ perSession: 8, inAll: 12 });
  const [first, second] = [new Session('ts_1'), new Session('ts_2')];
  const enterAll = (session: Session, source: string): Waiting[] => {
    const entered: Waiting[] = [];
    for (let one = session.enter(room, source); one !== null; one = session.enter(room, source))
      entered.push(one);
    return entered;
  };
  const taken = [...enterAll(first, 'a'), ...enterAll(second, 'a')];
  assert.equal(taken.length, 6);
  assert.equal(enterAll(first, 'b').length, 2);
  for (const one of taken) one.cancel();
  for (const one of taken) one.cancel();
  assert.equal(room.size, 2);
  assert.equal(enterAll(first, 'a').length, 3);
  room.close();
  assert.equal(room.size, 0);
  assert.equal(enterAll(first, 'a').length, 4);
  room.close();
});

test('a waiter is called no more when it was served, cancelled or its time is over, and its place is not listened to', async () => {
  let time = 0;
  const room = new WaitingRoom({ waitMs: 100, now: () => time });
  const session = new Session();
  const listeners = () => getEventListeners(session.place.closed, 'abort').length;
  session.enter(room, 'a', 'in time');
  session.enter(room, 'a', 'cancelled')!.cancel();
  session.enter(room, 'b', 'late');
  assert.equal(session.enter(room, 'b', 'too late', 0), null);
  assert.equal(listeners(), 1);
  session.free = 1;
  room.freed('ts_1');
  await turn();
  time = 100;
  await until(() => room.size === 0);
  await until(() => listeners() === 0);
  session.free = 5;
  room.freed('ts_1');
  await turn();
  assert.deepEqual(session.served, ['in time', 'late expired']);
});

test('when a place is gone all that wait for it try once more', async () => {
  const room = new WaitingRoom();
  const session = new Session();
  for (let source = 0; source < 20; source += 1) session.enter(room, String(source));
  session.gone.abort();
  await turn();
  assert.equal(session.served.length, 20);
  assert.equal(room.size, 0);
  room.close();
});

test('after a refusal attempts pause, and newcomers stay behind those who wait', async () => {
  let time = 0;
  const room = new WaitingRoom({ now: () => time });
  const session = new Session();
  assert.equal(room.isCrowded('ts_1'), false);
  for (let at = 0; at < 100; at += 1) session.enter(room, 'a', String(at));
  room.refused(session.place);
  assert.equal(room.isCrowded('ts_1'), true);
  session.free = 1000;
  room.freed('ts_1');
  await turn();
  assert.deepEqual(session.served, []);
  time = 10;
  await until(() => session.served.length > 0);
  const batch = session.served.length;
  assert.ok(batch < 64, `${batch} at once`);
  time = 20;
  await until(() => session.served.length > batch);
  while (room.size > 0) {
    const before = session.served.length;
    time += 10;
    await until(() => session.served.length > before);
  }
  assert.deepEqual(session.served, [...Array(100).keys()].map(String));
  assert.equal(room.isCrowded('ts_1'), false);
  room.close();
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeliveryRoom, type Room, type WantedRoom } from './delivery-room.ts';

const never = new AbortController().signal;

/** Records callers in the order in which they get room. */
class Asking {
  readonly #room: DeliveryRoom;
  readonly got: string[] = [];
  readonly rooms = new Map<string, Room>();

  constructor(bytes: number) {
    this.#room = new DeliveryRoom(bytes);
  }

  async ask(name: string, account: string, least: number, most = least, signal = never): Promise<void> {
    await this.#enter(name, account, { least, most, isRetriedFile: false }, signal);
  }

  /** Requests room for a file that its target refused before. */
  askAgain(name: string, account: string, bytes: number): Promise<void> {
    return this.#enter(name, account, { least: bytes, most: bytes, isRetriedFile: true }, never);
  }

  async #enter(name: string, account: string, wanted: WantedRoom, signal: AbortSignal): Promise<void> {
    void this.#room.enter(account, wanted, signal).then((room) => {
      this.got.push(room === null ? `not ${name}` : name);
      if (room !== null) this.rooms.set(name, room);
    });
    await Promise.resolve();
    await Promise.resolve();
  }

  async leave(name: string): Promise<void> {
    this.rooms.get(name)?.leave();
    await Promise.resolve();
    await Promise.resolve();
  }
}

test('an account never has more than it leaves, and who has none finds room beside it', async () => {
  const asking = new Asking(64);
  for (let at = 0; at < 10; at++) await asking.ask(`hog ${at}`, 'hog', 8);
  assert.deepEqual(asking.got, ['hog 0', 'hog 1', 'hog 2', 'hog 3']);
  await asking.ask('one', 'ac_1', 16);
  await asking.ask('two', 'ac_2', 8);
  assert.deepEqual(asking.got.slice(4), ['one', 'two']);
});

test('what is free is given to the account that has least, and then to who waits longest', async () => {
  const asking = new Asking(64);
  for (let at = 0; at < 6; at++) await asking.ask(`hog ${at}`, 'hog', 16);
  await asking.ask('one', 'ac_1', 16);
  await asking.ask('late', 'ac_2', 16);
  assert.deepEqual(asking.got, ['hog 0', 'hog 1', 'one']);
  await asking.leave('hog 0');
  assert.deepEqual(asking.got.slice(3), ['late']);
  await asking.leave('one');
  await asking.leave('late');
  assert.deepEqual(asking.got.slice(4), ['hog 2']);
});

test('a batch takes as much as there is, and gives back what it does not need', async () => {
  const asking = new Asking(1_000);
  await asking.ask('first', 'ac_1', 10, 2_000);
  assert.equal(asking.rooms.get('first')?.bytes, 250, 'nobody has more than a quarter');
  await asking.ask('second', 'ac_1', 10, 200);
  await asking.ask('third', 'ac_1', 10, 2_000);
  assert.deepEqual(asking.rooms.get('third')?.bytes, 50);
  await asking.ask('fourth', 'ac_1', 10, 2_000);
  assert.equal(asking.rooms.get('fourth'), undefined);
  asking.rooms.get('first')?.shrink(5);
  await asking.leave('nobody');
  assert.equal(asking.rooms.get('fourth')?.bytes, 245, 'half of what is more than the account has');
  asking.rooms.get('first')?.shrink(200);
  await asking.ask('fifth', 'ac_1', 10, 2_000);
  assert.equal(asking.rooms.get('fifth'), undefined);
});

test('files that nobody takes have room one at a time, beside what an account delivers', async () => {
  const asking = new Asking(64);
  await asking.askAgain('dead 1', 'ac_1', 16);
  await asking.askAgain('dead 2', 'ac_1', 16);
  await asking.ask('alive', 'ac_1', 8);
  await asking.askAgain('dead elsewhere', 'ac_2', 8);
  assert.deepEqual(asking.got, ['dead 1', 'alive', 'dead elsewhere']);
  await asking.leave('dead 1');
  await asking.leave('dead 1');
  assert.deepEqual(asking.got.slice(3), ['dead 2']);
  await asking.askAgain('dead 3', 'ac_1', 16);
  assert.equal(asking.rooms.get('dead 3'), undefined);
});

test('what is larger than all gets in, and who does not want to wait any more goes', async () => {
  const asking = new Asking(64);
  const abort = new AbortController();
  await asking.ask('large', 'ac_1', 1_000);
  await asking.ask('second', 'ac_1', 1_000);
  await asking.ask('third', 'ac_1', 1_000, 1_000, abort.signal);
  assert.deepEqual(asking.got, ['large', 'second']);
  abort.abort();
  await asking.leave('large');
  await asking.leave('large');
  assert.deepEqual(asking.got, ['large', 'second', 'not third']);
  await asking.ask('gone', 'ac_1', 1, 1, abort.signal);
  await asking.ask('next', 'ac_1', 1_000);
  assert.deepEqual(asking.got.slice(3), ['not gone', 'next']);
});

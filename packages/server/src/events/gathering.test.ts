import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IdSequence } from '../core/id.ts';
import type { QueuedEvent } from '../documents/index.ts';
import { TestClock } from './events.fixture.ts';
import { Gathering } from './gathering.ts';
import type { FileBounds } from './targets/file-bounds.ts';

const SECOND = 1_000;

/** A queue, and a gathering of its files. */
class Queue {
  readonly clock = new TestClock();
  readonly #ids: IdSequence;
  #waiting: QueuedEvent[] = [];
  #position = 0;
  /** Number of events that were read. */
  reads = 0;

  constructor() {
    // Ids have whole seconds.
    this.clock.pass(SECOND - (this.clock.now() % SECOND));
    this.#ids = new IdSequence({ now: this.clock.now, random: (bytes) => new Uint8Array(bytes) });
  }

  /** Enqueues events of these sizes in bytes, including the end of the line. */
  put(...sizes: number[]): void {
    for (const size of sizes) {
      this.#position += 1;
      const body: QueuedEvent['body'] = {
        ...{ event_id: this.#ids.next('ev'), type: 'ip_policy_created.v0', resource: 'ipp_1' },
        ...{ envelope: 'x'.repeat(size - 1), subscription_ids: [] },
      };
      this.#waiting.push({ position: this.#position, account: 'ac_1', parent: 'ed_1', body });
    }
  }

  take(events: readonly QueuedEvent[]): void {
    this.#waiting = this.#waiting.filter((event) => !events.includes(event));
  }

  gather(bounds: Partial<FileBounds> = {}, mostEvents = 10_000): Gathering {
    return new Gathering({
      ...{ bounds: { bytes: 1_000, ageMs: 60 * SECOND, ...bounds }, mostEvents },
      now: this.clock.wall,
      uptime: this.clock.now,
      read: async ({ after, limit }) => {
        const page = this.#waiting.filter(({ position }) => position > after).slice(0, limit);
        this.reads += page.length;
        return page;
      },
    });
  }
}

/** Returns the events of the current file; none if it is not closed. */
async function taken(gathering: Gathering): Promise<readonly QueuedEvent[]> {
  await gathering.closesInMs();
  return gathering.closed === null ? [] : Array.fromAsync(gathering.upTo(gathering.closed.last));
}

const positions = (events: readonly QueuedEvent[]) => events.map(({ position }) => position);

test('a file waits until its first event has its age', async () => {
  const queue = new Queue();
  const gathering = queue.gather();
  assert.equal(await gathering.closesInMs(), null);
  assert.deepEqual(await taken(gathering), []);
  queue.put(10);
  assert.equal(await gathering.closesInMs(), 60 * SECOND);
  queue.clock.pass(59 * SECOND);
  queue.put(10);
  assert.equal(await gathering.closesInMs(), SECOND);
  assert.deepEqual(await taken(gathering), []);
  queue.clock.pass(SECOND);
  queue.put(10);
  assert.equal(await gathering.closesInMs(), 0);
  const file = await taken(gathering);
  assert.deepEqual(positions(file), [1, 2], 'what comes when the file is closed is for the next one');
  queue.take(file);
  assert.equal(await gathering.closesInMs(), 60 * SECOND);
});

test('a file is closed when what follows has no room, and has one event at least', async () => {
  const cases: readonly (readonly [sizes: number[], file: number[]])[] = [
    [[999], []],
    [[1_000], [1]],
    [
      [500, 500],
      [1, 2],
    ],
    [[500, 499], []],
    [[500, 501], [1]],
    [[500, 501, 10], [1]],
    [[5_000, 10], [1]],
  ];
  for (const [sizes, expected] of cases) {
    const queue = new Queue();
    queue.put(...sizes);
    const gathering = queue.gather();
    assert.equal((await gathering.closesInMs()) === 0, expected.length > 0, String(sizes));
    assert.deepEqual(positions(await taken(gathering)), expected, String(sizes));
  }
});

test('a file has no more events than its share of the outbox, whenever that becomes less', async () => {
  const queue = new Queue();
  const gathering = queue.gather({ bytes: 1_000_000 }, 1_200);
  queue.put(...Array.from({ length: 1_199 }, () => 10));
  assert.equal(await gathering.closesInMs(), 60 * SECOND);
  queue.put(10, 10);
  assert.equal(await gathering.closesInMs(), 0);
  assert.equal((await taken(gathering)).length, 1_200);
  queue.take(await taken(gathering));
  queue.put(...Array.from({ length: 9 }, () => 10));
  assert.ok((await gathering.closesInMs()) !== 0);
  gathering.mostEvents = 5;
  queue.put(10);
  assert.equal(await gathering.closesInMs(), 0);
});

test('the file is the same whenever it is taken, and whoever takes it', async () => {
  const queue = new Queue();
  const gathering = queue.gather();
  queue.put(10, 10);
  queue.clock.pass(60 * SECOND);
  const file = positions(await taken(gathering));
  assert.deepEqual(file, [1, 2]);
  for (let later = 0; later < 3; later++) {
    queue.clock.pass(7 * SECOND);
    queue.put(10);
    assert.deepEqual(positions(await taken(gathering)), file);
    assert.deepEqual(positions(await taken(queue.gather())), file);
  }
});

test('a file that was full stays closed when events have left it', async () => {
  const queue = new Queue();
  const gathering = queue.gather();
  queue.put(400, 400, 400);
  const [, second] = await taken(gathering);
  queue.take([second!]);
  assert.deepEqual(positions(await taken(gathering)), [1]);
});

test('while a file is filled each event is read once', async () => {
  const queue = new Queue();
  const gathering = queue.gather({ bytes: 1_000_000 });
  const looks = 20;
  for (let look = 0; look < looks; look++) {
    queue.put(10, 10, 10);
    await gathering.closesInMs();
  }
  assert.equal(queue.reads, looks * (3 + 1), 'and the oldest one each time');
});

test('a clock that is wrong neither keeps a file open nor has it closed twice as late', async () => {
  const hour = 3_600 * SECOND;
  const back = new Queue();
  back.put(10);
  back.clock.ahead = -hour;
  const gathering = back.gather();
  assert.equal(await gathering.closesInMs(), 60 * SECOND);
  back.clock.pass(60 * SECOND);
  assert.equal(await gathering.closesInMs(), 0);
  assert.deepEqual(positions(await taken(gathering)), [1]);

  const on = new Queue();
  on.put(10);
  on.clock.ahead = hour;
  assert.equal(await on.gather().closesInMs(), 0);
});

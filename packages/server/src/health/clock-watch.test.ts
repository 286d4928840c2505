import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { IdSequence, suffixOf } from '../core/id.ts';
import { StoreUnavailableError } from '../store/store.ts';
import { ClockWatch } from './clock-watch.ts';

const noon = Date.UTC(2030, 0, 1, 12);
const hour = 3_600_000;

function start() {
  const world = { now: noon, last: '', isAway: false, log: [] as string[] };
  const ids = new IdSequence({ now: () => world.now, random: randomBytes });
  const say = (level: string) => (given: unknown, text?: string) =>
    void world.log.push(`${level} ${text ?? String(given)}`);
  const watch = new ClockWatch({
    lastId: async () => {
      if (world.isAway) throw new StoreUnavailableError('away');
      return world.last;
    },
    now: () => world.now,
    log: { warn: say('warn'), info: say('info') },
  });
  const create = () => {
    world.last = suffixOf(ids.next('th'));
  };
  return { world, watch, create };
}

test('a clock that was ahead for a moment is told of until it has come there, and each turn is logged once', async () => {
  const { world, watch, create } = start();
  assert.equal(await watch.look(), null, 'nothing was ever created');
  create();
  assert.equal(await watch.look(), null);

  world.now = noon + 24 * hour;
  create();
  world.now = noon;
  for (let look = 0; look < 3; look++) {
    const message = await watch.look();
    assert.match(message ?? '', /2030-01-02T12:00:00Z, 86400 s ahead/);
  }
  create();
  assert.match((await watch.look()) ?? '', /86400 s ahead/, 'ids go on from there');
  assert.equal(world.log.length, 1);
  assert.match(world.log[0] ?? '', /^warn the newest id/);

  world.now = noon + 24 * hour;
  assert.equal(await watch.look(), null);
  assert.equal(world.log.length, 2);
  assert.match(world.log[1] ?? '', /^info /);
});

test('clocks of several machines differ by seconds, which is nothing to tell of', async () => {
  const { world, watch, create } = start();
  world.now = noon + 30_000;
  create();
  world.now = noon;
  assert.equal(await watch.look(), null);
});

test('while the store is away nothing is logged, and what was said stays said', async () => {
  const { world, watch, create } = start();
  world.now = noon + hour;
  create();
  world.now = noon;
  await watch.look();
  world.isAway = true;
  watch.start()();
  await assert.rejects(watch.look(), StoreUnavailableError);
  assert.match(watch.message ?? '', /3600 s ahead/, 'the last look is what /readyz says');
  world.isAway = false;
  assert.notEqual(await watch.look(), null);
  assert.equal(world.log.length, 1);
});

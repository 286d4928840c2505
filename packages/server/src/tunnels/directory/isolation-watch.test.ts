import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { until } from '../../../../../test/harness/index.ts';
import type { Moment } from './fence.ts';
import type { RenewalReport } from './isolation.ts';
import { IsolationWatch } from './isolation-watch.ts';

const able: RenewalReport = { agoMs: 100, steadyMs: 1_000_000 };

/** A watch of a daemon that is isolated after a minute, and looks every second. */
class Watched {
  now: Moment = { uptime: 0, wall: 0 };
  renewed: Moment | null = this.now;
  isolations = 0;
  asked = 0;
  /** Results of calls that declare the daemon dead. */
  left: boolean[] = [];
  linked: Promise<void> = Promise.resolve();
  /** Answers the last question. */
  answer: (report: RenewalReport | null) => void = () => {};
  #over: () => void = () => {};
  readonly watch = new IsolationWatch({
    afterMs: 60_000,
    lookMs: 1_000,
    now: () => this.now,
    renewed: () => this.renewed,
    isolate: () => (this.isolations += 1),
    ask: (heard) => {
      this.asked += 1;
      this.answer = heard;
      return new Promise((resolve) => (this.#over = resolve));
    },
    leave: async () => this.left.shift() ?? false,
    linked: () => this.linked,
  });

  /** So many seconds pass, on both clocks. */
  pass(seconds: number): void {
    for (let count = 0; count < seconds; count += 1) {
      this.now = { uptime: this.now.uptime + 1_000, wall: this.now.wall + 1_000 };
      this.watch.look();
    }
  }

  async answersEnd(): Promise<void> {
    this.#over();
    await turn();
  }
}

test('reports are requested after a minute without a renewal, one question at a time', async () => {
  const daemon = new Watched();
  daemon.pass(59);
  assert.equal(daemon.asked, 0);
  daemon.pass(3);
  assert.equal(daemon.asked, 1);
  await daemon.answersEnd();
  daemon.pass(1);
  assert.equal(daemon.asked, 2);
  daemon.answer(null);
  daemon.answer({ ...able, agoMs: 20_000 });
  assert.equal(daemon.isolations, 0);
  daemon.answer(able);
  assert.equal(daemon.isolations, 1);
});

test('a report counts neither late nor after a renewal', () => {
  for (const late of [
    { uptime: 5_001, wall: 0 },
    { uptime: 0, wall: 5_001 },
  ]) {
    const daemon = new Watched();
    daemon.pass(60);
    daemon.now = { uptime: daemon.now.uptime + late.uptime, wall: daemon.now.wall + late.wall };
    daemon.answer(able);
    assert.equal(daemon.isolations, 0, JSON.stringify(late));
  }
  const daemon = new Watched();
  daemon.pass(60);
  daemon.renewed = daemon.now;
  daemon.answer(able);
  assert.equal(daemon.isolations, 0);
});

test('other daemons are called until one of them has declared it dead', async () => {
  const daemon = new Watched();
  daemon.renewed = null;
  daemon.left = [false, false, true, true];
  daemon.watch.ended(7);
  for (let looks = 0; looks < 5; looks += 1) {
    await turn();
    daemon.pass(1);
  }
  assert.deepEqual(daemon.left, [true]);
});

test('a return waits for the links, and is none if the daemon is isolated meanwhile', async () => {
  const daemon = new Watched();
  const links = Promise.withResolvers<void>();
  daemon.linked = links.promise;
  let returns = 0;
  const back = () => daemon.watch.back(() => (returns += 1));
  back();
  back();
  await turn();
  assert.equal(returns, 0);
  daemon.renewed = null;
  links.resolve();
  await turn();
  assert.equal(returns, 0);
  daemon.renewed = daemon.now;
  back();
  await until(() => returns === 1);
});

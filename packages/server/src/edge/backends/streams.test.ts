import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noopHandler } from '@underpass/wire';
import { until } from '../../../../../test/harness/until.ts';
import type { ProxyConnection } from '../../online/online.ts';
import type { Backend, ByteStream, Opener } from '../sites/site.ts';
import { SourceShares } from './source-shares.ts';
import { Streams } from './streams.ts';
import { Upstream } from './upstream.ts';
import { WaitingRoom } from './waiting-room.ts';

const connection: ProxyConnection = {
  ...{ clientAddr: '192.0.2.1:1', serverAddr: '192.0.2.2:443' },
  ...{ proto: 'https', edgeType: '0', passthroughTls: false },
};
const reuse = { now: 0, withinMs: Number.POSITIVE_INFINITY };

function streamOf(): ByteStream {
  const stream = {
    ...{ handler: noopHandler, closed: false, writableNeedDrain: false },
    write: () => true,
    end() {},
    pause() {},
    resume() {},
    reset(code: 0) {
      if (stream.closed) return;
      stream.closed = true;
      stream.handler.close(code);
    },
  };
  return stream;
}

class Place implements Opener {
  readonly id = 'tn_1';
  readonly session: string;
  outstanding = 0;
  opened = 0;
  readonly #gone = new AbortController();

  constructor(session: string) {
    this.session = session;
  }

  get closed(): AbortSignal {
    return this.#gone.signal;
  }

  open(): ByteStream {
    this.opened += 1;
    return streamOf();
  }

  expectAnswer(): void {}

  leave(): void {
    this.#gone.abort();
  }
}

const backendOf = (place: Place): Backend => ({
  id: place.id,
  pick: (tried) => (tried.has(place) ? 'tunnelBusy' : place),
  leadsTo: () => true,
  tunnels: () => null,
});

function wantedOf(place: Place) {
  return { backend: backendOf(place), connection, source: '192.0.2.1', tried: null };
}

function streams(): Streams {
  return new Streams(new SourceShares(), { idleStreams: 4, idleStreamMs: 60_000 });
}

test('a place that is gone gets no further request, also when its backend still names it', () => {
  const all = streams();
  const place = new Place('ts_1');
  const upstream = all.obtain(wantedOf(place), reuse);
  assert.ok(upstream instanceof Upstream);
  place.leave();
  assert.equal(all.obtain(wantedOf(place), reuse), 'tunnelBusy');
  assert.equal(place.opened, 1);
});

test('an expired wait names the share of its address, also if the agent refused its last attempt', async () => {
  let now = 0;
  const room = new WaitingRoom({ waitMs: 100, now: () => now });
  const limits = { idleStreams: 4, idleStreamMs: 60_000 };
  const all = new Streams(new SourceShares(3), limits, room);
  const place = Object.assign(new Place('ts_1'), { refusesForNow: true });
  const reasonOf = async (source: string): Promise<unknown> => {
    const wanted = { ...wantedOf(place), source };
    all.refused(wanted, place, true);
    let reason: unknown;
    all.wait(() => wanted, { attempt: () => false, expired: (given) => (reason = given) });
    now += 100;
    await until(() => all.waiting === 0);
    return reason;
  };
  assert.equal(await reasonOf('192.0.2.1'), null);
  for (let n = 0; n < 2; n += 1) assert.equal(typeof all.open(wantedOf(place)), 'object');
  assert.equal(await reasonOf('192.0.2.1'), 'tunnelBusyForSource');
  assert.equal(await reasonOf('192.0.2.2'), null);
  all.close();
});

test('of 1,000 places and their sessions that came and went nothing is kept', async () => {
  const all = streams();
  const places = Array.from({ length: 1_000 }, (_, at) => new Place(`ts_${at >> 1}`));
  const [stays] = places;
  for (const place of places) {
    const upstream = all.obtain(wantedOf(place), reuse);
    assert.ok(upstream instanceof Upstream);
    if (place.session !== 'ts_7') upstream.release(true, 0);
  }
  assert.deepEqual(all.kept, { places: 1_000, sessions: 500 });
  for (const place of places) if (place !== stays) place.leave();
  await Promise.resolve();
  assert.deepEqual(all.kept, { places: 1, sessions: 1 });
  assert.deepEqual(new Set(places.map(({ outstanding }) => outstanding)), new Set([0]));
});

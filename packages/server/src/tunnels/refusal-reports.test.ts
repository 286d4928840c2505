import assert from 'node:assert/strict';
import { duplexPair } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { answer, MuxSession, StreamType } from '@underpass/wire';
import { until } from '../../../../test/harness/until.ts';
import type { Refusal } from '../online/refusal.ts';
import { RefusalReports } from './refusal-reports.ts';
import { RefusalRoom } from './refusal-room.ts';

interface Report {
  readonly Refusals: readonly { readonly Id: string; readonly Path: string; readonly Time: string }[];
  readonly LeftOut: readonly { readonly Id: string; readonly Count: number }[];
}

const refusal: Refusal = {
  ...{ at: 0, clientAddr: '192.0.2.1:5000', host: 'a.example.com', method: 'GET', path: '/' },
  ...{ status: 403, code: 'ERR_1', reason: 'It is not allowed.', module: 'ip_restriction' },
};

/** Reports over a session whose agent answers with `respond`. */
function reporting(t: TestContext, respond: () => Promise<unknown> | unknown) {
  const [near, far] = duplexPair();
  const got: Report[] = [];
  const agent = new MuxSession(far, {
    role: 'client',
    closed() {},
    accept(type, stream) {
      assert.equal(type, StreamType.refusals);
      answer(stream, (report) => {
        got.push(report as Report);
        return respond();
      });
    },
  });
  const mux = new MuxSession(near, { role: 'server', closed() {}, accept() {} });
  const room = new RefusalRoom(1_000);
  const reports = new RefusalReports({ mux, account: 'ac_1', room, uptime: () => 0 });
  t.after(() => {
    reports.stop();
    mux.goAway(0, '');
    agent.goAway(0, '');
  });
  return { reports, got, room };
}

function roomOf(room: RefusalRoom): number {
  let free = 0;
  while (room.take('another')) free += 1;
  room.release('another', free);
  return free;
}

test('refusals that come together are one report, with what each of them was', async (t) => {
  const { reports, got } = reporting(t, () => ({ Error: '' }));
  reports.add('one', () => refusal);
  reports.add('other', () => ({ ...refusal, path: '/next' }));
  await until(() => got.length === 1);
  const [{ Refusals, LeftOut } = assert.fail()] = got;
  assert.deepEqual(
    Refusals.map(({ Id, Path, Time }) => [Id, Path, Time]),
    [
      ['one', '/', '1970-01-01T00:00:00.000Z'],
      ['other', '/next', '1970-01-01T00:00:00.000Z'],
    ],
  );
  assert.deepEqual(LeftOut, []);
});

test('of a flood a few are kept, the others only counted, and nothing is made of them', async (t) => {
  const { reports, got, room } = reporting(t, () => ({ Error: '' }));
  let made = 0;
  const make = () => {
    made += 1;
    return refusal;
  };
  for (let count = 0; count < 10_000; count += 1) reports.add(count % 2 === 0 ? 'even' : 'odd', make);
  assert.equal(made, 20);
  assert.ok(roomOf(room) < 500);
  await until(() => got.length === 1);
  assert.equal(got[0]?.Refusals.length, 20);
  assert.deepEqual(got[0]?.LeftOut, [
    { Id: 'even', Count: 4_990 },
    { Id: 'odd', Count: 4_990 },
  ]);
  assert.equal(roomOf(room), 500);
});

test('an agent that does not respond gets no second report meanwhile, and a session that ends leaves nothing', async (t) => {
  const { reports, got, room } = reporting(t, () => new Promise(() => {}));
  reports.add('one', () => refusal);
  await until(() => got.length === 1);
  for (let count = 0; count < 1_000; count += 1) reports.add('one', () => refusal);
  assert.ok(roomOf(room) < 500);
  reports.stop();
  assert.equal(roomOf(room), 500);
  reports.add('one', () => refusal);
  assert.equal(roomOf(room), 500);
  assert.equal(got.length, 1);
});

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { ListenError, listen } from '../system/listen.ts';
import { inheritedSockets } from './inherited.ts';
import { ConfigError } from './options.ts';

const PID = 4711;
const read = (count: string, names?: string) =>
  inheritedSockets({ LISTEN_PID: String(PID), LISTEN_FDS: count, LISTEN_FDNAMES: names }, PID);

test('sockets are known by their names, and a single one is the front door whatever its name', () => {
  assert.deepEqual(read('2', 'admin-listen:listen'), { 'admin-listen': 3, listen: 4 });
  assert.deepEqual(read('1', 'admin-listen'), { 'admin-listen': 3 });
  assert.deepEqual(read('3', 'http-listen:listen:admin-listen'), {
    'http-listen': 3,
    listen: 4,
    'admin-listen': 5,
  });
  assert.deepEqual(read('1', 'underpassd.socket'), { listen: 3 });
  assert.deepEqual(read('1'), { listen: 3 });
  assert.deepEqual(read('0'), {});
});

test('what is meant for another process is left alone', () => {
  assert.deepEqual(inheritedSockets({ LISTEN_PID: '1', LISTEN_FDS: '2' }, PID), {});
  assert.deepEqual(inheritedSockets({ LISTEN_FDS: '2' }, PID), {});
});

for (const [what, count, names] of [
  ['two without names', '2', undefined],
  ['two with one name', '2', 'listen:listen'],
  ['a name of nothing', '2', 'listen:https'],
  ['no number', 'two', 'listen'],
] as const) {
  test(`${what}: refused with what to do`, () => {
    assert.throws(() => read(count, names), ConfigError);
  });
}

test('a descriptor that cannot be listened on is named', async () => {
  const address = { host: '::', port: 443, descriptor: 4_000 };
  await assert.rejects(listen(createServer(), address), (error) => {
    assert.ok(error instanceof ListenError);
    assert.equal(
      error.message,
      'cannot listen on the inherited socket 4000: it is not a TCP socket that can be listened on',
    );
    return true;
  });
});

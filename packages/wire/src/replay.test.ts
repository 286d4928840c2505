import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Replay } from './replay.ts';

function sent(replay: Replay): string {
  return Buffer.concat([...replay.chunks()]).toString();
}

test('what was sent is there in its order, whatever the pieces, until it is forgotten', () => {
  const replay = new Replay();
  replay.add(Buffer.from('before it began'));
  replay.begin();
  for (const piece of ['head', 'a', 'b', 'c']) replay.add(Buffer.from(piece));
  assert.equal(sent(replay), 'headabc');
  replay.settle();
  replay.add(Buffer.from('d'));
  assert.equal(sent(replay), 'headabcd');
  replay.forget();
  assert.deepEqual([replay.isKept, sent(replay)], [false, '']);
});

test('single bytes are two pieces, and in them no buffer is kept that they came in', () => {
  const replay = new Replay();
  const network = Buffer.alloc(65_536, 'x');
  replay.begin();
  for (let i = 0; i < 60_000; i += 1) replay.add(network.subarray(i, i + 1));
  replay.settle();
  const chunks = [...replay.chunks()];
  assert.equal(chunks.length, 2);
  for (const { buffer } of chunks) assert.notEqual(buffer, network.buffer);
});

test('more than the bound is not kept', () => {
  const replay = new Replay();
  replay.begin();
  replay.add(Buffer.alloc(131_072));
  assert.equal(replay.isKept, true);
  replay.add(Buffer.from('x'));
  assert.deepEqual([replay.isKept, sent(replay)], [false, '']);
});

test('what all keep together has a bound: the oldest forget, the others can still be sent again', () => {
  const replays = Array.from({ length: 1000 }, () => new Replay());
  for (const replay of replays) {
    replay.begin();
    replay.add(Buffer.alloc(60_000));
    replay.add(Buffer.from('x'));
  }
  const kept = replays.map(({ isKept }) => isKept);
  assert.equal(kept[0], false);
  assert.equal(kept.at(-1), true);
  const count = kept.filter(Boolean).length;
  assert.ok(count * 60_000 <= 48 * 1024 * 1024 && count > 700, `${count} are kept`);
  for (const replay of replays) replay.forget();
  const late = Array.from({ length: count }, () => new Replay());
  for (const replay of late) {
    replay.begin();
    replay.add(Buffer.alloc(60_000));
  }
  assert.ok(
    late.every(({ isKept }) => isKept),
    'what was forgotten is counted no more',
  );
  for (const replay of late) replay.forget();
});

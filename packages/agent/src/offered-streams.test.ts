import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offeredStreams, streamsFor } from './offered-streams.ts';

test('an agent offers as many streams as it has descriptors left, and some of them it keeps', () => {
  assert.equal(streamsFor(Number.POSITIVE_INFINITY, 30), 16_384);
  assert.equal(streamsFor(1_048_576, 30), 16_384);
  assert.equal(streamsFor(1_024, 30), 930);
  assert.equal(streamsFor(256, 30), 169);
  assert.equal(streamsFor(64, 60), 16);
  assert.equal(streamsFor(10, 30), 16);
});

test('what is offered stays the same from session to session', () => {
  const first = offeredStreams();
  assert.ok(first >= 16 && first <= 16_384);
  assert.equal(offeredStreams(), first);
});

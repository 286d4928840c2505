import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LINGER_LIMITS, Linger, LingerPlaces } from './linger.ts';

const { lingerMs, lingerSilenceMs, lingerRate, lingerBytes, lingerPlaces } = LINGER_LIMITS;
const enough = (ms: number): number => Math.ceil((lingerRate * ms) / 1000);

test('it ends after a silence, or after all of its time', () => {
  const linger = new Linger(LINGER_LIMITS, new LingerPlaces(1), 'a', 0);
  assert.equal(linger.isOver(lingerSilenceMs), false);
  assert.equal(linger.isOver(lingerSilenceMs + 1), true);
  linger.begin(1_000);
  assert.equal(linger.isOver(1_000 + lingerSilenceMs), false);
  for (let at = 2_000; at <= 1_000 + lingerMs; at += 1_000) {
    assert.equal(linger.read(enough(1_000), at), true);
    assert.equal(linger.isOver(at), false, `at ${at}`);
  }
  assert.equal(linger.read(enough(1_000), 1_001 + lingerMs), true);
  assert.equal(linger.isOver(1_001 + lingerMs), true);
});

test('it ends if bytes come, and come too slowly', () => {
  const linger = new Linger(LINGER_LIMITS, new LingerPlaces(1), 'a', 0);
  for (let at = 1_000; at <= lingerSilenceMs; at += 1_000) {
    linger.read(1, at);
    assert.equal(linger.isOver(at), false);
  }
  assert.equal(linger.isOver(lingerSilenceMs + 1_000), true);
});

test('few read more than the first amount, of one address and in all, and every place is given back', () => {
  const places = new LingerPlaces(lingerPlaces);
  const all: Linger[] = [];
  const admitted = (source: string): boolean => {
    const linger = new Linger(LINGER_LIMITS, places, source, 0);
    all.push(linger);
    assert.equal(linger.read(lingerBytes, 0), true);
    return linger.read(1, 0);
  };
  const each = Math.ceil(lingerPlaces / 16);
  for (let i = 0; i < each; i += 1) assert.equal(admitted('a'), true);
  assert.equal(admitted('a'), false);
  for (let i = each; i < lingerPlaces; i += 1) assert.equal(admitted(`other ${i}`), true);
  assert.equal(admitted('last'), false);
  for (const linger of all) {
    linger.end();
    linger.end();
  }
  assert.equal(places.size, 0);
  assert.equal(admitted('last'), true);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PlacesBySource } from './places-by-source.ts';

function placesOf(...taken: readonly [source: string, item: string][]): PlacesBySource<string> {
  const places = new PlacesBySource<string>();
  for (const [source, item] of taken) places.add(source, item);
  return places;
}

test('the oldest of the source that has most gives way, and to nobody who has as many', () => {
  const places = placesOf(['a', 'a1'], ['b', 'b1'], ['b', 'b2'], ['b', 'b3'], ['c', 'c1'], ['c', 'c2']);
  assert.equal(places.oldestOfLargest(), 'b1');
  assert.equal(places.oldestOfLargest(places.countOf('c')), 'b1');
  assert.equal(places.oldestOfLargest(places.countOf('b')), undefined);
  assert.equal(places.oldestOf('c'), 'c1');
});

test('of sources that have as many as each other it is the one that came first', () => {
  assert.equal(placesOf(['a', 'a1'], ['b', 'b1']).oldestOfLargest(), 'a1');
  assert.equal(placesOf().oldestOfLargest(), undefined);
});

test('what is given back counts no more, once', () => {
  const places = placesOf(['a', 'a1'], ['a', 'a1'], ['a', 'a2'], ['b', 'b1']);
  assert.equal(places.size, 3);
  places.delete('a', 'a1');
  places.delete('a', 'a1');
  places.delete('b', 'a2');
  assert.equal(places.size, 2);
  assert.equal(places.countOf('a'), 1);
  assert.equal(places.oldestOf('a'), 'a2');
});

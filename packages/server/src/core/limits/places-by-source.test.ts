import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceKey } from '../ip/client-address.ts';
import { PlacesBySource } from './places-by-source.ts';

function placesOf(...taken: readonly [source: string, item: string][]): PlacesBySource<string> {
  const places = new PlacesBySource<string>();
  for (const [source, item] of taken) places.add(source, item);
  return places;
}

test('the oldest of the source that has most gives way, and to nobody who has as many', () => {
  const places = placesOf(['a', 'a1'], ['b', 'b1'], ['b', 'b2'], ['b', 'b3'], ['c', 'c1'], ['c', 'c2']);
  assert.equal(places.oldestOfLargest(), 'b1');
  assert.equal(places.oldestBefore('c'), 'b1');
  assert.equal(places.oldestBefore('b'), undefined);
  assert.equal(places.oldestOf('c'), 'c1');
  assert.deepEqual([...places.allBefore('a', 1)], ['b1', 'b2', 'b3', 'c1', 'c2']);
  assert.deepEqual([...places.allBefore('a', 2)], ['b1', 'b2', 'b3']);
  assert.deepEqual([...places.allBefore('b', 1)], []);
  assert.deepEqual([...places.of('c'), ...places.of('d')], ['c1', 'c2']);
  assert.equal(places.oldestOfLargest(3), undefined);
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

test('sources of one network of IPv6 give way as one, and each counts by itself', () => {
  const sources = ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1'].map(sourceKey);
  const other = sourceKey('2001:db8:2:1::1');
  const places = placesOf([other, 'o1'], [other, 'o2']);
  for (const source of sources) places.add(source, `of ${source}`);
  const [oldest = '', ...rest] = sources;
  assert.equal(places.countOf(oldest), 1);
  assert.equal(places.oldestOfLargest(), `of ${oldest}`);
  assert.equal(places.oldestBefore(other), `of ${oldest}`);
  for (const source of rest) assert.equal(places.oldestBefore(source), undefined);
  places.delete(oldest, `of ${oldest}`);
  places.delete(rest[0]!, `of ${rest[0]}`);
  assert.equal(places.oldestOfLargest(), 'o1');
});

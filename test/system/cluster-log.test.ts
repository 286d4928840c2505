/** The checker of chaos runs finds each violation in a log that was made up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handovers, hops, type LoggedBind, type LoggedVisit, violations } from './cluster-log.fixture.ts';

/** `red` has the name from 10 to 20, and `blue` from 30 on. */
const binds: readonly LoggedBind[] = [
  { number: 1, name: 'n', credential: 'red', daemon: 0, askedAt: 5, grantedAt: 10, endedAt: null },
  { number: 2, name: 'n', credential: 'blue', daemon: 1, askedAt: 25, grantedAt: 30, endedAt: null },
  { number: 3, name: 'other', credential: 'red', daemon: 0, askedAt: 5, grantedAt: 10, endedAt: 50 },
];

function visit(text: string, startedAt: number, name = 'n'): LoggedVisit {
  return { name, path: '/1', daemon: 0, startedAt, endedAt: startedAt + 1, text };
}

const found = (one: LoggedVisit) => violations({ binds, visits: [one] }).map((text) => text.split(':')[0]);

test('a right log has no violation', () => {
  const visits = [
    visit('red 1 /1', 15),
    // It began before the response to the other credential.
    visit('red 1 /1', 29),
    visit('blue 2 /1', 31),
    // A response may come before that to the bind.
    visit('blue 2 /1', 26),
    visit('red 3 /1', 40, 'other'),
  ];
  assert.deepEqual(violations({ binds, visits }), []);
});

test('a response of a credential that had lost the name is a violation', () => {
  assert.deepEqual(found(visit('red 1 /1', 31)), ['another credential had the name (bind 2)']);
});

test('a response of a tunnel that had ended is a violation', () => {
  assert.deepEqual(found(visit('red 3 /1', 51, 'other')), ['the response of a tunnel that had ended']);
});

test('a response of another name, credential or request, or of no tunnel is a violation', () => {
  for (const text of ['red 3 /1', 'blue 1 /1', 'red 1 /2', 'red 9 /1', ''])
    assert.deepEqual(found(visit(text, 15)), ['the response of another tunnel or request'], text);
});

test('two binds at the same time may come in either order', () => {
  const both: readonly LoggedBind[] = [
    { number: 1, name: 'n', credential: 'red', daemon: 0, askedAt: 5, grantedAt: 20, endedAt: null },
    { number: 2, name: 'n', credential: 'blue', daemon: 1, askedAt: 6, grantedAt: 19, endedAt: null },
  ];
  const visits = [visit('red 1 /1', 30), visit('blue 2 /1', 31)];
  assert.deepEqual(violations({ binds: both, visits }), []);
});

test('changes of the credential and visits at other daemons are counted', () => {
  assert.equal(handovers(binds), 1);
  assert.equal(hops({ binds, visits: [visit('red 1 /1', 15), visit('blue 2 /1', 40)] }), 1);
});

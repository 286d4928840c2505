import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ManagedCertificate } from '../documents/index.ts';
import { afterFailure, dueAt, type Failure, renewalOf } from './schedule.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const managed: ManagedCertificate = {
  authority: 'public_ca',
  private_key_type: 'rsa',
  set_at: 1000,
  renews_at: null,
  job: { started_at: 1000, failure: null },
};
const asked: Failure = { code: 'INTERNAL_ERROR', msg: 'no', wasAsked: true, retryAfterMs: 0 };

function attemptsWithin(failure: Failure, ms: number): number {
  let state = managed;
  let attempts = 0;
  for (let now = dueAt(state); now <= ms; now = dueAt(state)) {
    state = afterFailure(state, failure, now, 0);
    attempts += 1;
  }
  return attempts;
}

test('an authority is asked less than five times in the first hour, and once a day in the end', () => {
  assert.equal(attemptsWithin(asked, 60 * minute), 4);
  assert.ok(attemptsWithin(asked, 30 * day) < 40);
});

test('what is refused for good is not asked for again within the hour', () => {
  assert.equal(attemptsWithin({ ...asked, isLasting: true }, 60 * minute), 1);
  assert.ok(attemptsWithin({ ...asked, isLasting: true }, 30 * day) < 35);
});

test('lookups cost no share, and their interval grows to an hour', () => {
  const looked: Failure = { ...asked, code: 'DNS_ERROR', wasAsked: false };
  assert.ok(attemptsWithin(looked, 60 * minute) > 5);
  assert.ok(attemptsWithin(looked, 10 * day) <= 10 * 24 + 10);
});

test('what the authority says about when to come again is kept, and the job began when it began', () => {
  const state = afterFailure(managed, { ...asked, retryAfterMs: 2 * day }, 5000, 1);
  assert.equal(dueAt(state), 5000 + 2 * day);
  assert.equal(state.job?.started_at, 1000);
  assert.equal(dueAt(afterFailure(state, asked, 5000, 0)), 5000 + 5 * minute, 'the second in a row');
});

test('a certificate is renewed a little before two thirds of its life, and never at once', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (random) => {
      const at = renewalOf({ notBefore: 0, notAfter: 90 * day }, 0, random);
      assert.ok(at <= 60 * day && at >= 58 * day, String(at));
    }),
  );
  assert.ok(renewalOf({ notBefore: 0, notAfter: day }, day, 0) > day);
  assert.equal(dueAt({ ...managed, job: null, renews_at: 77 }), 77);
});

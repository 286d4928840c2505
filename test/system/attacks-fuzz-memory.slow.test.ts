/**
 * Bodies with one changed value, repeatedly for the same resources.
 * Invariant: refused bodies are not kept.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { samples } from '../../packages/server/src/resources/samples/index.fixture.ts';
import type { JsonObject } from '../../packages/server/src/store/store.ts';
import { Platform, Resident, residentMissing } from '../harness/index.ts';
import { Account, documentOf } from './account.fixture.ts';
import { malformed } from './malformed.fixture.ts';

/** Rounds after which the daemon has made what it keeps of each operation, and those in which it is measured. */
const ROUNDS = { warm: 10, measured: 30 };
/** Requests of a round, for each kind. */
const REQUESTS = 20;
/** Garbage of 16,000 requests makes it 30 at its peak; with 5 KB of each it would be 110. */
const MOST_MEGABYTES = 64;

let platform: Platform;
before(async () => {
  platform = await Platform.start();
});
after(() => platform.stop());

test('tens of thousands of refused bodies leave nothing behind', { skip: residentMissing }, async () => {
  const { operations } = await documentOf(platform);
  const account = new Account(operations, platform.bootstrap.api_key, platform);
  const made: { readonly path: string; readonly good: JsonObject }[] = [];
  for (const { kind, patches, body } of samples) {
    const changes = Object.entries(patches).map(([name, { send }]) => [name, send]);
    const { path } = await account.make(kind);
    made.push({ path, good: { ...(await body(account)), ...Object.fromEntries(changes) } });
  }
  const round = (seed: number) =>
    Promise.all(
      made.map(async ({ path, good }) => {
        for (const body of fc.sample(malformed(good), { numRuns: REQUESTS, seed })) {
          const { status, text } = await account.call('PATCH', path, JSON.stringify(body));
          assert.ok(status < 500, text);
        }
      }),
    );
  for (let seed = 0; seed < ROUNDS.warm; seed += 1) await round(seed);
  const resident = new Resident(platform.daemon.pid);
  await resident.start();
  for (let seed = 0; seed < ROUNDS.measured; seed += 1) await round(ROUNDS.warm + seed);
  assert.ok(resident.grown < MOST_MEGABYTES, `it grew by ${resident.grown} MB`);
});

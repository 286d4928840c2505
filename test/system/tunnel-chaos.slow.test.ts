/** Visitors while agents come and go, for a minute, or for as long as `CHAOS_SECONDS` says, with a `TEST_TIMEOUT_FACTOR` to match. */
import { test } from 'node:test';
import { visitThroughChaos } from './tunnel-chaos.fixture.ts';

const seconds = Number(process.env.CHAOS_SECONDS ?? 60);

test('no visitor gets the answer of another tunnel or request in a long time of comings and goings', (t) =>
  visitThroughChaos(t, seconds));

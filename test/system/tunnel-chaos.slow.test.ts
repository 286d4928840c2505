/** Visitors while agents come and go, for a hundred thousand responses, or as many as `CHAOS_ANSWERS`. */
import { test } from 'node:test';
import { timeoutMs } from '../harness/index.ts';
import { visitThroughChaos } from './tunnel-chaos.fixture.ts';

const answers = Number(process.env.CHAOS_ANSWERS ?? 100_000);
/** A hundred thousand take 50 s of CPU time: half a minute on two cores of their own. */
const timeout = timeoutMs(200_000 + answers);

test(
  'no visitor gets the answer of another tunnel or request in a long time of comings and goings',
  { timeout },
  (t) => visitThroughChaos(t, { answers, answersInCalm: 250 }),
);

/** Visitors while agents come and go, for some seconds; the slow file beside it takes longer. */
import { test } from 'node:test';
import { visitThroughChaos } from './tunnel-chaos.fixture.ts';

test('no visitor gets the answer of another tunnel or request while agents come and go', (t) =>
  visitThroughChaos(t, { answers: 2_000, answersInCalm: 60 }));

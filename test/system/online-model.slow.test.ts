/** Many random histories of agents that come and go, against a model. */
import { test } from 'node:test';
import { compareHistories } from './online-model.fixture.ts';

test('lists, sites and who answers are those of a model, in many histories', (t) =>
  compareHistories(t, { numRuns: 300, seconds: 100 }));

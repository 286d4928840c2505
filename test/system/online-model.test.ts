/** A few random histories of agents that come and go, against a model. The slow file beside it takes many. */
import { test } from 'node:test';
import { compareHistories } from './online-model.fixture.ts';

test('lists, sites and who answers are those of a model, after each step of a history', (t) =>
  compareHistories(t, { numRuns: 8, seconds: 15 }));

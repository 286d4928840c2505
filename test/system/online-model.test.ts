/** A few random histories of agents that come and go, against a model. The slow file beside it takes many. */
import { test } from 'node:test';
import { propertyRuns } from '../harness/property-runs.ts';
import { compareHistories } from './online-model.fixture.ts';

test('lists, sites and who answers are those of a model, after each step of a history', (t) =>
  compareHistories(t, { numRuns: propertyRuns(8), seconds: 15 }));

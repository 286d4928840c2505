/** The examples of the API's reference. Never that one stands there which does not run. */
import { test } from 'node:test';
import { runExamples } from './api-reference.fixture.ts';

test('the examples of docs/api.md run as they stand, and use every operation that there is', () =>
  runExamples(0));

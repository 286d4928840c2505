/**
 * The examples of the API's reference with a default daemon.
 * Invariant: the rate limit does not stop a reader.
 */
import { test } from 'node:test';
import { timeoutMs } from '../harness/timeouts.ts';
import { runExamples } from './api-reference.fixture.ts';
import { commandsMissing } from './documented-commands.fixture.ts';

/** They are more than twice as many requests as are admitted in a minute. */
const WAITING_MS = 240_000;

test(
  'the examples of docs/build/api.md run in a row under the default rate limit, and use every operation that there is: curl waits as it is told',
  {
    timeout: timeoutMs(WAITING_MS),
    skip: commandsMissing,
  },
  runExamples,
);

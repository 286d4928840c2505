import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, ConnectionError, UnexpectedAnswerError } from './errors.ts';
import { retryDelay } from './retry.ts';

const policy = { attempts: 4, baseDelayMs: 100, maxDelayMs: 10_000 };

function refused(status: number, retryAfter: number | null = null): ApiError {
  const details = { operation_id: 'op' };
  return new ApiError({ error_code: 'E_1', status_code: status, msg: '', details }, status, retryAfter);
}

const sent = new ConnectionError('', 'ECONNRESET', true);
const unsent = new ConnectionError('', 'ECONNREFUSED', false);

test('only what cannot have been done, or has the same effect twice, is repeated', () => {
  const repeated = (error: Error) =>
    ['GET', 'PUT', 'DELETE', 'PATCH', 'POST'].filter(
      (method) => retryDelay(error, method, 1, policy, 1) !== null,
    );
  const every = ['GET', 'PUT', 'DELETE', 'PATCH', 'POST'];
  const idempotent = ['GET', 'PUT', 'DELETE'];
  assert.deepEqual(repeated(unsent), every);
  assert.deepEqual(repeated(refused(429)), every);
  assert.deepEqual(repeated(sent), idempotent);
  for (const status of [502, 503, 504]) assert.deepEqual(repeated(refused(status)), idempotent);
  assert.deepEqual(repeated(new UnexpectedAnswerError(503, '')), idempotent);
  for (const status of [400, 404, 409, 500]) assert.deepEqual(repeated(refused(status)), []);
  assert.deepEqual(repeated(new UnexpectedAnswerError(200, '')), []);
  assert.deepEqual(repeated(new ConnectionError('', 'SELF_SIGNED_CERT_IN_CHAIN', false)), []);
  assert.deepEqual(repeated(new TypeError('a bug')), []);
});

test('the back-off doubles up to the longest wait, and chance shortens it', () => {
  const delays = (random: number) =>
    [1, 2, 3].map((failures) => retryDelay(unsent, 'GET', failures, policy, random));
  assert.deepEqual(delays(1), [100, 200, 400]);
  assert.deepEqual(delays(0.5), [50, 100, 200]);
  assert.equal(retryDelay(unsent, 'GET', 20, { ...policy, attempts: 99 }, 1), 10_000);
});

test('the attempts are bounded', () => {
  assert.equal(retryDelay(unsent, 'GET', 4, policy, 1), null);
  assert.equal(retryDelay(unsent, 'GET', 1, { ...policy, attempts: 1 }, 1), null);
});

test('a wait that the service asks for is kept, unless it is too long', () => {
  assert.equal(retryDelay(refused(429, 7), 'POST', 1, policy, 1), 7100);
  assert.equal(retryDelay(refused(503, 10), 'GET', 1, policy, 1), 10_000);
  assert.equal(retryDelay(refused(429, 11), 'GET', 1, policy, 0), null);
});

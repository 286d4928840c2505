import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { fails, KEY, type Options, OTHER_KEY, type Running, startApi } from './api.fixture.ts';
import type { Answer } from './raw-client.fixture.ts';

type Headers = Record<string, string | undefined>;

const NO_KEY = { authorization: undefined };
const BAD_KEY = { authorization: 'Bearer wrong_key' };
const NO_VERSION = { 'service-version': undefined };

async function burst(api: Running, count: number, headers: (i: number) => Headers): Promise<Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => api.request('GET', '/gadgets', headers(i))));
}

async function limited(t: TestContext, limit: number, options: Options = {}): Promise<Running> {
  return startApi(t, { ...options, limit });
}

test('an account may send so many requests in any 60 seconds, over all of its keys and connections', async (t) => {
  const api = await limited(t, 10);
  const spellings = ['authorization', 'Authorization', 'AUTHORIZATION'];
  const answers = await burst(api, 25, (i) => ({
    ...NO_KEY,
    [spellings[i % 3]!]: `Bearer ${i % 2 === 0 ? KEY : `${KEY}2`}`,
  }));
  assert.equal(answers.filter(({ status }) => status === 200).length, 10);
  const refused = answers.filter(({ status }) => status === 429);
  assert.equal(refused.length, 15);
  fails(refused[0]!, 'rateLimited', { limit: 10 });
  assert.equal(refused[0]!.headers.get('retry-after'), '60');

  assert.equal((await api.request('GET', '/gadgets', { authorization: `Bearer ${OTHER_KEY}` })).status, 200);
  api.clock += 59_999;
  assert.equal((await api.request('GET', '/gadgets')).headers.get('retry-after'), '1');
  api.clock += 1;
  assert.equal((await api.request('GET', '/gadgets')).status, 200);
});

test('requests that fail for any reason after the key count as well', async (t) => {
  const api = await limited(t, 3);
  await api.request('GET', '/nowhere');
  await api.request('GET', '/gadgets', NO_VERSION);
  await api.request('POST', '/samples/widgets', {}, 'x');
  fails(await api.request('GET', '/gadgets'), 'rateLimited');
});

test('failed authentications are limited by source', async (t) => {
  const api = await limited(t, 5);
  const answers = await burst(api, 9, (i) => ({
    authorization: i % 2 === 0 ? `Bearer wrong_${i}` : undefined,
  }));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [401, 401, 401, 401, 401, 429, 429, 429, 429]);
  const refused = answers.find(({ status }) => status === 429)!;
  fails(refused, 'authenticationFailuresLimited');
  assert.equal(refused.headers.get('retry-after'), '60');
  api.clock += 60_000;
  fails(await api.request('GET', '/gadgets', BAD_KEY), 'apiKeyInvalid');
});

test('who has guessed too often gets one answer to every guess, the right one included, and nothing is looked up', async (t) => {
  const api = await limited(t, 5);
  await burst(api, 5, () => BAD_KEY);
  const { length } = api.lookedUp;
  assert.equal(length, 5);
  const wrong = await api.request('GET', '/gadgets', BAD_KEY);
  const right = await api.request('GET', '/gadgets');
  fails(right, 'authenticationFailuresLimited');
  assert.equal(api.lookedUp.length, length);
  const without = ({ text, headers }: Answer) => [text.replace(/op_\w+/, ''), headers.get('retry-after')];
  assert.deepEqual(without(right), without(wrong));
  api.clock += 60_000;
  assert.equal((await api.request('GET', '/gadgets')).status, 200);
});

test('guesses that are made at once are looked up no more often than those one after the other', async (t) => {
  const api = await limited(t, 5);
  await burst(api, 50, (i) => ({ authorization: `Bearer wrong_${i}` }));
  assert.equal(api.lookedUp.length, 5);
});

test('a key that was good from an address lately goes on there, whatever others behind it guess', async (t) => {
  const api = await limited(t, 5);
  assert.equal((await api.request('GET', '/gadgets')).status, 200);
  await burst(api, 9, () => BAD_KEY);
  assert.equal((await api.request('GET', '/gadgets')).status, 200);
  fails(
    await api.request('GET', '/gadgets', { authorization: `Bearer ${OTHER_KEY}` }),
    'authenticationFailuresLimited',
  );

  api.revoked.add(KEY);
  fails(await api.request('GET', '/gadgets'), 'authenticationFailuresLimited');
  const { length } = api.lookedUp;
  fails(await api.request('GET', '/gadgets'), 'authenticationFailuresLimited');
  assert.equal(api.lookedUp.length, length, 'it is known no longer');
});

test('a key that was good long ago has to be shown again like any other', async (t) => {
  const api = await limited(t, 5);
  assert.equal((await api.request('GET', '/gadgets')).status, 200);
  api.clock += 3_600_000;
  await burst(api, 5, () => BAD_KEY);
  fails(await api.request('GET', '/gadgets'), 'authenticationFailuresLimited');
});

test('good keys are no failures, however many come from one address', async (t) => {
  const api = await limited(t, 2);
  for (const key of [KEY, OTHER_KEY]) {
    assert.equal((await api.request('GET', '/gadgets', { authorization: `Bearer ${key}` })).status, 200);
  }
  fails(await api.request('GET', '/gadgets', BAD_KEY), 'apiKeyInvalid');
  fails(await api.request('GET', '/gadgets', BAD_KEY), 'apiKeyInvalid');
  fails(await api.request('GET', '/gadgets', BAD_KEY), 'authenticationFailuresLimited');
});

test('a limit of 0 is none', async (t) => {
  const api = await limited(t, 0);
  assert.ok((await burst(api, 150, () => ({}))).every(({ status }) => status === 200));
  assert.ok((await burst(api, 150, () => BAD_KEY)).every(({ status }) => status === 401));
});

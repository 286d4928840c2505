import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairLookups } from './fair-lookups.ts';

/** Looks names up that wait until they are answered. */
function lookups(inAll: number, ofAccount: number, waiting = 256) {
  const asked: string[] = [];
  const open = new Map<string, PromiseWithResolvers<readonly never[]>>();
  const fair = new FairLookups(
    (host) => {
      asked.push(host);
      const answer = Promise.withResolvers<readonly never[]>();
      open.set(host, answer);
      return answer.promise;
    },
    { inAll, ofAccount, waiting },
  );
  const answer = async (host: string, error?: Error): Promise<void> => {
    if (error === undefined) open.get(host)?.resolve([]);
    else open.get(host)?.reject(error);
    await turn();
  };
  return { fair, asked, answer };
}

async function turn(): Promise<void> {
  await new Promise<void>((done) => setImmediate(done));
}

test('names whose servers answer nobody keep only those of their own account waiting', async () => {
  const { fair, asked, answer } = lookups(4, 2);
  const answered: string[] = [];
  const ask = (host: string, account: string): void => {
    fair.resolve(host, account).then(
      () => answered.push(host),
      () => answered.push(`not ${host}`),
    );
  };
  for (const host of ['a1', 'a2', 'a3', 'a4']) ask(host, 'a');
  ask('b1', 'b');
  await turn();
  assert.deepEqual(asked, ['a1', 'a2', 'b1']);
  await answer('b1');
  assert.deepEqual(answered, ['b1']);
  await answer('a2', new Error('nobody answers'));
  assert.deepEqual(answered, ['b1', 'not a2']);
  assert.deepEqual(asked, ['a1', 'a2', 'b1', 'a3']);
});

test('where as many are looked up as can be, each account has its turn', async () => {
  const { fair, asked, answer } = lookups(2, 2);
  for (const host of ['a1', 'a2', 'a3', 'a4']) void fair.resolve(host, 'a');
  for (const host of ['b1', 'b2']) void fair.resolve(host, 'b');
  void fair.resolve('c1', 'c');
  await turn();
  for (const host of ['a1', 'a2', 'a3', 'b1', 'c1']) await answer(host);
  assert.deepEqual(asked, ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2']);
});

test('of those who wait for an account there are only so many, and one more is told so', async () => {
  const { fair, asked, answer } = lookups(4, 1, 2);
  for (const host of ['a1', 'a2', 'a3']) void fair.resolve(host, 'a');
  await assert.rejects(fair.resolve('a4', 'a'), /a4 was not looked up/);
  await turn();
  assert.deepEqual(asked, ['a1']);
  void fair.resolve('b1', 'b');
  await answer('a1');
  void fair.resolve('a5', 'a');
  await answer('a2');
  await answer('a3');
  assert.deepEqual(asked, ['a1', 'b1', 'a2', 'a3', 'a5']);
});

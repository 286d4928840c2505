import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Grown, type QueueNews, watchQueues } from './queue-watch.ts';

/** Watches a queue whose state is `state`. */
function start(state: Grown) {
  const news: QueueNews = new Set();
  const asked: (number | null)[] = [];
  const abort = new AbortController();
  let current = state;
  const told = watchQueues(
    (after) => {
      asked.push(after);
      return current;
    },
    news,
    abort.signal,
  );
  const change = (next: Grown) => {
    current = next;
    for (const tell of news) tell();
  };
  return { told, asked, news, abort, change };
}

test('positions that went back say that any queue may have grown', async () => {
  const { told, asked, abort, change } = start({ to: 100, parents: [] });
  assert.deepEqual(await told.next(), { done: false, value: null });
  change({ to: 40, parents: [] });
  assert.deepEqual(await told.next(), { done: false, value: null });
  change({ to: 41, parents: ['ed_1'] });
  assert.deepEqual(await told.next(), { done: false, value: ['ed_1'] });
  assert.deepEqual(asked, [null, 100, 40]);
  abort.abort();
  assert.equal((await told.next()).done, true);
});

test('a watcher that has stopped gets no further calls', async () => {
  const { told, news, abort } = start({ to: 0, parents: [] });
  await told.next();
  const last = told.next();
  assert.equal(news.size, 1);
  abort.abort();
  assert.equal((await last).done, true);
  assert.equal(news.size, 0);
});

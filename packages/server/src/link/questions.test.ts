import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErrorCode } from '@underpass/wire';
import { startLinks, up } from './links.fixture.ts';
import { LinkStream } from './peers.ts';
import { Questions } from './questions.ts';

const readNumber = (answer: unknown): number | null => (typeof answer === 'number' ? answer : null);

async function startThree(context: Parameters<typeof startLinks>[0]) {
  const [one, two, three] = await Promise.all([1, 2, 3].map((number) => startLinks(context, number)));
  one!.links.follow([two!.node, three!.node]);
  await Promise.all([up(one!.links, 2), up(one!.links, 3)]);
  return { one: one!, two: two!, three: three! };
}

test('all other daemons answer a question by its name', async (context) => {
  const { one, two, three } = await startThree(context);
  const asking = new Questions(one.links);
  for (const [index, { links }] of [two, three].entries())
    new Questions(links).answer('sum.1', (body) => index + (body as { by: number }).by);
  const { values, missing } = await asking.ask({ name: 'sum.1', body: { by: 5 }, read: readNumber });
  assert.deepEqual([values.toSorted(), missing], [[5, 6], 0]);
});

test('a daemon counts as missing without an answer, whatever the reason', async (context) => {
  const { one, two, three } = await startThree(context);
  const asking = new Questions(one.links);
  const ask = () => asking.ask({ name: 'sum.1', body: {}, read: readNumber, waitMs: 100 });
  // A version without questions, and one without this question.
  const second = new Questions(two.links);
  assert.deepEqual(await ask(), { values: [], missing: 2 });
  second.answer('sum.1', () => 7);
  const third = new Questions(three.links);
  for (const respond of [
    () => 'seven',
    () => Promise.reject(new Error('broken')),
    () => 'x'.repeat(2 ** 21),
    () => new Promise(() => {}),
  ]) {
    third.answer('sum.1', respond);
    assert.deepEqual(await ask(), { values: [7], missing: 1 });
  }
  await three.links.stop();
  assert.deepEqual(await ask(), { values: [7], missing: 1 });
});

test('a question without a name gets no answer, and the link stays up', async (context) => {
  const { one, two } = await startThree(context);
  new Questions(two.links).answer('sum.1', () => 1);
  for (const body of [{}, { name: 3 }, { name: 'toString' }, []])
    assert.deepEqual(await one.links.get(2)?.call(LinkStream.question, body), {});
  await assert.rejects(async () => one.links.get(3)?.call(LinkStream.question, {}), {
    code: ErrorCode.streamRefused,
  });
});

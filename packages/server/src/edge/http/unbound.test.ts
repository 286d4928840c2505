/** Requests under way to a tunnel that is no more, while its agent's session goes on. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { MuxStream } from '@underpass/wire';
import { until } from '../../../../../test/harness/until.ts';
import { failoverBackend } from '../backends/failover-backend.ts';
import type { ExplainedBackend } from '../sites/site.ts';
import { byHand, fixedBackend, get, groupOf, NAME, siteOf, startTestServer } from './test-server.fixture.ts';

/** Half of an answer is there. */
async function underWay(t: TestContext) {
  const streams: MuxStream[] = [];
  const testServer = await startTestServer(
    t,
    byHand((stream) => {
      streams.push(stream);
      stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no'));
    }),
  );
  const client = await testServer.connect();
  client.send(get());
  await client.take('\r\n\r\no');
  return { agent: testServer.agents[0]!, client, stream: streams[0]! };
}

for (const finishMs of [0, 1]) {
  test(`an answer under way is broken off (after ${finishMs} ms), and the agent is told`, async (t) => {
    const { agent, client, stream } = await underWay(t);
    agent.unbind(finishMs);
    assert.equal(await client.rest(), '');
    await until(() => stream.closed);
  });
}

test('an answer that may finish does, and its connection is kept for no other', async (t) => {
  const { agent, client, stream } = await underWay(t);
  agent.unbind(60_000);
  stream.write(Buffer.from('k'));
  await client.take('k');
  await until(() => stream.closed);
});

test('what may be repeated and has no answer yet goes to another tunnel, and anything else is told', async (t) => {
  let asked = 0;
  const testServer = await startTestServer(
    t,
    byHand(() => {
      asked += 1;
    }),
  );
  const silent = testServer.agents[0]!;
  const online = [silent.tunnel];
  testServer.sites.set(NAME, siteOf(groupOf(online)));
  const [repeatable, other] = [await testServer.connect(), await testServer.connect()];
  repeatable.send(get());
  other.send(`POST / HTTP/1.1\r\nHost: ${NAME}\r\nContent-Length: 1\r\n\r\na`);
  await until(() => asked === 2);
  online.splice(
    0,
    1,
    (
      await testServer.agent((stream) => {
        stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nother'));
      })
    ).tunnel,
  );
  silent.unbind();
  assert.equal((await repeatable.answer()).body, 'other');
  assert.equal((await other.answer()).status, 502);
});

/** Picks children in order, like a failover backend. */
function inOrder(...children: readonly ExplainedBackend[]): ExplainedBackend {
  const dialler = { dial: () => null, refusalOf: () => null };
  const context = { online: { matching: () => [] }, dialler, random: Math.random };
  const backends = children.map((_, at) => String(at));
  const body = { description: '', metadata: '', backends };
  const document = { ...{ id: 'bkdfo_1', account: 'ac_1', parent: null, revision: 1 }, body } as const;
  const child = (id: string) => children[Number(id)]!;
  return failoverBackend({ ...document, kind: 'failover_backend' }, { ...context, child });
}

for (const [what, after, expected] of [
  ['nothing', [], '503 '],
  ['a page that was changed', ['new'], '200 new'],
] as const) {
  test(`what has no answer yet goes to no backend that was taken away since: left is ${what}`, async (t) => {
    let asked = 0;
    const testServer = await startTestServer(
      t,
      byHand(() => {
        asked += 1;
      }),
    );
    const silent = testServer.agents[0]!;
    const first = [silent.tunnel];
    const second = await testServer.agent(() => assert.fail('it was taken away'));
    testServer.sites.set(
      NAME,
      siteOf(inOrder(groupOf(first), groupOf([second.tunnel]), fixedBackend('old'))),
    );
    const client = await testServer.connect();
    client.send(get());
    await until(() => asked === 1);
    const left = after.map((body) => fixedBackend(body));
    testServer.sites.set(NAME, siteOf(inOrder(groupOf(first), ...left)));
    testServer.edge.recheck(null);
    first.pop();
    silent.unbind();
    const { status, body } = await client.answer();
    assert.equal(status === 200 ? `200 ${body}` : `${status} `, expected);
    assert.deepEqual(second.opened, []);
  });
}

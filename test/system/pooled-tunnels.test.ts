/**
 * Agents that share one name, seen by visitors and the API.
 * Invariant: visitors do not notice the end of one.
 */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { eventually, Platform } from '../harness/index.ts';
import { StockAgent } from './stock-agent.fixture.ts';

const Subdomain = 'replicas';
const pooled = { PoolingEnabled: true };
let platform: Platform;
let url: string;
let agents: StockAgent[];
/** Number of requests by agent; requests to /slow wait. */
let served: number[];
const waiting: { readonly agent: number; readonly response: ServerResponse }[] = [];

before(async () => {
  platform = await Platform.shared();
  const { json: other } = await platform.api('POST', '/credentials', {
    description: 'of the second machine',
  });
  const tokens = [platform.bootstrap.authtoken, other.token, other.token];
  served = tokens.map(() => 0);
  agents = await Promise.all(
    tokens.map((token, agent) =>
      StockAgent.connect(
        platform,
        (request, response) => {
          served[agent]! += 1;
          if (request.url === '/slow') waiting.push({ agent, response });
          else response.end(String(agent));
        },
        { token },
      ),
    ),
  );
  for (const agent of agents) url = (await agent.bind({ Subdomain }, pooled)).url;
});
after(async () => {
  for (const { response } of waiting) response.end();
  for (const agent of agents) await agent.stop();
  await platform.stop();
});

async function answers(count: number): Promise<string[]> {
  const texts: string[] = [];
  for (let i = 0; i < count; i += 1) texts.push((await platform.visit(url)).text);
  return texts;
}

test('they share what comes evenly, and each has its endpoint', async () => {
  await answers(30);
  assert.deepEqual(served, [10, 10, 10]);
  const { endpoints } = (await platform.api('GET', '/endpoints')).json;
  assert.deepEqual(
    endpoints.map((one: Record<string, unknown>) => [one.public_url, one.pooling_enabled]),
    agents.map(() => [url, true]),
  );
});

test('one that does not answer is given nothing more while the others do', async () => {
  const slow = platform.visit(`${url}/slow`);
  await eventually(() => assert.equal(waiting.length, 1));
  const { agent: stalled, response } = waiting.pop()!;
  const texts = await answers(10);
  assert.ok(!texts.includes(String(stalled)), texts.join(' '));
  response.end('late');
  assert.equal((await slow).text, 'late');
});

test('a request goes on while another of them leaves and names change, and what comes finds the rest', async () => {
  const slow = Promise.allSettled(agents.map(() => platform.visit(`${url}/slow`, { method: 'POST' })));
  await eventually(() => assert.equal(waiting.length, 3));
  assert.deepEqual(waiting.map(({ agent }) => agent).sort(), [0, 1, 2], 'one each');
  const [, ...others] = waiting.splice(0).sort((one, two) => one.agent - two.agent);
  const [first] = agents.splice(0, 1);
  await first!.stop();
  await eventually(async () => {
    const { endpoints } = (await platform.api('GET', '/endpoints')).json;
    assert.equal(endpoints.length, 2);
  });
  const reserved = { domain: `other.${platform.bootstrap.domain}` };
  assert.equal((await platform.api('POST', '/reserved_domains', reserved)).status, 201);
  const texts = await answers(10);
  assert.deepEqual([...new Set(texts)].sort(), ['1', '2']);
  for (const { response } of others) response.end('done');
  const statuses = (await slow).map((one) => (one.status === 'fulfilled' ? one.value.status : 'cut'));
  assert.deepEqual(statuses.sort(), [200, 200, 502]);
});

test('bodies of all of them are recorded by the site of a request, which may be that of one that left', async () => {
  const { requests } = (await platform.api('GET', '/traffic/requests?watch_seconds=600')).json;
  const { site } = requests.find(({ status_code: status }: Record<string, unknown>) => status === 502);
  const begun = await platform.api('POST', '/traffic/recordings', { site_id: site });
  assert.equal(begun.status, 200, begun.text);
  assert.equal(begun.json.host, new URL(url).hostname);
  const texts = await answers(4);
  const bodies = async () => {
    const found = (await platform.api('GET', '/traffic/requests?filter=has_bodies%20%3D%20true')).json
      .requests;
    const all = found.map(({ id }: Record<string, unknown>) =>
      platform.api('GET', `/traffic/requests/${id}`),
    );
    return (await Promise.all(all)).map(({ json }) => json.bodies.response.content);
  };
  await eventually(async () => assert.deepEqual((await bodies()).sort(), texts.toSorted()));
});

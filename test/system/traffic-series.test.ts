/** Series of traffic of a real daemon: by every key, after a restart, and for their account alone. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually, Platform, startUpstream } from '../harness/index.ts';
import { addAccount, fixedEdge, httpsEdge } from './attacks.fixture.ts';

let platform: Platform;
let other: { readonly api_key: string };

before(async () => {
  platform = await Platform.start();
  other = await addAccount(platform);
});
after(() => platform.stop());

/** A span up to the running step. */
const NOW = 'until=2100-01-01T00:00:00Z';

async function seriesOf(query: string, key = platform.bootstrap.api_key) {
  const headers = { authorization: `Bearer ${key}` };
  const { status, json } = await platform.api('GET', `/traffic/series?${query}`, undefined, headers);
  assert.equal(status, 200, JSON.stringify(json));
  return json;
}

async function sumOf(query: string, column = 'requests', key = platform.bootstrap.api_key): Promise<number> {
  const series = await seriesOf(query, key);
  assert.equal(series[column].length, series.points);
  return series[column].reduce((sum: number, one: number) => sum + one, 0);
}

test('requests are counted by edge, route, backend, endpoint and credential, and are there after a restart', async (t) => {
  const upstream = await startUpstream((_request, response) => response.end('by tunnel'));
  t.after(() => upstream.stop());
  const backend = (await platform.api('POST', '/backends/http_response', { body: 'fixed' })).json.id;
  const edge = await httpsEdge(platform, 'counted', backend);
  const { edgeId } = await fixedEdge(platform, 'tls', 'tls');
  const { url } = await platform.agent(['http', String(upstream.port)]);
  const endpoint = new URL(url).hostname;
  for (let times = 0; times < 3; times += 1) await platform.visit('counted.underpass.localhost');
  await platform.visit('tls.underpass.localhost');
  for (let times = 0; times < 2; times += 1) assert.equal((await platform.visit(url)).text, 'by tunnel');
  const route = (await platform.api('GET', edge)).json.routes[0].id;
  const credential = (await platform.api('GET', '/credentials')).json.credentials.at(-1).id;
  const wanted = [
    [`by=edge&id=${edge.split('/').at(-1)}`, 3],
    [`by=route&id=${route}`, 3],
    [`by=backend&id=${backend}`, 3],
    [`by=endpoint&id=${endpoint}`, 2],
    [`by=credential&id=${credential}`, 2],
    [`by=edge&id=${edgeId}`, 1],
    ['', 6],
  ] as const;
  const check = async (resolution: string) => {
    for (const [query, count] of wanted) {
      const found = await sumOf(`${query}&resolution=${resolution}&${NOW}`);
      assert.equal(found, count, `${query} ${resolution}`);
    }
  };
  await eventually(() => check('1s'));
  await check('1h');
  const recent = `/traffic/recent?by=edge&ids=${edgeId},${edge.split('/').at(-1)}`;
  const lines = (await platform.api('GET', recent)).json.keys;
  const counts = lines.map((line: { requests: number[] }) =>
    line.requests.reduce((all, one) => all + one, 0),
  );
  assert.deepEqual(counts, [1, 3]);
  const before = await seriesOf(`resolution=1h&${NOW}&since=3600`);
  assert.ok(before.p50_ms.at(-1) > 0 || before.p50_ms.at(-2) > 0);
  await platform.restart();
  await check('1m');
  await check('1h');
  for (const [query] of wanted)
    for (const resolution of ['1s', '1m', '1h'])
      assert.equal(await sumOf(`${query}&resolution=${resolution}&${NOW}`, 'requests', other.api_key), 0);
});

test('a deleted edge keeps its series', async () => {
  const { edgeId } = await fixedEdge(platform, 'gone', 'gone');
  await platform.visit('gone.underpass.localhost');
  const query = `by=edge&id=${edgeId}&${NOW}`;
  await eventually(async () => assert.equal(await sumOf(query), 1));
  assert.equal((await platform.api('DELETE', `/edges/tls/${edgeId}`)).status, 204);
  assert.equal(await sumOf(query), 1);
});

test('errors of the service are counted by their code', async () => {
  const group = await platform.api('POST', '/backends/tunnel_group', { labels: { app: 'none' } });
  const edge = await httpsEdge(platform, 'empty', group.json.id);
  const { status } = await platform.visit('empty.underpass.localhost');
  const query = `by=edge&id=${edge.split('/').at(-1)}&${NOW}`;
  await eventually(async () => assert.equal(await sumOf(query, 'requests_5xx'), 1));
  assert.equal(status >= 500, true);
  const [first] = (await seriesOf(query)).error_codes;
  assert.equal(first.count, 1);
  assert.match(first.error_code, /^ERR_SERVICE_\d+$/);
});

test('a wrong parameter is refused with its name', async () => {
  for (const [query, code, field] of [
    ['by=edge', 60910, 'id'],
    ['id=edghts_1', 60911, 'by'],
    ['since=soon', 60912, 'since'],
    ['since=60&until=60', 60913, 'since'],
    ['resolution=1h&since=7776000', 60914, 'since'],
    ['resolution=1d', 60102, 'resolution'],
  ] as const) {
    const { status, json } = await platform.api('GET', `/traffic/series?${query}`);
    assert.deepEqual([status, json.error_code, json.details.field], [400, `ERR_SERVICE_${code}`, field]);
  }
});

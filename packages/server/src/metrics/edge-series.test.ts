import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { visit } from '../edge/sites/exchange-record.fixture.ts';
import { countEdgeSeries, MOST_SERIES } from './edge-series.ts';

function counted(exists = (_id: string) => true) {
  const registry = new Registry();
  const observe = countEdgeSeries([registry], exists);
  const samples = async (name: string): Promise<readonly string[]> =>
    (await registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith(`underpass_edge_${name}_total{`))
      .map((line) => line.slice(`underpass_edge_${name}_total`.length));
  return { observe, samples };
}

test('requests, connections and bytes are counted by route and by backend', async () => {
  const { observe, samples } = counted();
  observe(visit);
  observe({ ...visit, status: 599, bytesSaved: 1000 });
  observe({ ...visit, status: 999 });
  observe({ ...visit, status: 0 });
  observe({ ...visit, kind: 'bytes', site: 'edgtcp_1', route: 'edgtcp_1', status: 0 });
  assert.deepEqual(await samples('route_requests'), [
    '{site="edghts_1",route="edghtsrt_1",class="none"} 1',
    '{site="edghts_1",route="edghtsrt_1",class="2xx"} 1',
    '{site="edghts_1",route="edghtsrt_1",class="5xx"} 2',
  ]);
  assert.deepEqual(await samples('route_connections'), ['{site="edgtcp_1",route="edgtcp_1"} 1']);
  assert.deepEqual(await samples('backend_connections'), ['{backend="bkdtg_1"} 1']);
  assert.deepEqual(await samples('route_saved_bytes'), ['{site="edghts_1",route="edghtsrt_1"} 1000']);
  assert.deepEqual(await samples('backend_bytes'), [
    '{backend="bkdtg_1",direction="in"} 5',
    '{backend="bkdtg_1",direction="out"} 10',
  ]);
});

test('endpoints are counted together, and no name becomes a label', async () => {
  const { observe, samples } = counted();
  observe({ ...visit, site: 'ep_1', route: 'ep_1', backend: 'tn_1' });
  observe({ ...visit, site: 'ep_2', route: 'ep_2', backend: 'tn_2' });
  for (const site of ['', 'a.example.com', 'rd_1']) observe({ ...visit, site, route: site, backend: site });
  observe({ ...visit, route: '', backend: '' });
  assert.deepEqual(await samples('route_requests'), [
    '{site="endpoint",route="endpoint",class="2xx"} 2',
    '{site="other",route="other",class="2xx"} 3',
    '{site="edghts_1",route="",class="2xx"} 1',
  ]);
  assert.deepEqual(await samples('backend_requests'), [
    '{backend="endpoint",class="2xx"} 2',
    '{backend="other",class="2xx"} 4',
  ]);
});

test('however many routes and backends there are, the series are bounded, and nothing is left out', async () => {
  const { observe, samples } = counted();
  for (let at = 0; at < MOST_SERIES + 500; at += 1)
    observe({ ...visit, route: `edghtsrt_${at}`, backend: `bkdtg_${at}` });
  observe({ ...visit, route: 'edghtsrt_0', backend: 'bkdtg_0' });
  assert.equal((await samples('route_requests')).length, MOST_SERIES + 1);
  assert.equal((await samples('route_requests')).at(-1), '{site="other",route="other",class="2xx"} 500');
  assert.equal((await samples('backend_requests')).at(-1), '{backend="other",class="2xx"} 500');
  assert.equal((await samples('backend_requests'))[0], '{backend="bkdtg_0",class="2xx"} 2');
});

test('what is deleted has no series any more, leaves room for others, and comes back with none of its own connections', async () => {
  const deleted = new Set<string>();
  const { observe, samples } = counted((id) => !deleted.has(id));
  for (let at = 0; at < MOST_SERIES; at += 1) observe({ ...visit, route: `edghtsrt_${at}` });
  observe({ ...visit, site: 'ep_1' });
  for (let at = 1; at < MOST_SERIES; at += 1) deleted.add(`edghtsrt_${at}`);
  deleted.add('bkdtg_1');
  assert.deepEqual(await samples('route_requests'), [
    '{site="edghts_1",route="edghtsrt_0",class="2xx"} 1',
    '{site="other",route="other",class="2xx"} 1',
  ]);
  assert.deepEqual(await samples('backend_requests'), []);
  observe({ ...visit, route: 'edghtsrt_1' });
  observe({ ...visit, route: 'edghtsrt_new' });
  assert.deepEqual(await samples('route_requests'), [
    '{site="edghts_1",route="edghtsrt_0",class="2xx"} 1',
    '{site="other",route="other",class="2xx"} 1',
    '{site="edghts_1",route="edghtsrt_new",class="2xx"} 1',
  ]);
});

/** The access log and the metrics of visits. Never that a refused visit leaves no trace of why, or a query comes into the log. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curl, eventually, freePorts, Platform } from '../harness/index.ts';
import { httpsEdge } from './attacks.fixture.ts';

test('each visit has a line and counts for its route, and a refused one says why', async (t) => {
  const [admin] = (await freePorts(1)) as [number];
  const platform = await Platform.start({
    args: ['--access-log', 'all', '--admin-listen', `127.0.0.1:${admin}`],
  });
  t.after(() => platform.stop());
  const response = await platform.api('POST', '/backends/http_response', { body: 'hello' });
  const edge = await httpsEdge(platform, 'visited', response.json.id);
  const { json } = await platform.api('GET', edge);
  const [route] = json.routes;
  const url = `https://visited.underpass.localhost:${platform.port}/there?secret=1`;
  assert.equal((await curl(platform, [url])).stdout, 'hello');
  const policy = await platform.api('POST', '/ip_policies', {});
  const path = `${edge}/routes/${route.id}/ip_restriction`;
  const limited = await platform.api('PUT', path, { ip_policy_ids: [policy.json.id] });
  assert.ok(limited.status < 300, limited.text);
  await curl(platform, [url]);
  await platform.daemon.line(/"path":"\/there","status":200.*"msg":"visit"/);
  await platform.daemon.line(/"status":403.*"ip_restriction":"block".*"error_code":"ERR_SERVICE_3205"/);
  assert.ok(!platform.daemon.output.includes('secret=1'));
  await eventually(async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${admin}/metrics`)).text();
    for (const status of ['2xx', '4xx'])
      assert.ok(
        metrics.includes(
          `underpass_edge_route_requests_total{site="${json.id}",route="${route.id}",class="${status}"} 1`,
        ),
        metrics,
      );
  });
  assert.equal((await platform.api('DELETE', edge)).status, 204);
  const metrics = await (await fetch(`http://127.0.0.1:${admin}/metrics`)).text();
  assert.ok(!metrics.includes(json.id), 'what is deleted is not shown any more');
});

/**
 * The access log and the metrics of visits.
 * Invariant: a refused visit has its reason in the log. Invariant: the log has no query.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { curl, curlMissing, eventually, freePorts, Platform } from '../harness/index.ts';
import { httpsEdge } from './attacks.fixture.ts';

let platform: Platform;
let plainPort: number;

before(async () => {
  [plainPort = 0] = await freePorts(1);
  platform = await Platform.start({
    args: ['--access-log', 'all', '--http-listen', `127.0.0.1:${plainPort}`],
  });
});
after(() => platform.stop());

async function metrics(): Promise<string> {
  return await (await fetch(`http://127.0.0.1:${platform.adminPort}/metrics`)).text();
}

test('each visit has a line and counts for its route, and a refused one says why', {
  skip: curlMissing,
}, async () => {
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
    const text = await metrics();
    for (const status of ['2xx', '4xx'])
      assert.ok(
        text.includes(
          `underpass_edge_route_requests_total{site="${json.id}",route="${route.id}",class="${status}"} 1`,
        ),
        text,
      );
  });
  assert.equal((await platform.api('DELETE', edge)).status, 204);
  assert.ok(!(await metrics()).includes(json.id), 'what is deleted is not shown any more');
});

test('so has what is said to plain HTTP, at its own port and at that of TLS', {
  skip: curlMissing,
}, async () => {
  const at = (port: number, name: string, ...more: readonly string[]) =>
    curl(platform, ['-o', '/dev/null', ...more, `http://${name}.underpass.localhost:${port}/x?secret=2`]);
  const line = (what: string) => platform.daemon.line(new RegExp(`${what}.*"msg":"visit"`));
  await at(plainPort, 'api');
  await line(
    '"server_name":"api.underpass.localhost".*"method":"GET","path":"/x","status":403.*"fault":"plainHttpForApi"',
  );
  await at(plainPort, 'nobody', '-I');
  await line('"server_name":"nobody.underpass.localhost".*"method":"HEAD","path":"/x","status":404.*_3200"');
  await at(plainPort, 'nobody', '-H', 'Host: a b');
  await line('"server_name":"".*"path":"/x","status":400.*"fault":"requestHostInvalid"');
  await at(plainPort, 'nobody', '-H', 'a b: c');
  await line('"method":"","path":"","status":400.*"fault":"requestHeaderMalformed"');
  await at(platform.port, 'api');
  await line('"status":400.*"fault":"plainHttpOnTlsPort"');
  assert.ok(!platform.daemon.output.includes('secret=2'));
  const counted = /^underpass_edge_route_requests_total\{site="other",route="other",class="4xx"\} 5$/m;
  await eventually(async () => assert.match(await metrics(), counted));
});

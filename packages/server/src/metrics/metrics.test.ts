import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LatencyHistogram } from './latency.ts';
import { createMetrics } from './metrics.ts';

/** Returns the samples of one metric, as in the text. */
async function samples({ text }: { text(): Promise<string> }, name: string): Promise<readonly string[]> {
  return (await text())
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
}

test('a bucket counts what is at most its bound, the last one everything', () => {
  const histogram = new LatencyHistogram('x_seconds', 'of x');
  for (const seconds of [0.001, 0.0011, 0.3, 31]) histogram.observe(seconds);
  const lines = histogram.text().split('\n');
  assert.deepEqual(lines.slice(0, 4), [
    '# HELP x_seconds of x',
    '# TYPE x_seconds histogram',
    'x_seconds_bucket{le="0.001"} 1',
    'x_seconds_bucket{le="0.0025"} 2',
  ]);
  assert.ok(lines.includes('x_seconds_bucket{le="0.25"} 2'));
  assert.ok(lines.includes('x_seconds_bucket{le="0.5"} 3'));
  assert.deepEqual(lines.slice(-5), [
    'x_seconds_bucket{le="30"} 3',
    'x_seconds_bucket{le="+Inf"} 4',
    'x_seconds_sum 31.3021',
    'x_seconds_count 4',
    '',
  ]);
});

test('who is refused is counted by condition, and what a system calls an error by a short list', async () => {
  const metrics = createMetrics('1.2.3');
  const request = { operation: '', durationMs: 1 };
  metrics.apiRequest({ ...request, status: 401, fault: 'apiKeyInvalid' });
  metrics.apiRequest({ ...request, status: 403, fault: 'apiSourceRefused' });
  metrics.apiRequest({ ...request, status: 429, fault: 'rateLimited' });
  metrics.apiRequest({ ...request, status: 404, fault: 'resourceNotFound' });
  metrics.apiRequest({ ...request, status: 200, fault: null });
  metrics.agentRefused('authentication', 'authtokenInvalid');
  metrics.agentRefused('bind', 'bindIdTaken');
  metrics.acceptFailed('EMFILE');
  metrics.acceptFailed('whatever somebody makes it');
  assert.deepEqual(await samples(metrics, 'underpass_authentication_failures_total'), [
    'underpass_authentication_failures_total{by="api",reason="apiKeyInvalid"} 1',
    'underpass_authentication_failures_total{by="api",reason="apiSourceRefused"} 1',
    'underpass_authentication_failures_total{by="agent",reason="authtokenInvalid"} 1',
  ]);
  assert.deepEqual(await samples(metrics, 'underpass_api_rate_limit_refusals_total'), [
    'underpass_api_rate_limit_refusals_total{reason="rateLimited"} 1',
  ]);
  assert.deepEqual(await samples(metrics, 'underpass_tunnel_bind_failures_total'), [
    'underpass_tunnel_bind_failures_total{reason="bindIdTaken"} 1',
  ]);
  const accepts = await samples(metrics, 'underpass_accept_failures_total');
  assert.deepEqual(
    accepts.filter((line) => !line.endsWith(' 0')),
    [
      'underpass_accept_failures_total{reason="EMFILE"} 1',
      'underpass_accept_failures_total{reason="other"} 1',
    ],
  );
  assert.deepEqual(await samples(metrics, 'underpass_build_info'), [
    `underpass_build_info{version="1.2.3",node="${process.version}"} 1`,
  ]);
});

test('what may fail has its series before it does, so that the first time is seen as well', async () => {
  const metrics = createMetrics('');
  assert.deepEqual(await samples(metrics, 'underpass_events_total'), [
    'underpass_events_total{result="taken"} 0',
    'underpass_events_total{result="retry"} 0',
    'underpass_events_total{result="given_up"} 0',
  ]);
  for (const [name, count] of [
    ['underpass_store_failures_total', 6],
    ['underpass_accept_failures_total', 6],
    ['underpass_tcp_listen_failures_total', 6],
    ['underpass_tls_handshake_failures_total', 17],
  ] as const)
    assert.equal((await samples(metrics, name)).length, count, name);
  metrics.events.counted('given_up', 3);
  assert.ok(
    (await samples(metrics, 'underpass_events_total')).includes(
      'underpass_events_total{result="given_up"} 3',
    ),
  );
});

test('however many certificates there are, those that expire first have a series', async () => {
  const metrics = createMetrics('');
  const certificates = Array.from({ length: 150 }, (_, index) => ({
    name: `cert_${index}`,
    notAfterMs: (1000 - index) * 1000,
  }));
  const none = () => 0;
  metrics.watch({
    sessions: none,
    tunnels: none,
    connections: none,
    tcpListeners: () => ({ open: 0, missing: 0 }),
    connectionLimit: 1,
    exists: () => true,
    node: () => ({ name: 'edge-1', incarnation: 7 }),
    nodes: () => 3,
    isIsolated: () => true,
    links: () => 2,
    remoteTunnels: () => 5,
    hops: () => 7,
    certificates: () => certificates,
  });
  const shown = await samples(metrics, 'underpass_certificate_expiry_timestamp_seconds');
  assert.equal(shown.length, 100);
  assert.equal(shown[0], 'underpass_certificate_expiry_timestamp_seconds{certificate="cert_149"} 851');
  assert.deepEqual(await samples(metrics, 'underpass_certificate_first_expiry_timestamp_seconds'), [
    'underpass_certificate_first_expiry_timestamp_seconds 851',
  ]);
  assert.deepEqual(await samples(metrics, 'underpass_node_info'), [
    'underpass_node_info{node="edge-1",incarnation="7"} 1',
  ]);
  assert.deepEqual(await samples(metrics, 'underpass_nodes'), ['underpass_nodes 3']);
  assert.deepEqual(await samples(metrics, 'underpass_isolated'), ['underpass_isolated 1']);
  assert.deepEqual(await samples(metrics, 'underpass_links'), ['underpass_links 2']);
  const text = await metrics.text();
  for (const line of ['nodes 3', 'remote_tunnels 5', 'hop_streams 7'])
    assert.ok(text.includes(`\nunderpass_${line}\n`), line);
});

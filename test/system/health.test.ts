/**
 * The admin listener, as operators use it.
 * Invariant: docs/run/metrics.md and /metrics agree.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import tls, { type ConnectionOptions } from 'node:tls';
import { metricsMarkdown } from '../../packages/server/src/metrics/document.ts';
import {
  curlMissing,
  eventually,
  Platform,
  Postgres,
  Process,
  postgresMissing,
  startUpstream,
} from '../harness/index.ts';

const RATE_LIMIT = 20;

async function refused(options: ConnectionOptions): Promise<void> {
  const socket = tls.connect(options);
  await assert.rejects(once(socket, 'secureConnect'));
}

interface ReadyAnswer {
  readonly ready: boolean;
  readonly reasons: readonly { readonly reason: string; readonly message: string }[];
  readonly warnings: readonly { readonly warning: string; readonly message: string }[];
}

describe('what a daemon on PostgreSQL tells its operator', {
  skip: postgresMissing,
}, () => {
  let server: Postgres;
  let platform: Platform;

  before(async () => {
    server = await Postgres.start();
    const args = ['--database', await server.database()];
    platform = await Platform.start({ args, apiRateLimit: RATE_LIMIT });
  });
  after(async () => {
    await platform?.stop();
    await server?.stop();
  });

  const ask = (path: string) => fetch(`http://127.0.0.1:${platform.adminPort}${path}`);
  const metrics = async () => (await ask('/metrics')).text();

  /** Returns the value of a series in the text; 0 if there is none. */
  async function value(series: string): Promise<number> {
    const line = (await metrics()).split('\n').find((each) => each.startsWith(`${series} `));
    return Number(line?.slice(series.length + 1) ?? 0);
  }

  async function counted(series: string, least = 1): Promise<void> {
    await eventually(async () => assert.ok((await value(series)) >= least, series));
  }

  test('docs/run/metrics.md lists what /metrics says, neither more nor less', async () => {
    const document = readFileSync(new URL('../../docs/run/metrics.md', import.meta.url), 'utf8');
    assert.equal(metricsMarkdown(await metrics()), document);
  });

  test('handshakes that fail are counted by what was wrong', { skip: curlMissing }, async () => {
    const api = { port: platform.port, host: '127.0.0.1', servername: 'api.underpass.localhost' };
    const failed = (reason: string) => `underpass_tls_handshake_failures_total{reason="${reason}"}`;
    await refused({ ...api, servername: 'nobody.example.com' });
    await counted(failed('unknown_name'));
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const;
    await refused({ ...api, ...old });
    await counted(failed('no_common_version'));
    // A client that does not trust the authority sends an alert.
    await Process.program('curl', ['-s', platform.bootstrap.base_url]).exited;
    await counted(failed('client_alert'));
    for (const [bytes, reason] of [
      ['GET / HTTP/1.1\r\n\r\n', 'plain_http'],
      ['no hello', 'malformed_hello'],
    ] as const) {
      connect(platform.port, '127.0.0.1')
        .on('error', () => {})
        .end(bytes);
      await counted(failed(reason));
    }
    connect(platform.port, '127.0.0.1').end();
    await counted(failed('no_hello'));
  });

  test('so are agents that are refused, names that they do not get, and keys that are none', async () => {
    const failed = (by: string, reason: string) =>
      `underpass_authentication_failures_total{by="${by}",reason="${reason}"}`;
    await assert.rejects(platform.agent(['http', '1', '--authtoken', `${'0'.repeat(27)}_${'0'.repeat(21)}`]));
    await counted(failed('agent', 'authtokenInvalid'));
    await assert.rejects(platform.agent(['http', '1', '--domain', 'api.underpass.localhost']));
    assert.match(await metrics(), /underpass_tunnel_bind_failures_total\{reason="\w+"\} [1-9]/);
    const { status } = await platform.api('GET', '/tunnels', undefined, { authorization: 'Bearer nonsense' });
    assert.equal(status, 401);
    await counted(failed('api', 'apiKeyMalformed'));
  });

  test('commits, requests at the edge by their time, and when certificates expire', async () => {
    const commits = await value('underpass_store_commits_total');
    assert.equal((await platform.api('POST', '/reserved_domains', { name: 'counted' })).status, 201);
    await counted('underpass_store_commits_total', commits + 1);
    // The daemon's own writes wait for a moment, too.
    await eventually(async () => assert.equal(await value('underpass_store_queue_length'), 0));

    const upstream = await startUpstream((_request, response) => response.end('seen'));
    const { url } = await platform.agent(['http', String(upstream.port)]);
    assert.equal((await platform.visit(url)).text, 'seen');
    await counted('underpass_edge_request_duration_seconds_count');
    await counted('underpass_edge_request_duration_seconds_bucket{le="+Inf"}');
    await upstream.stop();

    const expiry = await value(
      'underpass_certificate_expiry_timestamp_seconds{certificate="local_authority"}',
    );
    assert.ok(expiry > Date.now() / 1000);
    assert.equal(await value('underpass_certificate_first_expiry_timestamp_seconds'), expiry);
  });

  test('it is ready; without its database it is ready for traffic and not for the API; then for both again', async () => {
    // A database without a response within two seconds counts as unreachable, with another message.
    await eventually(async () => {
      const ready = await ask('/readyz');
      assert.equal(ready.status, 200);
      assert.equal(ready.headers.get('content-type'), 'application/json');
      assert.deepEqual(await ready.json(), { ready: true, reasons: [], warnings: [] });
    });

    await server.halt();
    await eventually(async () => {
      const away = await ask('/readyz');
      assert.equal(away.status, 200, 'a balancer would else lose all daemons at once');
      const answer = (await away.json()) as ReadyAnswer;
      assert.equal(answer.ready, true);
      assert.equal(answer.warnings[0]?.warning, 'store_away');
      assert.match(answer.warnings[0]?.message ?? '', /the database cannot be read/);
      assert.doesNotMatch(JSON.stringify(answer), /correct-horse/, 'no password');
      assert.doesNotMatch(JSON.stringify(answer), /clock_ahead|follower_behind/);
      const forApi = await ask('/readyz?for=api');
      assert.equal(forApi.status, 503);
      assert.equal(((await forApi.json()) as ReadyAnswer).reasons[0]?.reason, 'store_away');
    });
    assert.equal((await ask('/healthz')).status, 200, 'alive');
    await counted('underpass_store_failures_total{operation="read",reason="unavailable"}');

    await server.resume();
    await eventually(async () => assert.equal((await ask('/readyz?for=api')).status, 200));
  });

  test('what the rate limit refuses is counted', async () => {
    const statuses: number[] = [];
    for (let request = 0; request <= RATE_LIMIT; request += 1)
      statuses.push((await platform.api('GET', '/tunnels')).status);
    assert.equal(statuses.at(-1), 429);
    await counted('underpass_api_rate_limit_refusals_total{reason="rateLimited"}');
  });
});

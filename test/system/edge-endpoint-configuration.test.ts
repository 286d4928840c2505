/**
 * Modules of endpoint configurations, on agents' tunnels.
 * Invariant: an enabled module has an effect.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  curl,
  curlMissing,
  negotiatedSuite,
  opensslMissing,
  Platform,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';

const NAME = 'bound.underpass.localhost';

let platform: Platform;
let upstream: Upstream;
let configuration: string;

before(async () => {
  platform = await Platform.shared();
  upstream = await startUpstream((_request, response) => {
    response.statusCode = 500;
    response.end();
  });
  const domain = await platform.api('POST', '/reserved_domains', { name: NAME });
  const { json } = await platform.api('POST', '/endpoint_configurations', { type: 'https' });
  configuration = `/endpoint_configurations/${json.id}`;
  const attached = { https_endpoint_configuration_id: json.id };
  await platform.api('PATCH', `/reserved_domains/${domain.json.id}`, attached);
  await platform.agent(['http', String(upstream.port), '--domain', NAME]);
});
after(async () => {
  await platform.stop();
  await upstream.stop();
});

/** Runs a check with a module, and verifies that its removal leaves nothing. */
async function withModule(module: string, body: object, check: () => Promise<void>): Promise<void> {
  const put = await platform.api('PUT', `${configuration}/${module}`, body);
  assert.equal(put.status, 200, put.text);
  await check();
  assert.equal((await platform.api('DELETE', `${configuration}/${module}`)).status, 204);
  assert.equal(await visit(), '500');
}

async function visit(more: readonly string[] = []): Promise<string> {
  const format = '%{http_code} %header{underpass-error-code}';
  const args = [...more, '--output', '/dev/null', '--write-out', format];
  return (await curl(platform, [...args, `https://${NAME}:${platform.port}/`])).stdout.trim();
}

test('a service that keeps failing is given a rest', { skip: curlMissing }, async () => {
  const long = 4_294_967_295;
  const limits = { error_threshold_percentage: 0.5, volume_threshold: 3 };
  await withModule(
    'circuit_breaker',
    { ...limits, rolling_window: long, tripped_duration: long },
    async () => {
      for (let count = 0; count < 3; count += 1) assert.equal(await visit(), '500');
      assert.equal(await visit(), '503 ERR_SERVICE_3202');
    },
  );
});

test('programs are served by what they call themselves', { skip: curlMissing }, async () => {
  await withModule('user_agent_filter', { deny: ['scanner'] }, async () => {
    assert.equal(await visit(['-A', 'a scanner']), '403 ERR_SERVICE_3211');
    assert.equal(await visit(['-A', 'a browser']), '500');
  });
});

test('where messages of WebSockets become bytes a plain request gets an error', {
  skip: curlMissing,
}, async () => {
  await withModule('websocket_tcp_converter', {}, async () =>
    assert.equal(await visit(), '400 ERR_SERVICE_3206'),
  );
});

test('what is wrong with a module has the number that it has in endpoint configurations', async () => {
  const codeOf = async (method: string, path: string, body: object): Promise<string> =>
    (await platform.api(method, path, body)).json.error_code;
  const long = { inactivity_timeout: 5_000_000_000, issuer: 'https://a.example', client_id: 'a' };
  assert.equal(await codeOf('PUT', `${configuration}/ip_policy`, {}), 'ERR_SERVICE_1625');
  assert.equal(await codeOf('PATCH', configuration, { oidc: long }), 'ERR_SERVICE_1692');
  const create = { type: 'https', circuit_breaker: { num_buckets: 129 } };
  assert.equal(await codeOf('POST', '/endpoint_configurations', create), 'ERR_SERVICE_1618');
  assert.equal(await codeOf('PUT', `${configuration}/compression`, { made_up: 1 }), 'ERR_SERVICE_214');
});

test('what the agent asks for itself is not also in its configuration: the name is shut', async () => {
  const name = 'twice.underpass.localhost';
  const domain = await platform.api('POST', '/reserved_domains', { name });
  const filter = { user_agent_filter: { deny: ['scanner'] } };
  const made = await platform.api('POST', '/endpoint_configurations', { type: 'https', ...filter });
  await platform.agent(['http', String(upstream.port), '--domain', name, '--ua-filter-deny', 'robot']);
  const attached = { https_endpoint_configuration_id: made.json.id };
  await platform.api('PATCH', `/reserved_domains/${domain.json.id}`, attached);
  const { status, headers } = await platform.visit(name);
  assert.deepEqual([status, headers['underpass-error-code']], [503, 'ERR_SERVICE_6011']);
});

test('below a wildcard the modules are those of the nearest reservation, over HTTP/2 as over HTTP/1.1', {
  skip: curlMissing,
}, async () => {
  const marked = (of: string) => ({ add: { 'x-of': `${of} for $\{.conn.server_name}` } });
  const configure = async (name: string, of: string): Promise<void> => {
    const modules = { response_headers: marked(of), user_agent_filter: { deny: [`not ${of}`] } };
    const made = await platform.api('POST', '/endpoint_configurations', { type: 'https', ...modules });
    const domain = await platform.api('POST', '/reserved_domains', { name });
    const attached = { https_endpoint_configuration_id: made.json.id };
    assert.equal((await platform.api('PATCH', `/reserved_domains/${domain.json.id}`, attached)).status, 200);
  };
  const base = 'many.underpass.localhost';
  await configure(`*.${base}`, 'all');
  await configure(`one.${base}`, 'one');
  for (const name of [`*.${base}`, `bound.${base}`])
    await platform.agent(['http', String(upstream.port), '--domain', name]);
  const format = '%{http_version} %{http_code} %header{x-of}';
  const ask = async (name: string, version: string, agent: string): Promise<string> => {
    const resolve = ['--resolve', `${name}:${platform.port}:127.0.0.1`];
    const args = [version, ...resolve, '-A', agent, '-o', '/dev/null', '-w', format];
    return (await curl(platform, [...args, `https://${name}:${platform.port}/`])).stdout;
  };
  for (const [version, said] of [
    ['--http1.1', '1.1'],
    ['--http2', '2'],
  ] as const) {
    for (const [name, of] of [
      [`any.${base}`, 'all'],
      [`deep.below.${base}`, 'all'],
      [`BOUND.${base}`, 'all'],
      [`one.${base}`, 'one'],
    ] as const) {
      const known = name.toLowerCase();
      assert.equal(await ask(name, version, 'a browser'), `${said} 500 ${of} for ${known}`);
      assert.match(await ask(name, version, `not ${of}`), new RegExp(`^${said} 403 `), name);
    }
  }
});

test('clients of an older TLS than the least are turned away', {
  skip: curlMissing || opensslMissing,
}, async () => {
  const older = (): Promise<string | null> => negotiatedSuite(platform, NAME, ['-tls1_2']);
  assert.notEqual(await older(), null);
  await withModule('tls_termination', { terminate_at: 'edge', min_version: '1.3' }, async () => {
    assert.equal(await older(), null);
    assert.equal(await visit(), '500');
  });
  assert.notEqual(await older(), null);
});

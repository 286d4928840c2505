/** The public OpenAPI document, and the daemon's default rate limit. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Platform } from '../harness/index.ts';

let platform: Platform;

before(async () => {
  platform = await Platform.start({ apiRateLimit: 20 });
});
after(() => platform.stop());

test('/openapi.json is a valid OpenAPI 3.1 document that names every collection', async () => {
  const { status, json } = await platform.visit(
    `https://api.underpass.localhost:${platform.port}/openapi.json`,
  );
  assert.equal(status, 200);
  assert.match(json.openapi, /^3\.1/);
  const result = await new Validator().validate(structuredClone(json));
  assert.deepEqual(result.errors ?? [], []);
  assert.equal(result.valid, true);
  for (const path of [
    '/backends/http_response',
    '/backends/tunnel_group',
    '/edges/tls',
    '/reserved_domains',
    '/credentials',
    '/api_keys',
    '/tunnels',
    '/tunnel_sessions',
    '/endpoints',
    '/edges/tls/{id}/mutual_tls',
  ]) {
    assert.ok(path in json.paths, path);
  }
});

test('the 21st request within 60 seconds is a 429 that says when to come back, whatever the key', async () => {
  const { json: second } = await platform.api('POST', '/api_keys', {});
  for (let count = 1; count < 20; count++) assert.equal((await platform.api('GET', '/tunnels')).status, 200);
  const refused = await platform.api('GET', '/tunnels', undefined, {
    authorization: `Bearer ${second.token}`,
  });
  assert.equal(refused.status, 429);
  assert.equal(refused.json.error_code, 'ERR_SERVICE_226');
  assert.ok(Number(refused.headers['retry-after']) >= 1 && Number(refused.headers['retry-after']) <= 60);
});

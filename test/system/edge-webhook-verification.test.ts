/**
 * Webhook verification of routes and endpoint configurations, with real senders' formats.
 * Invariant: secrets are not readable.
 */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Platform } from '../harness/index.ts';
import { httpsEdge } from './attacks.fixture.ts';
import { StockAgent } from './stock-agent.fixture.ts';

const SECRET = 'a secret of these tests';
const BODY = '{"event":"push"}';
const served = [200, undefined];
const refused = [403, 'ERR_SERVICE_3204'];

let platform: Platform;

before(async () => {
  platform = await Platform.shared();
});
after(() => platform.stop());

function signed(secret: string): Readonly<Record<string, string>> {
  return { 'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(BODY).digest('hex')}` };
}

async function post(name: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown[]> {
  const answer = await platform.visit(name, { method: 'POST', headers, body: BODY });
  return [answer.status, answer.headers['underpass-error-code']];
}

async function call(method: string, path: string, body?: object): Promise<void> {
  const { status, text } = await platform.api(method, path, body);
  assert.ok(status < 300, text);
}

test('a route serves what is signed from the answer of the API on, with each secret as it is changed', async () => {
  const name = 'hooks.underpass.localhost';
  const backend = await platform.api('POST', '/backends/http_response', { body: 'ok' });
  const edge = await httpsEdge(platform, 'hooks', backend.json.id);
  const { json } = await platform.api('GET', edge);
  const path = `${edge}/routes/${json.routes[0].id}/webhook_verification`;
  assert.deepEqual(await post(name), served);
  await call('PUT', path, { provider: 'GITHUB', secret: SECRET });
  const read = await platform.api('GET', path);
  assert.deepEqual(read.json, { enabled: true, provider: 'GITHUB', secret: '' });
  assert.deepEqual(await post(name, signed(SECRET)), served);
  assert.deepEqual(await post(name, signed('another')), refused);
  assert.deepEqual(await post(name), refused);

  await call('PUT', path, { provider: 'github' });
  assert.deepEqual(await post(name, signed(SECRET)), served, 'the secret stayed');
  await call('PUT', path, { provider: 'github', secret: 'another' });
  assert.deepEqual(await post(name, signed(SECRET)), refused);
  assert.deepEqual(await post(name, signed('another')), served);
  await platform.restart();
  assert.deepEqual(await post(name, signed('another')), served, 'after a restart');
  assert.deepEqual(await post(name), refused);
  assert.equal(await platform.grepDataDir(SECRET), false);
  await call('DELETE', path);
  assert.deepEqual(await post(name), served);
});

test('an endpoint configuration verifies what an agent serves, and an agent cannot ask for it, too', async () => {
  const name = 'hooked.underpass.localhost';
  const domain = await platform.api('POST', '/reserved_domains', { name });
  const verification = { provider: 'github', secret: SECRET };
  const configuration = await platform.api('POST', '/endpoint_configurations', {
    type: 'https',
    webhook_validation: verification,
  });
  assert.equal(configuration.status, 201, configuration.text);
  const agent = await StockAgent.connect(platform, (_request, response) => response.end('ok'));
  await agent.bind({ Hostname: name }, { Id: 'one' });
  assert.deepEqual(await post(name), served);
  const attached = { https_endpoint_configuration_id: configuration.json.id };
  await call('PATCH', `/reserved_domains/${domain.json.id}`, attached);
  assert.deepEqual(await post(name), refused);
  assert.deepEqual(await post(name, signed(SECRET)), served);
  const both = await agent.refusal({ Hostname: name, WebhookVerification: verification }, { Id: 'two' });
  assert.match(both, /webhook_verification.*ERR_SERVICE_60429$/s);
  await agent.stop();
});

/**
 * Destinations and subscriptions of events.
 * Invariant: secrets are not readable.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Platform } from '../harness/index.ts';

const SECRET = 'unmistakable-5ecret';
const TYPE = 'ip_policy_created.v0';
let platform: Platform;
let destination: string;

before(async () => {
  platform = await Platform.shared();
  const target = { monitoring: { api_key: SECRET } };
  destination = (await call(201, 'POST', '/event_destinations', { format: 'json', target })).id;
});
after(() => platform.stop());

async function call(status: number, method: string, path: string, body?: object) {
  const answer = await platform.api(method, path, body);
  assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`);
  assert.ok(!answer.text.includes(SECRET), `${method} ${path} shows a secret`);
  return answer.text === '' ? null : answer.json;
}

test('the secret of a destination is in no answer, no log and no file, also when a request is refused', async () => {
  const path = `/event_destinations/${destination}`;
  assert.equal((await call(200, 'GET', path)).target.monitoring.api_key, '');
  await call(200, 'GET', '/event_destinations');
  const elsewhere = { api_key: SECRET, site: `${SECRET.slice(0, 5)}_` };
  await call(400, 'PATCH', path, { target: { monitoring: elsewhere } });
  await call(400, 'PATCH', path, { target: { monitoring: { api_key: `${SECRET} ` } } });
  await call(200, 'PATCH', path, { target: { monitoring: { api_key: SECRET, tags: 'a' } } });
  assert.ok(!(await platform.grepDataDir(SECRET)), 'the secret is sealed');
  assert.ok(!platform.daemon.output.includes(SECRET), 'the log has no secret');
});

test('sources are addressed by their type, percent-decoded once', async () => {
  const { id, uri } = await call(201, 'POST', '/event_subscriptions', { destination_ids: [destination] });
  const sources = `/event_subscriptions/${id}/sources`;
  const source = { type: TYPE, uri: `${uri}/sources/${TYPE}` };
  assert.deepEqual(await call(201, 'POST', sources, { type: TYPE }), source);
  assert.deepEqual(await call(200, 'GET', sources), { sources: [source], uri: `${uri}/sources` });
  for (const written of [TYPE, 'ip_policy_created%2Ev0', 'ip%5Fpolicy%5fcreated.v0']) {
    assert.deepEqual(await call(200, 'GET', `${sources}/${written}`), source);
    assert.deepEqual(await call(200, 'PATCH', `${sources}/${written}`, { type: TYPE }), source);
  }
  for (const written of [
    'ip_policy_created%252Ev0',
    'IP_POLICY_CREATED.v0',
    'ip_policy_updated.v0',
    '__proto__',
  ]) {
    const { error_code } = await call(404, 'GET', `${sources}/${written}`);
    assert.equal(error_code, 'ERR_SERVICE_5125', written);
  }
  await call(204, 'DELETE', `${sources}/ip_policy_created%2Ev0`);
  assert.deepEqual((await call(200, 'GET', sources)).sources, []);
  const { error_code } = await call(409, 'DELETE', `/event_destinations/${destination}`);
  assert.equal(error_code, 'ERR_SERVICE_5112');
});

test('destinations, subscriptions and their secrets survive kill -9', async () => {
  const body = { sources: [{ type: TYPE }], destination_ids: [destination] };
  const { id } = await call(201, 'POST', '/event_subscriptions', body);
  const before = await call(200, 'GET', `/event_subscriptions/${id}`);
  await platform.killAndRestart();
  assert.deepEqual(await call(200, 'GET', `/event_subscriptions/${id}`), before);
  // Left out, the key is kept.
  await call(200, 'PATCH', `/event_destinations/${destination}`, { target: { monitoring: { tags: 'b' } } });
});

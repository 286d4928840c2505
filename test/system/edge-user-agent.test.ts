/**
 * The user agent filter of a route, with curl.
 * Invariant: expensive patterns are refused.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { curl, curlMissing, Platform } from '../harness/index.ts';
import { httpsEdge } from './attacks.fixture.ts';

const NAME = 'agents.underpass.localhost';

let platform: Platform;
let path: string;

before(async () => {
  platform = await Platform.shared();
  const backend = await platform.api('POST', '/backends/http_response', { body: 'served' });
  const edge = await httpsEdge(platform, 'agents', backend.json.id);
  const { json } = await platform.api('GET', edge);
  path = `${edge}/routes/${json.routes[0].id}/user_agent_filter`;
});
after(() => platform.stop());

async function visit(...more: readonly string[]): Promise<string> {
  const { stdout } = await curl(platform, [
    ...['-s', '--resolve', `${NAME}:${platform.port}:127.0.0.1`, ...more],
    ...['-o', '/dev/null', '-w', '%{http_code} %header{underpass-error-code}'],
    `https://${NAME}:${platform.port}/`,
  ]);
  return stdout;
}

test('programs are refused by what they call themselves, from the answer of the API on', {
  skip: curlMissing,
}, async () => {
  assert.equal(await visit(), '200 ');
  const { status, text } = await platform.api('PUT', path, { allow: ['curl/99'], deny: ['(?i)CURL', '^$'] });
  assert.equal(status, 200, text);
  assert.equal(await visit(), '403 ERR_SERVICE_3211');
  assert.equal(await visit('-A', 'curl/99'), '200 ');
  assert.equal(await visit('-A', 'Mozilla/5.0'), '200 ');
  assert.equal(await visit('-A', 'Mozilla/5.0', '-H', 'X-User-Agent: curl'), '200 ');
  assert.equal(await visit('-H', 'User-Agent:'), '403 ERR_SERVICE_3211');
  await platform.api('PUT', path, { enabled: false, deny: ['.*'] });
  assert.equal(await visit(), '200 ');
});

test('patterns that other engines take for ever with do no harm, and others are refused', {
  skip: curlMissing,
}, async () => {
  await platform.api('PUT', path, { deny: ['^(a+)+$', '(a|aa)+$', '(.*)*(.*)*x$'] });
  assert.equal(await visit('-A', `${'a'.repeat(1000)}b`), '200 ');
  for (const bad of ['(a)\\1', 'a(?=b)', '(a{100}){100}']) {
    const { status, json } = await platform.api('PUT', path, { deny: [bad] });
    assert.equal(status, 400, bad);
    assert.equal(json.error_code, 'ERR_SERVICE_2090', bad);
  }
});

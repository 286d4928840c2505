/**
 * The list of requests of an account: failures, and successes while a client reads it.
 * Invariant: no entry has the value of a query or belongs to another account.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject } from '../../packages/server/src/store/store.ts';
import { type Answer, eventually, freePorts, startUpstream, type Upstream } from '../harness/index.ts';
import { httpsEdge, startTwoAccounts, type TwoAccounts } from './attacks.fixture.ts';

let world: TwoAccounts;
let upstream: Upstream;
const seen = (list: Answer) => (list.json.requests as JsonObject[]).map(({ status_code: code }) => code);

before(async () => {
  [world, upstream] = await Promise.all([
    startTwoAccounts(),
    startUpstream((request, response) => {
      response.statusCode = request.url?.startsWith('/gone') === true ? 404 : 200;
      response.end('hello');
    }),
  ]);
});
after(async () => {
  await world?.platform.stop();
  await upstream?.stop();
});

async function list(query = 'watch_seconds=0', path = '/traffic/requests'): Promise<Answer> {
  const answer = await world.platform.api('GET', `${path}?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer;
}

async function visit(label: string, path: string): Promise<number> {
  const url = `https://${label}.underpass.localhost:${world.platform.port}${path}`;
  return (await world.platform.visit(url)).status;
}

test('failures are listed with their reason, successes while the list is read, and other accounts see neither', async () => {
  const { platform, asOther } = world;
  const [closed = 0] = await freePorts(1);
  await platform.agent(['http', String(upstream.port), '--domain', 'shop.underpass.localhost']);
  await platform.agent(['http', String(closed), '--domain', 'down.underpass.localhost']);
  const backend = await platform.api('POST', '/backends/http_response', { body: 'hello' });
  const edge = await httpsEdge(platform, 'office', backend.json.id);
  const policy = await platform.api('POST', '/ip_policies', {});
  const [route] = (await platform.api('GET', edge)).json.routes;
  const guard = `${edge}/routes/${route.id}/ip_restriction`;
  await platform.api('PUT', guard, { ip_policy_ids: [policy.json.id] });

  assert.equal(await visit('shop', '/unseen'), 200);
  assert.equal(await visit('shop', '/gone?token=secret'), 404);
  assert.equal(await visit('down', '/'), 502);
  assert.equal(await visit('office', '/admin'), 403);
  await eventually(async () => assert.deepEqual(seen(await list()), [403, 502, 404]));
  const [refused, failed, gone] = (await list()).json.requests;
  assert.deepEqual(
    [refused.site, refused.route, refused.path, refused.served_by, refused.decisions],
    [edge.split('/').at(-1), route.id, '/admin', '', [{ module: 'ip_restriction', decision: 'block' }]],
  );
  assert.match(refused.error_code, /_3205$/);
  assert.match(failed.error_code, /_8012$|_801\d$/);
  assert.match(failed.error, /\w/);
  assert.deepEqual(
    [gone.method, gone.path, gone.query, gone.client_ip, gone.error_code, gone.tls.version],
    ['GET', '/gone', 'token=', '127.0.0.0/24', '', 'TLSv1.3'],
  );
  assert.match(gone.served_by, /^tn_/);

  const one = await platform.api('GET', `/traffic/requests/${gone.id}`);
  assert.deepEqual(one.json, { ...gone, bodies: null });
  const foreign = await asOther('GET', `/traffic/requests/${gone.id}`);
  const unknown = await asOther('GET', `/traffic/requests/req_${'0'.repeat(27)}`);
  assert.deepEqual([foreign.status, unknown.status], [404, 404]);
  assert.equal(foreign.json.error_code, unknown.json.error_code);
  assert.deepEqual((await asOther('GET', '/traffic/requests?watch_seconds=600')).json.requests, []);

  // The other account watches its own requests only.
  assert.equal(await visit('shop', '/still-unseen'), 200);
  // The former request has ended, too, when this one is listed.
  assert.equal(await visit('shop', '/gone/again'), 404);
  await eventually(async () => assert.deepEqual(seen(await list()), [404, 403, 502, 404]));
  await list('watch_seconds=600');
  assert.equal(await visit('shop', '/seen'), 200);
  await eventually(async () => assert.deepEqual(seen(await list()), [200, 404, 403, 502, 404]));
  assert.deepEqual((await asOther('GET', '/traffic/requests')).json.requests, []);
});

test('pages follow one another to the oldest entry', async () => {
  await world.platform.agent(['http', String(upstream.port), '--domain', 'pages.underpass.localhost']);
  const label = 'pages';
  for (let index = 0; index < 5; index += 1) assert.equal(await visit(label, `/gone/${index}`), 404);
  const paths = (page: Answer): readonly string[] =>
    page.json.requests
      .filter(({ host }: { host: string }) => host.startsWith(label))
      .map(({ path }: { path: string }) => path);
  await eventually(async () => assert.equal(paths(await list()).length, 5));
  const first = await list('limit=3');
  assert.deepEqual(paths(first), ['/gone/4', '/gone/3', '/gone/2']);
  const next = await world.platform.visit(first.json.next_page_uri, {
    headers: { authorization: `Bearer ${world.platform.bootstrap.api_key}`, 'service-version': '2' },
  });
  assert.deepEqual(paths(next), ['/gone/1', '/gone/0']);
});

test('a filter selects entries, and the next page has it, too', async () => {
  await world.platform.agent(['http', String(upstream.port), '--domain', 'chosen.underpass.localhost']);
  for (let index = 0; index < 4; index += 1) await visit('chosen', `/gone/${index}`);
  const chosen = 'host = chosen.underpass.localhost and status_code = 404';
  const paths = ({ json }: Answer) => json.requests.map(({ path }: { path: string }) => path);
  const query = (filter: string) => `limit=2&filter=${encodeURIComponent(filter)}`;
  await eventually(async () => assert.deepEqual(paths(await list(query(chosen))), ['/gone/3', '/gone/2']));
  const { json } = await list(query(`${chosen} and path != "/gone/2"`));
  const { pathname, search } = new URL(json.next_page_uri);
  assert.deepEqual(paths(await list(search.slice(1), pathname)), ['/gone/0']);
  const refused = await list(query('decisions.module = ip_restriction and decisions.decision = block'));
  assert.deepEqual(paths(refused), ['/admin']);
});

test('wrong parameters are refused by name', async () => {
  for (const [query, code, field] of [
    ['before_id=tn_1', '_227', 'before_id'],
    ['before_id=req_1', '_60012', 'before_id'],
    ['limit=0', '_233', 'limit'],
    ['watch_seconds=3601', '_60', 'watch_seconds'],
    ['filter=colour%20%3D%20red', '_6093', 'filter'],
  ] as const) {
    const { status, json } = await world.platform.api('GET', `/traffic/requests?${query}`);
    assert.deepEqual([status, json.details.field], [400, field], query);
    assert.ok(json.error_code.includes(code), json.error_code);
  }
});

/**
 * Recordings of bodies: begun by a member for one edge or endpoint, listed, in the audit trail, and over in time.
 * Invariant: no other account records or reads them, and viewers read no body.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { JsonObject } from '../../packages/server/src/store/store.ts';
import { type Answer, eventually, Platform, startUpstream, type Upstream } from '../harness/index.ts';
import { httpsEdge, startTwoAccounts, type TwoAccounts } from './attacks.fixture.ts';

let world: TwoAccounts;
let upstream: Upstream;
const PATH = '/traffic/recordings';

before(async () => {
  [world, upstream] = await Promise.all([
    startTwoAccounts(),
    startUpstream((request, response) => {
      response.setHeader('content-type', 'application/json');
      request.on('data', () => {}).on('end', () => response.end('{"a":1}'));
    }),
  ]);
});
after(async () => {
  await world?.platform.stop();
  await upstream?.stop();
});

async function post(label: string, path: string, body: string): Promise<number> {
  const url = `https://${label}.underpass.localhost:${world.platform.port}${path}`;
  const options = { method: 'POST', headers: { 'content-type': 'text/plain' }, body };
  return (await world.platform.visit(url, options)).status;
}

/** Returns the newest entry of a path, with its bodies. */
async function entryOf(path: string): Promise<JsonObject> {
  const query = `watch_seconds=600&filter=${encodeURIComponent(`path = ${path}`)}`;
  const list = async () => (await world.platform.api('GET', `/traffic/requests?${query}`)).json.requests;
  await eventually(async () => assert.ok((await list()).length > 0));
  const [{ id }] = await list();
  return (await world.platform.api('GET', `/traffic/requests/${id}`)).json;
}

const codeOf = ({ status, json }: Answer) => `${status} ${String(json.error_code).replace(/^.*_/, '')}`;

test('bodies of one edge are recorded until its owner ends it, for members of the account only', async () => {
  const { platform, asOther } = world;
  const backend = await platform.api('POST', '/backends/http_response', { body: 'hello' });
  const edge = await httpsEdge(platform, 'office', backend.json.id);
  await httpsEdge(platform, 'silent', backend.json.id);
  const site_id = edge.split('/').at(-1)!;
  await entryOfNothing();

  assert.equal(codeOf(await asOther('POST', PATH, { site_id })), '404 60902');
  // Clients of some languages send a number that was not given as 0.
  const begun = await platform.api('POST', PATH, { site_id, minutes: 0 });
  assert.equal(begun.status, 200, begun.text);
  const { id, begun_at, ends_at, is_active, owner_id } = begun.json;
  assert.deepEqual([is_active, Date.parse(ends_at) - Date.parse(begun_at)], [true, 15 * 60_000]);
  assert.equal(codeOf(await platform.api('POST', PATH, { site_id, minutes: 5 })), '409 60903');
  assert.deepEqual((await platform.api('GET', PATH)).json.recordings, [begun.json]);

  assert.equal(await post('office', '/seen', 'from the visitor'), 200);
  assert.equal(await post('silent', '/silent', 'unseen'), 200);
  const seen = await entryOf('/seen');
  const shape = { encoding: 'utf8', content_encoding: '', is_truncated: false };
  assert.equal(seen.has_bodies, true);
  assert.deepEqual(seen.bodies, {
    recording_id: id,
    request: { ...shape, content: 'from the visitor', content_type: 'text/plain', size: 16 },
    response: { ...shape, content: 'hello', content_type: '', size: 5 },
  });
  assert.equal((await entryOf('/silent')).bodies, null);

  for (const [method, path] of [
    ['GET', `/traffic/requests/${seen.id}`],
    ['DELETE', `${PATH}/${id}`],
    ['DELETE', `${PATH}/${id}?discard=true`],
  ] as const)
    assert.equal((await asOther(method, path)).status, 404);
  assert.deepEqual((await asOther('GET', PATH)).json.recordings, []);
  const viewer = await viewerOf(platform);
  assert.equal((await viewer('POST', PATH, { site_id })).status, 403);
  assert.equal((await viewer('DELETE', `${PATH}/${id}`)).status, 403);
  const shown = (await viewer('GET', `/traffic/requests/${seen.id}`)).json;
  assert.deepEqual([shown.bodies, shown.has_bodies], [null, true]);

  assert.equal((await platform.api('DELETE', `${PATH}/${id}`)).status, 204);
  assert.equal((await platform.api('DELETE', `${PATH}/${id}`)).status, 204);
  assert.equal(await post('office', '/later', 'later'), 200);
  assert.equal((await entryOf('/later')).bodies, null);
  assert.notEqual((await entryOf('/seen')).bodies, null);
  const [ended] = (await platform.api('GET', PATH)).json.recordings;
  assert.deepEqual([ended.id, ended.is_active], [id, false]);
  const { changes } = (await platform.api('GET', `/changes?resource_id=${id}`)).json;
  assert.deepEqual(
    changes.map(({ kind, action, actor }: { kind: string; action: string; actor: JsonObject }) => [
      kind,
      action,
      actor.user_id,
    ]),
    [
      ['traffic_recording', 'deleted', owner_id],
      ['traffic_recording', 'created', owner_id],
    ],
  );
  await platform.api('DELETE', `${PATH}/${id}?discard=true`);
  assert.equal((await entryOf('/seen')).bodies, null);
  assert.deepEqual((await platform.api('GET', PATH)).json.recordings, []);

  // Bodies go with their edge.
  await platform.api('POST', PATH, { site_id });
  await post('office', '/gone', 'gone');
  assert.notEqual((await entryOf('/gone')).bodies, null);
  assert.equal((await platform.api('DELETE', edge)).status, 204);
  await eventually(async () => assert.equal((await entryOf('/gone')).bodies, null));
  assert.deepEqual((await platform.api('GET', PATH)).json.recordings, []);
});

test('requests at once begin one recording of a site, and no more than the limit of the account', async () => {
  const { platform } = world;
  const begin = async (site_id: string) => codeOf(await platform.api('POST', PATH, { site_id, minutes: 1 }));
  const sites: string[] = [];
  for (let count = 0; count < 24; count += 1)
    sites.push((await platform.api('POST', '/edges/https', {})).json.id);
  const [first = ''] = sites;
  const same = await Promise.all(Array.from({ length: 12 }, () => begin(first)));
  assert.deepEqual(same.sort(), ['200 undefined', ...Array<string>(11).fill('409 60903')]);
  const others = await Promise.all(sites.slice(1).map(begin));
  const refused = Array<string>(4).fill('409 60904');
  assert.deepEqual(others.sort(), [...Array<string>(19).fill('200 undefined'), ...refused]);
  const { recordings } = (await platform.api('GET', PATH)).json;
  assert.equal(recordings.length, 20);

  // An ended recording leaves its place to the next.
  assert.equal((await platform.api('DELETE', `${PATH}/${recordings[7].id}`)).status, 204);
  assert.equal(await begin(recordings[7].site_id), '200 undefined');
  for (const id of sites) assert.equal((await platform.api('DELETE', `/edges/https/${id}`)).status, 204);
});

test('bodies of an endpoint of an agent are recorded by its id', async () => {
  const { platform } = world;
  await platform.agent(['http', String(upstream.port), '--domain', 'shop.underpass.localhost']);
  const { endpoints } = (await platform.api('GET', '/endpoints')).json;
  const { id } = endpoints.find(({ host }: { host: string }) => host === 'shop.underpass.localhost');
  const begun = await platform.api('POST', PATH, { site_id: id, minutes: 1 });
  assert.equal(begun.status, 200, begun.text);
  await post('shop', '/agent', '\u0000binary');
  const { bodies } = await entryOf('/agent');
  const { request, response } = bodies as { request: JsonObject; response: JsonObject };
  assert.deepEqual(
    [request.encoding, request.content],
    ['base64', Buffer.from('\u0000binary').toString('base64')],
  );
  assert.deepEqual([response.content, response.content_type], ['{"a":1}', 'application/json']);
  assert.equal((await platform.api('DELETE', `${PATH}/${begun.json.id}`)).status, 204);
});

test('wrong values are refused by name, and the operator can forbid recordings', async () => {
  const { platform } = world;
  for (const [body, field] of [
    [{ minutes: 5 }, '/site_id'],
    [{ site_id: 'edghts_1' }, '/site_id'],
    [{ site_id: `ep_${'0'.repeat(27)}` }, '/site_id'],
    [{ site_id: `ep_${'0'.repeat(27)}`, minutes: 61 }, '/minutes'],
  ] as const) {
    const { status, json } = await platform.api('POST', PATH, body);
    assert.deepEqual(
      [status >= 400 && status < 500, json.details?.field],
      [true, field],
      JSON.stringify(body),
    );
  }
  const off = await Platform.start({ args: ['--body-recordings', 'off'] });
  try {
    const answer = await off.api('POST', PATH, { site_id: `ep_${'0'.repeat(27)}` });
    assert.equal(codeOf(answer), '409 60901');
  } finally {
    await off.stop();
  }
});

/** Nothing is listed yet, and all requests are from now on. */
async function entryOfNothing(): Promise<void> {
  assert.deepEqual(
    (await world.platform.api('GET', '/traffic/requests?watch_seconds=600')).json.requests,
    [],
  );
}

/** Returns a call with the key of a new viewer. */
async function viewerOf(platform: Platform) {
  const user = await platform.api('POST', '/users', { name: 'Vera', role: 'viewer' });
  const key = await platform.api('POST', '/api_keys', { owner_id: user.json.id });
  const authorization = `Bearer ${key.json.token}`;
  return (method: string, path: string, body?: unknown) =>
    platform.api(method, path, body, { authorization });
}

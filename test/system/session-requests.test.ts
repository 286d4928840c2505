/**
 * Requests of the API to a running agent.
 * Invariant: it keeps its public URL over a restart.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually, Platform, startUpstream, type Upstream } from '../harness/index.ts';

let platform: Platform;
let upstream: Upstream;

before(async () => {
  platform = await Platform.shared();
  upstream = await startUpstream((_request, response) => response.end('ok'));
});
after(async () => {
  await platform.stop();
  await upstream.stop();
});

/** The sessions of the account, by the public URL of their tunnel. */
async function sessionOf(url: string): Promise<string> {
  const { tunnels } = (await platform.api('GET', '/tunnels')).json;
  const tunnel = tunnels.find((one: { public_url: string }) => one.public_url === url);
  assert.ok(tunnel, `${url} is online`);
  return tunnel.tunnel_session.id;
}

test('restart gives a new session and the same public URL, whatever the body is', async () => {
  const { url, process } = await platform.agent(['http', String(upstream.port)]);
  const before = await sessionOf(url);
  const headers = { 'content-type': 'text/nonsense' };
  const answer = await platform.api('POST', `/tunnel_sessions/${before}/restart`, { not: ['read'] }, headers);
  assert.deepEqual([answer.status, answer.text], [204, '']);
  await eventually(async () => assert.notEqual(await sessionOf(url), before));
  assert.equal((await platform.visit(url)).text, 'ok');
  const gone = await platform.api('POST', `/tunnel_sessions/${before}/restart`, {});
  assert.deepEqual([gone.status, gone.json.error_code], [404, 'ERR_SERVICE_60000']);
  const { tunnel_sessions } = (await platform.api('GET', '/tunnel_sessions')).json;
  assert.equal(tunnel_sessions.length, 1, 'nothing is left of the former session');
  await process.stop();
});

test('stop ends the process of the agent cleanly, and it says why', async () => {
  const { url, process } = await platform.agent(['http', String(upstream.port)]);
  const answer = await platform.api('POST', `/tunnel_sessions/${await sessionOf(url)}/stop`);
  assert.equal(answer.status, 204);
  assert.deepEqual(await process.exited, { code: 0, signal: null });
  assert.match(process.output, /"event":"notice","message":"The service stopped this agent\."/);
  await eventually(async () => {
    const { tunnel_sessions } = (await platform.api('GET', '/tunnel_sessions')).json;
    assert.deepEqual(tunnel_sessions, []);
  });
});

test('update is refused with what the agent says, and the agent stays', async () => {
  const { url, process } = await platform.agent(['http', String(upstream.port)]);
  const answer = await platform.api('POST', `/tunnel_sessions/${await sessionOf(url)}/update`, {});
  assert.deepEqual([answer.status, answer.json.error_code], [409, 'ERR_SERVICE_806']);
  assert.match(answer.json.msg, /this agent cannot update itself/);
  assert.equal((await platform.visit(url)).text, 'ok');
  await process.stop();
});

test('a bot user runs an agent until it is made inactive, and its key is refused from then on', async () => {
  const { json: bot } = await platform.api('POST', '/bot_users', { name: 'edge of the warehouse' });
  const own = { owner_id: bot.id };
  const { json: key } = await platform.api('POST', '/api_keys', own);
  const { json: credential } = await platform.api('POST', '/credentials', own);
  const asBot = { authorization: `Bearer ${key.token}` };
  const { process, url } = await platform.agent([
    'http',
    String(upstream.port),
    '--authtoken',
    credential.token,
  ]);
  assert.equal((await platform.visit(url)).text, 'ok');
  assert.equal((await platform.api('GET', '/tunnels', undefined, asBot)).status, 200);
  const refused = await platform.api('POST', '/bot_users', { name: 'another' }, asBot);
  assert.deepEqual([refused.status, refused.json.error_code], [403, 'ERR_SERVICE_4111']);

  assert.equal((await platform.api('PATCH', `/bot_users/${bot.id}`, { active: false })).status, 200);
  const { status, json } = await platform.api('GET', '/tunnels', undefined, asBot);
  assert.deepEqual([status, json.error_code], [403, 'ERR_SERVICE_60140']);
  assert.equal((await platform.visit(url)).status, 404, 'from the moment that the change was answered');
  assert.equal((await process.exited).code, 1);
  assert.match(process.output, /ERR_SERVICE_60141/);

  const inUse = await platform.api('DELETE', `/bot_users/${bot.id}`);
  assert.deepEqual([inUse.status, inUse.json.error_code], [409, 'ERR_SERVICE_60615']);
  assert.deepEqual(inUse.json.details.used_by.split(/, ?/).sort(), [key.id, credential.id].sort());
  for (const owned of [`/api_keys/${key.id}`, `/credentials/${credential.id}`, `/bot_users/${bot.id}`])
    assert.equal((await platform.api('DELETE', owned)).status, 204, owned);
});

test('the first user is an admin whom nobody can demote while they are the last one', async () => {
  const { user_id } = platform.bootstrap;
  const { json: first } = await platform.api('GET', `/users/${user_id}`);
  assert.deepEqual([first.name, first.role, first.active], ['Administrator', 'admin', true]);
  const last = await platform.api('PATCH', `/users/${user_id}`, { role: 'member' });
  assert.deepEqual([last.status, last.json.error_code], [409, 'ERR_SERVICE_60622']);
  const { json: second } = await platform.api('POST', '/users', { name: 'Second', role: 'admin' });
  const { json: key } = await platform.api('POST', '/api_keys', { owner_id: second.id });
  const asSecond = { authorization: `Bearer ${key.token}` };
  const demoted = await platform.api('PATCH', `/users/${user_id}`, { role: 'member' }, asSecond);
  assert.equal(demoted.status, 200);
  const refused = await platform.api('PATCH', `/users/${second.id}`, { role: 'member' });
  assert.deepEqual([refused.status, refused.json.error_code], [403, 'ERR_SERVICE_60616']);
  assert.equal((await platform.api('PATCH', `/users/${user_id}`, { role: 'admin' }, asSecond)).status, 200);
});

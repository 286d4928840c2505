/** `underpass api` with names in place of ids, and its tables. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Platform } from '../harness/index.ts';
import { rowsOf } from '../harness/property-runs.ts';
import { ApiCommand } from './api-command.fixture.ts';

let platform: Platform;
let api: ApiCommand;

before(async () => {
  platform = await Platform.shared();
  api = new ApiCommand(platform);
});
after(async () => {
  await platform.stop();
  api[Symbol.dispose]();
});

test('names stand for ids in arguments, fields, inner fields and keys', async () => {
  const domain = await api.json('reserved-domains', 'create', '--name', 'named', '--description', 'a domain');
  for (const name of ['named', 'named.underpass.localhost', 'NAMED.underpass.localhost', 'a domain'])
    assert.equal((await api.json('reserved-domains', 'get', name)).id, domain.id, name);
  const group = await api.json('tunnel-group-backends', 'create', '--labels', 'app=named', '--labels', 'b=c');
  const gone = await api.json(
    'http-response-backends',
    'create',
    '--description',
    'gone',
    '--status-code',
    '410',
  );
  const office = await api.json('ip-policies', 'create', '--description', 'office');
  const backend = '{"backend_id":"b=c,app=named"}';
  const host = 'named.underpass.localhost';
  const edge = await api.json('tls-edges', 'create', '--hostports', `${host}:443`, '--backend', backend);
  assert.equal(edge.backend.backend.id, group.id);
  const restriction = await api.json('tls-edges', 'put-ip-restriction', host, '--ip-policy-ids', 'office');
  assert.equal(restriction.ip_policies[0].id, office.id);
  const fallback = ['--backends', 'app=named,b=c', '--backends', 'gone'];
  const failover = await api.json('failover-backends', 'create', ...fallback);
  assert.deepEqual(failover.backends, [group.id, gone.id]);
  const weighted = await api.json(
    'weighted-backends',
    'create',
    '--backends',
    '{"gone":3,"app=named,b=c":1}',
  );
  assert.deepEqual(weighted.backends, { [gone.id]: 3, [group.id]: 1 });
  await api.json('tls-edges', 'update', host, '--description', 'changed');
  assert.equal((await platform.api('GET', `/edges/tls/${edge.id}`)).json.description, 'changed');

  const table = await api.text('tls-edges', 'list');
  assert.match(table, /^ID +HOSTPORTS +BACKEND +DESCRIPTION +AGE$/m);
  assert.match(table, /:443 +tunnels app=named,b=c +changed +\d+[sm]$/m);
  await api.text('tls-edges', 'delete', host);
  assert.equal((await platform.api('GET', `/edges/tls/${edge.id}`)).status, 404);
  await api.text('reserved-domains', 'delete', 'named');
  assert.equal((await platform.api('GET', `/reserved_domains/${domain.id}`)).status, 404);
});

test('routes are named within their edge, and lists of HTTPS edges show where each leads', async () => {
  const domain = await api.json('reserved-domains', 'create', '--name', 'routes');
  const edge = await api.json('https-edges', 'create', '--hostports', `${domain.domain}:443`);
  await api.json('static-backends', 'create', '--address', 'origin.example.com:8443');
  await api.json('http-response-backends', 'create', '--description', 'late', '--status-code', '503');
  await api.json(
    'failover-backends',
    'create',
    '--description',
    'both',
    '--backends',
    'origin.example.com:8443',
    '--backends',
    'late',
  );
  const create = ['https-edge-routes', 'create', domain.domain, '--match-type'];
  const route = await api.json(
    ...create,
    'path_prefix',
    '--match',
    '/',
    '--backend',
    '{"backend_id":"both"}',
  );
  assert.deepEqual(await api.json('https-edge-routes', 'get', domain.domain, '/'), route);
  const off = '{"backend_id":"late","enabled":false}';
  await api.json(...create, 'exact_path', '--match', '/off', '--backend', off);
  const line = /^edghts_\S+ +routes\S+ +(.*) +\d+[sm]$/m.exec(await api.text('https-edges', 'list'))?.[1];
  assert.match(line ?? '', /\/\* to failover \(static origin\.example\.com:8443, response 503\)/);
  assert.match(line ?? '', /\/off to response 503 \(off\)/);
  await api.text('https-edge-routes', 'delete', domain.domain, '/off');
  const { routes } = await api.json('https-edges', 'get', edge.id);
  assert.equal(routes.length, 1);
});

test('a name of several resources is refused with their ids, and an unknown one with what is near', async () => {
  const twins = [];
  for (let count = 0; count < 2; count++)
    twins.push(await api.json('ip-policies', 'create', '--description', 'twins'));
  const ambiguous = await api.run(['ip-policies', 'delete', 'twins']);
  assert.deepEqual([ambiguous.code, ambiguous.out], [1, '']);
  for (const { id } of twins) {
    assert.match(ambiguous.err, new RegExp(`^ {2}${id} {2}ip-policies {2}twins$`, 'm'));
    assert.equal((await platform.api('GET', `/ip_policies/${id}`)).status, 200);
  }
  const inField = await api.run([
    'ip-policy-rules',
    'create',
    '--cidr',
    '::/0',
    '--action',
    'deny',
    '--ip-policy-id',
    'twins',
  ]);
  assert.match(inField.err, /^underpass: ip_policy_id: "twins" names 2 resources/);
  const near = await api.run(['ip-policies', 'get', 'twisn']);
  assert.deepEqual(
    [near.code, /There is no IP policy "twisn"\. Did you mean "twins"\?/.test(near.err)],
    [1, true],
  );
  const none = await api.run(['credentials', 'get', 'nothing like it']);
  assert.match(none.err, /There is no tunnel credential .*Give its id, or its description/);
});

test('mistyped resources, verbs and flags are answered with what was meant', async () => {
  for (const [args, message] of rowsOf([
    [['domain', 'list'], /There is no resource "domain" here\. Did you mean "reserved-domains"\?/],
    [['domian', 'list', '--json'], /Did you mean "reserved-domains"\?/],
    [['ip_policy', 'get', 'office'], /Did you mean "ip-policies"\?/],
    [['edges'], /Did you mean "tls-edges" or "https-edges" or .*"tcp-edges"\?/],
    [['tls-edges', 'lits'], /There is no verb "lits" here\. Did you mean "list"\?/],
    [['tls-edges', 'list', '--jsno'], /unknown option '--jsno'\n\(Did you mean --json\?\)/],
    [['something'], /There is no resource "something" here\. Give one of: http-response-backends, /],
  ] as const)) {
    const { code, out, err } = await api.run(args);
    assert.deepEqual([code, out], [2, ''], err);
    assert.match(err, message);
  }
});

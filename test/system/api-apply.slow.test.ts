/** `underpass api apply`: documents become resources, once. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Platform } from '../harness/index.ts';
import { missingPrograms } from '../harness/missing.ts';
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

function file(name: string, text: string): string {
  writeFileSync(join(api.folder, name), text);
  return name;
}

async function apply(name: string, ...more: string[]) {
  return api.run(['apply', '-f', name, '--yes', ...more]);
}

/** Documents in an order in which they cannot be created. */
const SHOP = `
kind: https-edge-route
edge_id: shop.underpass.localhost
match_type: path_prefix
match: /
backend: {backend_id: the shop or nothing}
ip_restriction: {ip_policy_ids: [the office]}
request_headers: {add: {X-Shop: "1"}, remove: [X-Other]}
compression: {}
oidc: {issuer: https://accounts.example.com, client_id: shop, client_secret: hidden-text}
---
kind: https_edge
hostports: [Shop.underpass.localhost:443]
---
kind: failover-backends
description: the shop or nothing
backends: [app=shop, closed]
---
- {kind: ip-policy-rule, ip_policy_id: the office, cidr: 10.0.0.0/8, action: allow}
- {kind: ip-policy, description: the office}
---
kind: http-response-backend
description: closed
status_code: 0
body: ""
headers: {Retry-After: "60"}
---
{"kind": "tunnelGroupBackends", "labels": {"app": "shop"}}
---
kind: reserved-domain
name: shop
---
kind: credential
description: the laptop
acl: ["bind:shop.underpass.localhost"]
`;

test('documents become resources in the order of their references, and are unchanged the second time', async () => {
  const shop = file('shop.yaml', SHOP);
  const dry = await api.run(['apply', '-f', shop, '--dry-run']);
  assert.deepEqual([dry.code, dry.err], [0, '']);
  assert.match(dry.out, /^9 to create, 0 to change, 0 unchanged\.$/m);
  assert.deepEqual(await api.json('reserved-domains', 'list'), []);

  const unasked = await api.run(['apply', '-f', shop]);
  assert.equal(unasked.code, 2);
  assert.match(unasked.err, /Nothing was changed: .*--yes/);

  const first = await apply(shop);
  assert.deepEqual([first.code, first.err], [0, '']);
  assert.equal(first.out.match(/^created /gm)?.length, 9);
  assert.match(first.out, /^created credentials "the laptop" \(cr_\w+\), token \w+ \(shown only now\)$/m);
  assert.doesNotMatch(dry.out + first.out, /hidden-text/);
  const [edge] = await api.json('https-edges', 'list');
  assert.deepEqual(edge.hostports, ['shop.underpass.localhost:443']);
  assert.equal(edge.routes[0].oidc.client_id, 'shop');
  assert.equal((await api.json('http-response-backends', 'get', 'closed')).status_code, 200);

  const second = await apply(shop);
  assert.deepEqual([second.code, second.err], [0, '']);
  assert.match(second.out, /^0 to create, 0 to change, 9 unchanged\.$/m);
  assert.match(second.out, /^ {4}oidc\.client_secret: secret, not compared/m);
  const [same] = await api.json('https-edges', 'list');
  assert.deepEqual(same, edge);
});

/** Spelt and left out in ways that the API stores otherwise. */
const MORE = `
- {kind: static-backend, address: "Origin.Example.com:8443", tls: {enabled: true}}
- {kind: weighted-backend, description: weighted, backends: {"origin.example.com:8443": 3}}
- kind: endpoint-configuration
  description: configuration
  type: https
  circuit_breaker: {error_threshold_percentage: 0.5}
  tls_termination: {terminate_at: edge, min_version: "1.2"}
  user_agent_filter: {deny: ["curl.*"]}
  compression: {enabled: false}
  oauth: {provider: {google: {client_id: a, client_secret: hidden-text, email_domains: [example.com]}}}
- {kind: reserved-domain, name: More, region: eu, https_endpoint_configuration_id: configuration, resolves_to: [{value: eu}]}
- {kind: reserved-addr, description: address}
- {kind: user, name: Ann, email: Ann@Example.com}
- {kind: bot-user, name: Robot}
- {kind: api-key, description: key of the robot, owner_id: Robot}
- {kind: ip-restriction, description: restriction, type: agent, enforced: false, ip_policy_ids: [policy of it]}
- {kind: ip-policy, description: policy of it}
- {kind: ssh-certificate-authority, description: authority, private_key_type: ed25519}
- {kind: event-destination, description: destination, format: json, target: {monitoring: {api_key: hidden-text, tags: "a:b"}}}
- {kind: event-subscription, description: subscription, sources: [{type: ip_policy_created.v0}, {type: api_key_created.v0}], destination_ids: [destination]}
`;

test('other kinds, and values in other spellings, are unchanged the second time, too', async () => {
  const first = await apply(file('more.yaml', MORE));
  assert.deepEqual([first.code, first.err], [0, '']);
  const second = await apply('more.yaml');
  assert.deepEqual([second.code, second.err], [0, '']);
  assert.match(second.out, /^0 to create, 0 to change, 13 unchanged\.$/m);
  assert.doesNotMatch(first.out + second.out, /hidden-text/);
});

test('a change shows what was and what will be, and null takes a module off', async () => {
  const before = 'kind: ip-policy\ndescription: changing\nmetadata: old\n---\n';
  const edge = 'kind: tls-edge\ndescription: changing edge\n';
  assert.equal(
    (await apply(file('a.yaml', `${before}${edge}ip_restriction: {ip_policy_ids: [changing]}\n`))).code,
    0,
  );
  const after = `${before.replace('old', 'new')}${edge}ip_restriction: null\n`;
  const changed = await apply(file('a.yaml', after));
  assert.equal(changed.code, 0, changed.err);
  assert.match(changed.out, /^~ change ip-policies "changing" \(ipp_\w+\)\n {4}metadata: "old" -> "new"$/m);
  assert.match(changed.out, /^~ change tls-edges .*\n {4}ip_restriction: is taken off$/m);
  assert.equal((await api.json('ip-policies', 'get', 'changing')).metadata, 'new');
  assert.equal((await api.json('tls-edges', 'get', 'changing edge')).ip_restriction, null);
  assert.match((await apply('a.yaml')).out, /^0 to create, 0 to change, 2 unchanged\.$/m);
});

test('an id finds a resource whose names change, also in JSON from stdin', async () => {
  const { id } = await api.json('ip-policies', 'create', '--description', 'before');
  const input = JSON.stringify([{ id, description: 'after' }]);
  const { code, err } = await api.run(['apply', '-f', '-', '--yes'], { input });
  assert.equal(code, 0, err);
  assert.equal((await api.json('ip-policies', 'get', 'after')).id, id);
  const gone = JSON.stringify({ id: 'ipp_000000000000000000000000000', description: 'x' });
  const missing = await api.run(['apply', '-f', '-', '--yes'], { input: gone });
  assert.deepEqual(
    [missing.code, /^underpass: stdin, document 1 \(line 1\): "id": there is no/.test(missing.err)],
    [1, true],
  );
});

test('mistakes are found before anything is sent, and named by file, document and field', async () => {
  for (const [text, message] of rowsOf([
    [
      'kind: ip-policy\ndescripton: x',
      /m\.yaml, document 1 \(line 1\): "descripton" is unknown\. Did you mean "description"\?/,
    ],
    [
      'kind: ip-policy\ndescription: x\n---\nkind: tls-edge\nbackend: {backend: x}',
      /document 2 \(line 4\): "backend\.backend" is unknown/,
    ],
    ['kind: domain\nname: x', /"kind": "domain" is no kind .*Did you mean "reserved-domains"\?/],
    ['description: x', /"kind" is missing/],
    ['kind: tunnel', /"kind": "tunnel" is no kind that can be applied/],
    [
      'kind: tls-edge\ntls_termination: {min_version: 1.2}',
      /"tls_termination\.min_version" must be a text\. Put it in quotes/,
    ],
    ['kind: ip-policy\n a: b: c', /m\.yaml:\d+ is not valid YAML or JSON/],
    ['kind: https-edge-route\nmatch: /', /"edge_id" is missing/],
    ['', /m\.yaml has no document/],
    ['just text', /it is no mapping/],
    ['{kind: ip-policy, description: *nowhere}', /m\.yaml:1/],
  ] as const)) {
    const { code, out, err } = await apply(file('m.yaml', text));
    assert.deepEqual([code, out], [2, ''], `${text}: ${err}`);
    assert.match(err, message);
  }
  for (const [text, message] of rowsOf([
    [
      'kind: ip-policy\nmetadata: x',
      /document 1 .*the document does not identify its resource\. Give one of: id, description/,
    ],
    [
      'kind: ip-policy-rule\ncidr: ::/0\naction: deny\nip_policy_id: nowhere',
      /ip_policy_id: There is no IP policy "nowhere"/,
    ],
    [
      'kind: ip-policy\ndescription: t\n---\nkind: ip-policy\ndescription: t',
      /document 2 .*same resource as m\.yaml, document 1/,
    ],
  ] as const)) {
    const { code, out, err } = await apply(file('m.yaml', text));
    assert.deepEqual([code, out], [1, ''], `${text}: ${err}`);
    assert.match(err, message);
  }
});

test('two resources of one name, and a change that cannot be made, stop it before anything is changed', async () => {
  for (let count = 0; count < 2; count++) await api.json('ip-policies', 'create', '--description', 'twin');
  const twins = await apply(file('t.yaml', 'kind: ip-policy\ndescription: twin\nmetadata: x'));
  assert.deepEqual([twins.code, /"twin" names 2 resources\. Give the id/.test(twins.err)], [1, true]);
  const user = 'kind: endpoint-configuration\ndescription: fixed\ntype: ';
  assert.equal((await apply(file('f.yaml', `${user}http`))).code, 0);
  const fixed = await apply(file('f.yaml', `${user}https`));
  assert.deepEqual([fixed.code, fixed.out], [1, '']);
  assert.match(fixed.err, /f\.yaml, document 1 .*"type" cannot be changed from "http"/);
});

test('a refusal in the middle lists what was made and what was not, and the rest is made later', async () => {
  const good = 'kind: ip-policy\ndescription: made\n---\n';
  const bad = 'kind: ip-policy-rule\nip_policy_id: made\naction: allow\ncidr: 10.0.0.1/8\n---\n';
  const last = 'kind: credential\ndescription: never reached\n';
  const { code, out, err } = await apply(file('half.yaml', `${good}${bad}${last}`));
  assert.equal(code, 1);
  assert.match(out, /^created ip-policies "made"/m);
  assert.match(
    err,
    /field: \/cidr\n[\s\S]*in half\.yaml, document 2 \(line 4\)\n1 of 3 changes were made\. Not made:\n {2}ip-policy-rules .*\n {2}credentials "never reached"/,
  );
  const mended = await apply(file('half.yaml', `${good}${bad.replace('.1/8', '.0/8')}${last}`));
  assert.equal(mended.code, 0, mended.err);
  assert.match(mended.out, /^2 to create, 0 to change, 1 unchanged\.$/m);
});

test('on a terminal the difference is shown first, and the answer decides', {
  skip: missingPrograms('script'),
}, async (t) => {
  file('asked.yaml', 'kind: ip-policy\ndescription: asked\n');
  for (const [answer, code] of [
    ['n', 1],
    ['y', 0],
  ] as const) {
    const terminal = api.onTerminal('apply -f asked.yaml');
    t.after(() => terminal.stop('SIGKILL'));
    await terminal.text(/1 to create[\s\S]*Make these changes\? \[y\/N\]/);
    terminal.type(`${answer}\r`);
    assert.equal((await terminal.exited).code, code, terminal.output);
    assert.equal((await api.run(['ip-policies', 'get', 'asked'])).code, code);
  }
});

test('what another request changed or deleted after the plan was shown is not overwritten', {
  skip: missingPrograms('script'),
}, async (t) => {
  const whole =
    'kind: ip-policy\ndescription: first\nmetadata: a\n---\nkind: tls-edge\ndescription: second\nmetadata: a\nip_restriction: {ip_policy_ids: [first]}\n';
  assert.equal((await apply(file('raced.yaml', whole))).code, 0);
  file('raced.yaml', whole.replaceAll('metadata: a', 'metadata: b').replace(/\{.*\}/, 'null'));
  const confirmedAfter = async (...other: string[]) => {
    const terminal = api.onTerminal('apply -f raced.yaml');
    t.after(() => terminal.stop('SIGKILL'));
    await terminal.text(/Make these changes\? \[y\/N\]/);
    await api.text(...other);
    terminal.type('y\r');
    assert.equal((await terminal.exited).code, 1, terminal.output);
    return terminal.output.replaceAll('\r', '');
  };

  const changed = await confirmedAfter('tls-edges', 'update', 'second', '--metadata', 'theirs');
  assert.match(changed, /^changed ip-policies "first"/m);
  assert.match(
    changed,
    /^underpass: Another request changed tls-edges "second" \(edgtls_\w+\) after the plan was shown\. Nothing of it was changed here\.\n {2}in raced\.yaml, document 2 .*\n1 of 2 changes were made\. Not made:\n {2}tls-edges .*\nApply again: /m,
  );
  const edge = await api.json('tls-edges', 'get', 'second');
  assert.deepEqual([edge.metadata, edge.ip_restriction.ip_policies.length], ['theirs', 1]);

  const deleted = await confirmedAfter('tls-edges', 'delete', 'second');
  assert.match(deleted, /^underpass: Another request deleted tls-edges "second" .*\n.*\n0 of 1 changes/m);
  assert.match((await apply('raced.yaml')).out, /^1 to create, 0 to change, 1 unchanged\.$/m);
});

test('a change that writes another resource of the plan again does not stop the plan', async () => {
  const [robin, alex] = [
    await api.json('users', 'create', '--name', 'Robin', '--email', 'robin@example.com', '--role', 'admin'),
    await api.json('users', 'create', '--name', 'Alex', '--email', 'alex@example.com', '--role', 'admin'),
  ];
  // An admin that stays is written again with the change of one that goes.
  const users = [
    { id: alex.id, role: 'member' },
    { id: robin.id, name: 'Robin the second' },
  ];
  const { code, err } = await apply(file('users.json', JSON.stringify(users)));
  assert.deepEqual([code, err], [0, '']);
  assert.equal((await api.json('users', 'get', robin.id)).name, 'Robin the second');
});

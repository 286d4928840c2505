/** Names that are served only after a proof in DNS. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { NameServer } from '../../packages/server/src/dns/name-server.fixture.ts';
import type { Answer } from '../harness/index.ts';
import { startTwoAccounts, type TwoAccounts } from './attacks.fixture.ts';

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

let accounts: TwoAccounts;
let names: NameServer;
let asFirst: Call;

before(async () => {
  names = await NameServer.start();
  accounts = await startTwoAccounts({ args: ['--require-domain-proof', '--dns-resolver', names.address] });
  asFirst = (...call) => accounts.platform.api(...call);
});
after(async () => {
  await accounts.platform.stop();
  names.close();
});

/** Reserves the name and has an edge answer there. */
async function serve(as: Call, name: string, text: string) {
  const domain = await as('POST', '/reserved_domains', { domain: name });
  assert.equal(domain.status, 201, domain.text);
  const backend = await as('POST', '/backends/http_response', { body: text });
  const edge = await as('POST', '/edges/tls', {
    hostports: [`${name}:443`],
    backend: { backend_id: backend.json.id },
    tls_termination: { terminate_at: 'edge' },
  });
  assert.equal(edge.status, 201, edge.text);
  return { domain: domain.json, edge: edge.json };
}

async function proofOf(as: Call, id: string) {
  const { status, json, text } = await as('GET', `/reserved_domains/${id}/proof`);
  assert.equal(status, 200, text);
  return json;
}

async function visited(name: string): Promise<string> {
  const { status, text, headers } = await accounts.platform.visit(name);
  return status === 200 ? text : `${status} ${headers['underpass-error-code']}`;
}

const notProven = '404 ERR_SERVICE_60670';

test('a custom name serves nothing until it is an alias of its target, and then at once', async () => {
  const { domain } = await serve(asFirst, 'www.example.com', 'served');
  assert.equal(await visited('www.example.com'), notProven);
  const proof = await proofOf(asFirst, domain.id);
  assert.equal(proof.required, true);
  assert.equal(proof.proven_by, null);
  const [alias, text] = proof.records;
  assert.deepEqual(alias, { name: 'www.example.com', type: 'CNAME', value: domain.cname_target });
  assert.equal(text.name, '_underpass.www.example.com');
  assert.match(text.value, /^underpass-domain=[0-9a-f]{32}$/);
  assert.match(proof.message, /^www.example.com has no CNAME record; it should have/);

  names.set(alias.name, 'CNAME', alias.value);
  assert.equal((await proofOf(asFirst, domain.id)).proven_by, 'alias');
  assert.equal(await visited('www.example.com'), 'served');
});

test('what still leads to the target of a former owner is not served to whoever reserves the name next', async () => {
  const { domain, edge } = await serve(asFirst, 'left.example.com', 'of the first');
  const target = domain.cname_target;
  names.set(target, 'A', '192.0.2.1');
  names.set('left.example.com', 'CNAME', target);
  await proofOf(asFirst, domain.id);
  assert.equal(await visited('left.example.com'), 'of the first');
  assert.equal((await asFirst('DELETE', `/edges/tls/${edge.id}`)).status, 204);
  assert.equal((await asFirst('DELETE', `/reserved_domains/${domain.id}`)).status, 204);

  const taken = await serve(accounts.asOther, 'left.example.com', 'of the second');
  names.set(taken.domain.cname_target, 'A', '192.0.2.1');
  const proof = await proofOf(accounts.asOther, taken.domain.id);
  assert.equal(proof.proven_by, null);
  assert.match(proof.message, new RegExp(`^the CNAME record of left.example.com leads to ${target}; `));
  assert.equal(await visited('left.example.com'), notProven);

  names.set('_underpass.left.example.com', 'TXT', proof.records[1].value);
  assert.equal((await proofOf(accounts.asOther, taken.domain.id)).proven_by, 'text');
  assert.equal(await visited('left.example.com'), 'of the second');
});

test('a name that is served by its addresses is out of service once a text names another account', async () => {
  const { domain } = await serve(asFirst, 'apex.example', 'served');
  names.set(domain.cname_target, 'A', '192.0.2.1');
  names.set('apex.example', 'A', '192.0.2.1');
  assert.equal((await proofOf(asFirst, domain.id)).proven_by, 'addresses');
  assert.equal(await visited('apex.example'), 'served');
  const other = await accounts.asOther('POST', '/reserved_domains', { domain: 'other.example' });
  const [, text] = (await proofOf(accounts.asOther, other.json.id)).records;
  names.set('_underpass.apex.example', 'TXT', text.value);
  const proof = await proofOf(asFirst, domain.id);
  assert.equal(proof.proven_by, null);
  assert.match(proof.message, /the TXT record of _underpass.apex.example names another account$/);
  assert.equal(await visited('apex.example'), notProven);
});

test('a wildcard is proven by the alias of its challenges, also for agents below it, and is remembered over a restart', async () => {
  const { json } = await asFirst('POST', '/reserved_domains', { domain: '*.wild.example' });
  const [alias] = (await proofOf(asFirst, json.id)).records;
  assert.deepEqual(alias, {
    name: '_acme-challenge.wild.example',
    type: 'CNAME',
    value: json.acme_challenge_cname_target,
  });
  assert.equal(await visited('a.wild.example'), notProven);
  names.set(alias.name, 'CNAME', alias.value);
  assert.equal((await proofOf(asFirst, json.id)).proven_by, 'alias');
  assert.equal(await visited('a.wild.example'), '404 ERR_SERVICE_3200');
  names.set(alias.name, 'CNAME');
  await accounts.platform.restart();
  assert.equal(await visited('a.wild.example'), '404 ERR_SERVICE_3200');
});

test('names below the shared domain need no proof, and nobody sees that of another account', async () => {
  const { domain } = await serve(asFirst, 'own.underpass.localhost', 'served');
  assert.equal(await visited('own.underpass.localhost'), 'served');
  assert.deepEqual(await proofOf(asFirst, domain.id), {
    required: false,
    proven_by: null,
    records: [],
    message: 'the name is below the shared domain',
  });
  const { status } = await accounts.asOther('GET', `/reserved_domains/${domain.id}/proof`);
  assert.equal(status, 404);
});

test('a check names the records that are there and those that are missing', async () => {
  const { status, json: domain } = await asFirst('POST', '/reserved_domains', {
    domain: 'checked.example.com',
  });
  assert.equal(status, 201);
  const check = async (as: Call = asFirst) => as('POST', `/reserved_domains/${domain.id}/check`);
  const states = async () => {
    const { json, text } = await check();
    const records = json.records as {
      readonly type: string;
      readonly state: string;
      readonly found: string[];
    }[];
    assert.ok(records, text);
    return [json.leads_here, ...records.map((one) => [one.type, one.state, ...one.found].join(' '))];
  };
  assert.deepEqual(await states(), [false, 'CNAME missing', 'TXT missing']);
  names.set('checked.example.com', 'CNAME', 'elsewhere.example.net');
  names.set('_underpass.checked.example.com', 'TXT', 'something else');
  assert.deepEqual(await states(), [
    ...[false, 'CNAME wrong elsewhere.example.net', 'TXT wrong something else'],
  ]);
  names.set('checked.example.com', 'CNAME', String(domain.cname_target));
  assert.deepEqual(await states(), [
    ...[true, `CNAME right ${domain.cname_target}`, 'TXT wrong something else'],
  ]);
  assert.equal((await check(accounts.asOther)).status, 404);
});

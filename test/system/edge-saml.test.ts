/** Logins by SAML from outside: a daemon, visitors with cookies, and a provider that the test is. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SignedXml } from 'xml-crypto';
import {
  base64Of,
  idpMetadata,
  keyDescriptor,
  logout,
  post as postBinding,
  redirect,
  signOn,
} from '../../packages/server/src/pki/idp-metadata.fixture.ts';
import {
  answer,
  inForm,
  type LogoutParts,
  logoutXml,
  type ResponseParts,
  signed,
  signedQuery,
  stranger,
} from '../../packages/server/src/saml/provider.fixture.ts';
import { type Answer, eventually, Platform, startUpstream, type Upstream } from '../harness/index.ts';
import { partsFor, readMessage, type SamlResource, SamlVisitor } from './saml-visitor.fixture.ts';

const name = 'staff.underpass.localhost';
const bound = 'bound.underpass.localhost';
const groups = ['staff'];
let platform: Platform;
let upstream: Upstream;
let path: string;
let saml: SamlResource;

before(async () => {
  platform = await Platform.shared({ args: ['--allow-private', '127.0.0.0/8'] });
  upstream = await startUpstream((request, response) => {
    response.setHeader('set-cookie', 'theme=dark; Path=/');
    response.end(JSON.stringify({ path: request.url, headers: request.headers }));
  });
  await create('/reserved_domains', { name });
  const backend_id = await create('/backends/static', { address: `127.0.0.1:${upstream.port}` });
  const edge = await create('/edges/https', { hostports: [`${name}:443`] });
  const routes = `/edges/https/${edge}/routes`;
  const route = { match_type: 'path_prefix', backend: { backend_id } };
  await create(routes, { ...route, match: '/' });
  const request_headers = { add: { 'x-user': `$\{.saml.decision} $\{.saml.user.id}` } };
  path = `${routes}/${await create(routes, { ...route, match: '/staff', request_headers })}/saml`;
  saml = await configure();
});
after(async () => {
  await platform.stop();
  await upstream?.stop();
});

async function create(at: string, body: object): Promise<string> {
  const { status, json } = await platform.api('POST', at, body);
  assert.equal(status, 201, JSON.stringify(json));
  return json.id as string;
}

async function configure(changes: object = {}, at = path): Promise<SamlResource> {
  const body = { idp_metadata: idpMetadata(), authorized_groups: groups, ...changes };
  const { status, json } = await platform.api('PUT', at, body);
  assert.equal(status, 200, JSON.stringify(json));
  return json as SamlResource;
}

const urlOf = (target: string, host = name) => `https://${host}:${platform.port}${target}`;

/** Asserts that the response is a page with this code, and returns the log line of its request. */
async function refusal({
  status,
  text,
  headers,
}: Answer): Promise<{ status: number; code: string; check: string }> {
  const [request = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text) ?? [];
  assert.match(String(headers['content-type']), /^text\/html/);
  let check = '';
  await eventually(() => {
    const [line = ''] = new RegExp(`.*"request":"${request}".*"check":.*`).exec(platform.daemon.output) ?? [];
    check = (JSON.parse(line) as { check: string }).check;
  });
  return { status, code: /_(\d+)$/.exec(String(headers['underpass-error-code']))?.[1] ?? '', check };
}

test('who logs in gets the page that was wanted, and the backend reads who it is', async () => {
  const visitor = new SamlVisitor(platform);
  const page = await visitor.logIn(urlOf('/staff/rota?week=2'), saml, { groups });
  assert.equal(page.status, 200);
  const { path: seen, headers } = page.json;
  assert.equal(seen, '/staff/rota?week=2');
  assert.equal(headers['underpass-auth-user-id'], 'ada');
  assert.equal(headers['underpass-auth-user-email'], 'ada@example.com');
  assert.equal(headers['underpass-auth-user-groups'], 'staff');
  assert.equal(headers['x-user'], 'allow ada');
  assert.equal(headers.cookie, undefined);
  assert.equal((await visitor.open(urlOf('/staff'))).status, 200);
  const script = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
  assert.equal((await new SamlVisitor(platform).open(urlOf('/staff'), script)).status, 401);
  assert.equal((await new SamlVisitor(platform).open(urlOf('/staff'), { accept: '*/*' })).status, 302);
});

test('the backend reads each cookie of its own once, and what the owner takes away not at all', async () => {
  const visitor = new SamlVisitor(platform);
  await visitor.logIn(urlOf('/staff'), saml, { groups });
  const { headers } = (await visitor.open(urlOf('/staff'))).json;
  assert.equal(headers.cookie, 'theme=dark');
  const route = path.replace(/saml$/, 'request_headers');
  const { json: before } = await platform.api('GET', route);
  const remove = ['cookie', 'underpass-auth-user-email'];
  assert.equal((await platform.api('PUT', route, { ...before, remove })).status, 200);
  const edited = (await visitor.open(urlOf('/staff'))).json.headers;
  assert.equal(edited['underpass-auth-user-id'], 'ada');
  assert.deepEqual([edited.cookie, edited['underpass-auth-user-email']], [undefined, undefined]);
  await platform.api('PUT', route, before);
});

test('the request says what the module is configured to ask for', async () => {
  const { xml } = await new SamlVisitor(platform).ask(urlOf('/staff'), saml);
  assert.match(xml, new RegExp(`AssertionConsumerServiceURL="${saml.assertion_consumer_service_url}"`));
  assert.match(xml, /<samlp:NameIDPolicy AllowCreate="true" Format="[^"]*:persistent">/);
  assert.doesNotMatch(xml, /ForceAuthn/);
  const nameid_format = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
  await configure({ force_authn: true, nameid_format });
  const { xml: forced } = await new SamlVisitor(platform).ask(urlOf('/staff'), saml);
  assert.match(forced, /ForceAuthn="true"/);
  assert.match(forced, new RegExp(`Format="${nameid_format}"`));
  await configure();
});

test('metadata says where the service is and what it signs with', async () => {
  const { status, headers, text } = await platform.visit(saml.entity_id);
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'application/samlmetadata+xml');
  assert.match(text, new RegExp(`entityID="${saml.entity_id}"`));
  assert.match(text, new RegExp(`Location="${saml.assertion_consumer_service_url}"`));
  assert.match(text, /WantAssertionsSigned="true"/);
  assert.ok(text.includes(base64Of(saml.request_signing_certificate_pem).replace(/\s/g, '')));
});

test('who is in none of the groups is turned away, and let in when the groups are changed', async () => {
  const visitor = new SamlVisitor(platform);
  const page = await visitor.logIn(urlOf('/staff'), saml, { user: 'bob', groups: ['guests', 'Staff'] });
  assert.deepEqual(await refusal(page), { status: 403, code: '5312', check: 'user' });
  await configure({ authorized_groups: ['guests'] });
  assert.equal((await visitor.logIn(urlOf('/staff'), saml, { user: 'bob', groups: ['guests'] })).status, 200);
  await configure();
  assert.deepEqual(
    (await refusal(await visitor.open(urlOf('/staff')))).check,
    'user',
    'within a session, too',
  );
});

test('of a user with more groups than a cookie has room for, those that matter are kept', async () => {
  const many = Array.from({ length: 400 }, (_, index) => `group-${index}-${'x'.repeat(100)}`);
  const page = await new SamlVisitor(platform).logIn(urlOf('/staff'), saml, { groups: [...many, ...groups] });
  assert.equal(page.status, 200);
  assert.match(page.json.headers['underpass-auth-user-groups'], /^staff,group-0-/);
});

test('an assertion is good for one time, for one login, and in one browser', async () => {
  const visitor = new SamlVisitor(platform);
  const { id, relayState } = await visitor.ask(urlOf('/staff'), saml);
  const response = answer({ ...partsFor(saml), inResponseTo: id, groups });
  const back = await visitor.bring(saml, response, relayState);
  assert.equal(back.status, 303);
  const callback = String(back.headers.location);
  assert.doesNotMatch(callback, /ada/);
  const elsewhere = await new SamlVisitor(platform).open(callback);
  assert.deepEqual(await refusal(elsewhere), { status: 400, code: '60691', check: 'browser' });
  const replayed = await visitor.bring(saml, response, relayState);
  assert.deepEqual(await refusal(replayed), { status: 400, code: '60694', check: 'replay' });
  assert.equal((await visitor.follow(back)).status, 200);
  assert.equal((await refusal(await visitor.open(callback))).check, 'replay');
  const next = await visitor.ask(urlOf('/staff'), saml).catch(() => null);
  assert.equal(next, null, 'is logged in');
  const other = new SamlVisitor(platform);
  const begun = await other.ask(urlOf('/staff'), saml);
  const ofAnother = answer({ ...partsFor(saml), inResponseTo: id, groups });
  const refused = await refusal(await other.bring(saml, ofAnother, begun.relayState));
  assert.deepEqual(refused, { status: 403, code: '60692', check: 'in response to' });
  const mixed = new URL(callback);
  mixed.searchParams.set('state', begun.relayState);
  assert.equal((await refusal(await other.open(mixed.href))).check, 'answer');
});

test('what the provider did not sign, or signed for another service, is refused and logged', async () => {
  const visitor = new SamlVisitor(platform);
  const cases = [
    ['signature', {}, { key: stranger.key, certificate: stranger.leaf }],
    ['audience', { audience: `${saml.entity_id}x` }, {}],
    ['expired', { now: Date.now() - 3_600_000 }, {}],
  ] as const;
  for (const [check, parts, signing] of cases) {
    const { id, relayState } = await visitor.ask(urlOf('/staff'), saml);
    const response = answer({ ...partsFor(saml), inResponseTo: id, groups, ...parts }, signing);
    const refused = await refusal(await visitor.bring(saml, response, relayState));
    assert.deepEqual(refused, { status: 403, code: '60692', check });
  }
  const { relayState } = await visitor.ask(urlOf('/staff'), saml);
  assert.equal((await refusal(await visitor.bring(saml, '<x', relayState))).check, 'xml');
});

test('a login may begin at the provider and leads to the names of the edge alone', async () => {
  const begin = async (relayState: string) => {
    const visitor = new SamlVisitor(platform);
    return { visitor, back: await visitor.bring(saml, answer({ ...partsFor(saml), groups }), relayState) };
  };
  const { visitor, back } = await begin(urlOf('/staff/desk?a=b'));
  const page = await visitor.follow(back);
  assert.equal(page.json.path, '/staff/desk?a=b');
  const nowhere = await begin('');
  assert.equal((await nowhere.visitor.follow(nowhere.back)).json.path, '/staff', 'where the module stands');
  const desk = await begin('/staff/desk');
  assert.equal((await desk.visitor.follow(desk.back)).json.path, '/staff/desk', 'a path');
  const elsewhere = [
    '//evil.example.com/',
    'https://evil.example.com/',
    urlOf('/', 'api.underpass.localhost'),
    `http://${name}:${platform.port}/`,
    `https://${name}:1/`,
    `https://root@${name}:${platform.port}/`,
    `https://${name}.evil.example.com:${platform.port}/`,
  ];
  for (const url of elsewhere) {
    const refused = await refusal((await begin(url)).back);
    assert.deepEqual(refused, { status: 400, code: '5319', check: 'relay state' }, url);
  }
  await configure({ allow_idp_initiated: false });
  const refused = await refusal((await begin(urlOf('/staff'))).back);
  assert.deepEqual(refused, { status: 403, code: '5317', check: 'unsolicited' });
  await configure();
});

test('a session ends with the key that vouched for it, with the module, and not with another limit', async () => {
  const visitor = new SamlVisitor(platform);
  await visitor.logIn(urlOf('/staff'), saml, { groups });
  const isIn = async () => (await visitor.open(urlOf('/staff'), {})).status === 200;
  await configure({ maximum_duration: 3600, authorized_groups: ['staff', 'other'] });
  assert.equal(await isIn(), true);
  const both = `${keyDescriptor(base64Of(stranger.leaf))}${keyDescriptor()}`;
  await configure({ idp_metadata: idpMetadata({ keys: both }) });
  assert.equal(await isIn(), true, 'a key more');
  await configure({ idp_metadata: idpMetadata({ keys: keyDescriptor(base64Of(stranger.leaf)) }) });
  assert.equal(await isIn(), false, 'another key');
  await configure();
  assert.equal(await isIn(), true);
  await platform.api('DELETE', path);
  saml = await configure();
  assert.equal(await isIn(), false, 'another module');
});

test('strangers find nothing, and get an error', async () => {
  const at = saml.entity_id;
  const other = at.replace(/\w$/, (last) => (last === 'a' ? 'b' : 'a'));
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const ask = async (method: string, url: string, body?: string, headers: Record<string, string> = form) =>
    await platform.visit(url, { method, ...(body === undefined ? {} : { body, headers }) });
  assert.deepEqual(await refusal(await ask('GET', other)), { status: 404, code: '60720', check: 'module' });
  assert.equal((await refusal(await ask('POST', `${other}/acs`, 'a=b'))).code, '60720');
  assert.equal((await ask('GET', `${at}/acs`)).status, 405);
  assert.equal((await ask('GET', `${at}/nothing`)).status, 404);
  assert.equal((await refusal(await ask('POST', `${at}/acs`, 'a=b'))).code, '60723');
  assert.equal(
    (await refusal(await ask('POST', `${at}/acs`, '{}', { 'content-type': 'text/plain' }))).code,
    '60723',
  );
  assert.equal((await refusal(await ask('POST', `${at}/acs`, 'a'.repeat(300_000)))).code, '60724');
  const inPieces = await ask('POST', `${at}/acs`, `SAMLResponse=${'A'.repeat(200_000)}`);
  assert.equal((await refusal(inPieces)).check, 'size');
  await configure({ enabled: false });
  assert.equal((await ask('GET', at)).status, 200, 'the provider may be told beforehand');
  assert.equal((await refusal(await ask('POST', `${at}/acs`, 'SAMLResponse=x'))).code, '60720');
  await configure();
});

test('a provider that takes forms alone is sent one, signed in itself', async () => {
  const location = 'https://idp.example.com/sso?a=1&b=2';
  const services = signOn(location.replaceAll('&', '&amp;'), postBinding);
  await configure({ idp_metadata: idpMetadata({ services }) });
  const visitor = new SamlVisitor(platform);
  const { headers } = await visitor.open(urlOf('/staff'));
  assert.ok(String(headers.location).startsWith(`${saml.entity_id}/login?`));
  const { text, headers: fields } = await visitor.open(String(headers.location));
  assert.match(text, /<form method="post" action="https:\/\/idp\.example\.com\/sso\?a=1&amp;b=2">/);
  assert.match(String(fields['content-security-policy']), /script-src 'sha256-/);
  const value = (field: string): string =>
    new RegExp(`name="${field}" value="([^"]*)"`).exec(text)?.[1] ?? '';
  const xml = Buffer.from(value('SAMLRequest'), 'base64').toString();
  const [signature = ''] = /<ds:Signature.*<\/ds:Signature>/s.exec(xml) ?? [];
  const verifier = new SignedXml({ publicCert: saml.request_signing_certificate_pem });
  verifier.loadSignature(signature);
  assert.ok(verifier.checkSignature(xml));
  assert.equal(verifier.getSignedReferences().length, 1);
  const [, id = ''] = / ID="([^"]+)"/.exec(xml) ?? [];
  const response = answer({ ...partsFor(saml), inResponseTo: id, groups });
  assert.equal((await visitor.follow(await visitor.bring(saml, response, value('RelayState')))).status, 200);
  await configure();
});

test('an endpoint configuration has the users of a tunnel log in', async () => {
  const type = 'https';
  const { json } = await platform.api('POST', '/endpoint_configurations', {
    ...{ type, saml: { idp_metadata: idpMetadata(), authorized_groups: groups } },
  });
  const https_endpoint_configuration_id = json.id as string;
  const domain = await create('/reserved_domains', { name: bound });
  await platform.api('PATCH', `/reserved_domains/${domain}`, { https_endpoint_configuration_id });
  await platform.agent(['http', String(upstream.port), '--domain', bound]);
  const own = json.saml as SamlResource;
  const visitor = new SamlVisitor(platform);
  const page = await visitor.logIn(urlOf('/any', bound), own, { groups });
  assert.equal(page.json.headers['underpass-auth-user-id'], 'ada');
  const begun = new SamlVisitor(platform);
  const back = await begun.bring(own, answer({ ...partsFor(own), groups }), urlOf('/desk', bound));
  assert.equal((await begun.follow(back)).json.path, '/desk');
  const unnamed = await begun.bring(own, answer({ ...partsFor(own), groups }), '');
  assert.equal(unnamed.headers.location?.toString().startsWith(urlOf('/underpass/callback?', bound)), true);
  const foreign = await begun.bring(own, answer({ ...partsFor(own), groups }), urlOf('/staff'));
  assert.equal((await refusal(foreign)).code, '5319', 'that of another module');
  const { id, relayState } = await new SamlVisitor(platform).ask(urlOf('/staff'), saml);
  const crossed = answer({ ...partsFor(own), inResponseTo: id, groups });
  assert.equal((await refusal(await begun.bring(own, crossed, relayState))).check, 'state', 'its request');
  const late = await begun.ask(urlOf('/underpass/login', bound), own);
  await platform.api('PATCH', `/reserved_domains/${domain}`, { https_endpoint_configuration_id: '' });
  const answered = answer({ ...partsFor(own), inResponseTo: late.id, groups });
  assert.deepEqual(
    await refusal(await begun.bring(own, answered, late.relayState)),
    { status: 400, code: '5319', check: 'relay state' },
    'a name that the module has lost meanwhile',
  );
});

describe('single logout', () => {
  const location = 'https://idp.example.com/slo';
  const isIn = async (visitor: SamlVisitor) => (await visitor.open(urlOf('/staff'), {})).status === 200;
  const told = (changes: Partial<LogoutParts> = {}) =>
    logoutXml({ destination: saml.single_logout_url, now: Date.now(), id: `_${Math.random()}`, ...changes });
  /** Sends a form. */
  const post = async (xml: string, relayState = '') =>
    await platform.visit(saml.single_logout_url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ SAMLRequest: inForm(xml), RelayState: relayState }).toString(),
    });
  const configureLogout = (binding = redirect) =>
    configure({ idp_metadata: idpMetadata({ services: `${signOn()}${logout(location, binding)}` }) });
  before(async () => {
    await configureLogout();
  });
  after(async () => {
    await configure();
  });

  async function loggedIn(parts: Partial<ResponseParts> = {}): Promise<SamlVisitor> {
    const visitor = new SamlVisitor(platform);
    assert.equal((await visitor.logIn(urlOf('/staff'), saml, { groups, ...parts })).status, 200);
    return visitor;
  }

  test('who leaves here leaves at the provider, too, and comes back to a page that says so', async () => {
    const visitor = await loggedIn();
    const { status, headers } = await visitor.open(urlOf('/underpass/logout'));
    assert.equal(status, 302);
    const to = new URL(String(headers.location));
    assert.equal(to.origin + to.pathname, location);
    const { xml, relayState } = readMessage(to, saml.request_signing_certificate_pem);
    assert.match(xml, /^<samlp:LogoutRequest /);
    assert.match(xml, new RegExp(`SPNameQualifier="${saml.entity_id}">ada</saml:NameID>`));
    assert.match(xml, /<samlp:SessionIndex>_s1</);
    assert.equal(await isIn(visitor), false);
    const answered = new URLSearchParams({ SAMLResponse: 'eA==', RelayState: relayState });
    const back = await visitor.follow(await visitor.open(`${saml.single_logout_url}?${answered}`));
    assert.match(back.text, /You are logged out/);
    const strange = await visitor.open(
      `${saml.single_logout_url}?SAMLResponse=eA==&RelayState=https://evil.example.com`,
    );
    assert.deepEqual([strange.status, strange.headers.location], [200, undefined]);
  });

  test('who leaves at the provider leaves here, and the provider is told so', async () => {
    const visitor = await loggedIn();
    const other = await loggedIn({ user: 'grace' });
    const query = signedQuery(told({ sessions: ['_s1'] }), 'its own');
    const { status, headers } = await platform.visit(`${saml.single_logout_url}?${query}`);
    assert.equal(status, 303);
    const to = new URL(String(headers.location));
    const { xml: response, relayState } = readMessage(to, saml.request_signing_certificate_pem);
    assert.deepEqual([to.origin + to.pathname, relayState], [location, 'its own']);
    assert.match(response, /^<samlp:LogoutResponse /);
    assert.match(response, /InResponseTo="_0\.\d+"/);
    assert.match(response, /status:Success/);
    assert.equal(await isIn(visitor), false);
    assert.equal(await isIn(other), true, 'another user');
    const again = await loggedIn();
    const replayed = await platform.visit(`${saml.single_logout_url}?${query}`);
    assert.deepEqual(await refusal(replayed), { status: 400, code: '60694', check: 'replay' });
    assert.equal(await isIn(again), true, 'what came after');
    await post(signed(told({ sessions: ['_s2'] }), 'LogoutRequest'));
    assert.equal(await isIn(again), true, 'another session');
    await post(signed(told(), 'LogoutRequest'));
    assert.equal(await isIn(again), false, 'all sessions');
    const last = await loggedIn();
    const many = Array.from({ length: 9 }, (_, index) => `_other${index}`);
    await post(signed(told({ sessions: many }), 'LogoutRequest'));
    assert.equal(await isIn(last), false, 'more sessions than are ended by themselves');
  });

  test('sessions cannot be ended without a key of the provider', async () => {
    const visitor = await loggedIn();
    const strangers = { key: stranger.key, certificate: stranger.leaf };
    assert.equal((await refusal(await post(told()))).check, 'unsigned');
    assert.equal((await refusal(await post(signed(told(), 'LogoutRequest', strangers)))).check, 'signature');
    const query = signedQuery(told(), '', stranger.key);
    assert.equal(
      (await refusal(await platform.visit(`${saml.single_logout_url}?${query}`))).check,
      'signature',
    );
    assert.equal((await refusal(await platform.visit(saml.single_logout_url))).code, '60723');
    assert.equal(await isIn(visitor), true);
  });

  test('a provider that takes forms alone is told by one', async () => {
    await configureLogout(postBinding);
    const visitor = await loggedIn();
    const { headers } = await visitor.open(urlOf('/underpass/logout'));
    assert.ok(String(headers.location).startsWith(`${saml.entity_id}/logout?`));
    const { text } = await visitor.open(String(headers.location));
    assert.match(text, new RegExp(`action="${location}"`));
    const answered = await post(signed(told(), 'LogoutRequest'), 'its own');
    assert.match(answered.text, /name="SAMLResponse"[\s\S]*name="RelayState" value="its own"/);
    assert.equal((await refusal(await visitor.open(`${saml.entity_id}/logout?session=x`))).code, '60691');
  });
});

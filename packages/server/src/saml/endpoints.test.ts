import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { signingKeyContext } from '../core/saml-settings.ts';
import type { SamlModule } from '../documents/index.ts';
import { startTestLogin } from '../login/login.fixture.ts';
import { ProviderService } from '../login/provider-service.ts';
import { idpMetadata } from '../pki/idp-metadata.fixture.ts';
import { Sealer } from '../pki/seal.ts';
import { SamlEndpoints } from './endpoints.ts';
import { SamlModules } from './modules.ts';
import { answer, provider as idp, inForm } from './provider.fixture.ts';

const sealer = new Sealer(randomBytes(32));
const saml: SamlModule = {
  ...{ enabled: true, options_passthrough: false, cookie_prefix: '', generation: '' },
  ...{ inactivity_timeout: 0, maximum_duration: 0, force_authn: false, allow_idp_initiated: true },
  idp_metadata: idpMetadata(),
  authorized_groups: [],
  nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  // Any key pair will do.
  request_signing_certificate_pem: idp.leaf,
  request_signing_key_sealed: sealer.seal(idp.key, signingKeyContext(idp.leaf)),
};

/** The endpoints on a store, as a browser that brings messages meets them. */
async function start(t: TestContext) {
  const { login, store, clock, logged } = await startTestLogin(t);
  const modules = new SamlModules({ store, sealer, login, publicPort: 443 });
  const service = new ProviderService({
    endpoints: [new SamlEndpoints(modules, () => clock.now)],
    ...{ errorPrefix: 'ERR_', codeHeader: 'Error-Code', now: () => clock.now },
    log: { warn: (fields: object) => void logged.push({ ...fields }), error: assert.fail } as never,
  });
  const server = createServer((socket) => service.serve(socket, { clientAddr: '192.0.2.1:1' }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    await service.close(0);
    server.close();
  });
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const insert = async (kind: string, prefix: string, body: object, more: object = {}): Promise<string> => {
    let id = '';
    await store.write((newId) => {
      id = newId(prefix as 'ec');
      const document = {
        op: 'insert',
        id,
        account: 'ac_1',
        kind,
        parent: null,
        body,
        links: [],
        names: [],
        ...more,
      };
      return [document as never];
    });
    return id;
  };
  /** An edge with all of the names, which holds those of `held`. */
  const edge = (names: readonly string[], held = names) =>
    insert(
      'https_edge',
      'edghts',
      { hostports: names.map((hostname) => ({ hostname, port: 443 })) },
      { names: held.map((name) => ({ kind: 'hostport', value: `${name}:443` })) },
    );
  const route = (edge_id: string, changes: Partial<SamlModule> = {}) =>
    insert('https_edge_route', 'edghtsrt', { edge_id, match: '/app', saml: { ...saml, ...changes } });
  const change = async (id: string, changes: object) => {
    const { revision, body } = (await store.get(id))!;
    await store.write(() => [{ op: 'rewrite', id, revision, body: { ...body, ...changes } } as never]);
  };

  const begin = async (id: string, host: string) => {
    const provider = await modules.find(id);
    assert.ok(provider !== null);
    const { flow, state } = login.flows.begin({ place: provider.place, host, target: '/x', browser: 'b' });
    return { state, inResponseTo: `_${login.flows.secretOf(flow, 'saml request')}` };
  };
  let messages = 0;
  const message = (id: string, inResponseTo = ''): string => {
    messages += 1;
    const { consumer, entity: audience } = login.samlUrls(id);
    return answer({ consumer, audience, now: clock.now, id: `_a${messages}`, inResponseTo });
  };
  /** Returns the place to which the browser is redirected, or the check that refuses the message. */
  const bring = async (
    id: string,
    response: string,
    relayState: string,
    hasQuery = false,
  ): Promise<string> => {
    const body = new URLSearchParams({ SAMLResponse: inForm(response), RelayState: relayState });
    const { pathname } = new URL(login.samlUrls(id).consumer);
    const answered = await fetch(at + pathname, { method: 'POST', body, redirect: 'manual' });
    const location = answered.headers.get('location');
    await answered.arrayBuffer();
    if (location !== null) {
      const { host, pathname, search } = new URL(location);
      return `${host}${pathname}${hasQuery ? search : ''}`;
    }
    return String(logged.at(-1)?.check);
  };
  const answers = async (id: string, host: string): Promise<string> => {
    const { state, inResponseTo } = await begin(id, host);
    return await bring(id, message(id, inResponseTo), state);
  };
  const status = async (id: string): Promise<number> => {
    const answered = await fetch(at + new URL(login.samlUrls(id).entity).pathname);
    await answered.arrayBuffer();
    return answered.status;
  };
  return {
    login,
    store,
    clock,
    modules,
    insert,
    edge,
    route,
    change,
    begin,
    message,
    bring,
    answers,
    status,
  };
}

const back = 'app.example.com/underpass/callback';

test('an answer leads back to a name where the module stands, and to no other', async (t) => {
  const { edge, route, answers, begin, message, bring, store } = await start(t);
  const own = await edge(['app.example.com', '*.wild.example.com']);
  const id = await route(own);
  await edge(['other.example.com']);
  assert.equal(await answers(id, 'app.example.com'), back);
  assert.equal(await answers(id, 'app.example.com:443'), 'app.example.com/underpass/callback');
  assert.equal(await answers(id, 'a.wild.example.com'), 'a.wild.example.com/underpass/callback');
  for (const host of ['other.example.com', 'nobody.example.com', 'wild.example.com', 'not a name'])
    assert.equal(await answers(id, host), 'relay state', host);
  // During the login the name is released, and another account takes it.
  const { state, inResponseTo } = await begin(id, 'app.example.com');
  const response = message(id, inResponseTo);
  const { revision } = (await store.get(own))!;
  await store.write(() => [{ op: 'delete', id: own, revision }]);
  assert.equal(await bring(id, response, state), 'relay state');
  const next = await edge(['app.example.com']);
  assert.equal(await bring(id, response, state), 'relay state');
  assert.notEqual(next, own);
});

test('a login that begins at the provider leads to the first name where the module stands', async (t) => {
  const { edge, route, insert, change, message, bring, modules } = await start(t);
  // Another edge has the first name by now, and a wildcard is no name.
  const own = await edge(
    ['lost.example.com', '*.example.com', 'app.example.com'],
    ['*.example.com', 'app.example.com'],
  );
  await edge(['lost.example.com']);
  const id = await route(own);
  assert.equal((await modules.firstPage(id))?.href, 'https://app.example.com/app');
  assert.equal(await bring(id, message(id), ''), back);
  const ec = await insert('endpoint_configuration', 'ec', { saml });
  assert.equal(await modules.firstPage(ec), null);
  assert.equal(await bring(ec, message(ec), ''), 'relay state');
  const domain = (name: string, of = ec) =>
    insert(
      'reserved_domain',
      'rd',
      { domain: name, https_endpoint_configuration_id: of },
      {
        links: [{ field: 'https_endpoint_configuration_id', to: of, binding: true }],
        names: [{ kind: 'hostport', value: `${name}:443` }],
      },
    );
  const first = await domain('one.example.net');
  await domain('two.example.net');
  assert.equal((await modules.firstPage(ec))?.href, 'https://one.example.net/');
  // The link of the document stays as it was written. The current domain decides.
  await change(first, { https_endpoint_configuration_id: 'ec_other' });
  assert.equal((await modules.firstPage(ec))?.href, 'https://two.example.net/');
  const many = await insert('endpoint_configuration', 'ec', { saml });
  for (let n = 0; n < 40; n++) await domain(`*.n${n}.example.net`, many);
  assert.equal(await modules.firstPage(many), null);
  await domain('last.example.net', many);
  assert.equal((await modules.firstPage(many))?.href, 'https://last.example.net/');
});

test('a RelayState that is a path leads to it at the first name where the module stands', async (t) => {
  const { edge, route, message, bring, login } = await start(t);
  const id = await route(await edge(['app.example.com', 'two.example.com']));
  await edge(['other.example.com']);
  const target = async (relayState: string): Promise<string> => {
    const sent = await bring(id, message(id), relayState, true);
    const flow = login.flows.open(new URLSearchParams(sent.split('?')[1]).get('state') ?? '');
    return flow === null ? sent : `${flow.host}${flow.target}`;
  };
  for (const [relayState, page] of [
    ['/x', '/x'],
    [' /x ', '/x'],
    ['/', '/'],
    ['/x/y?a=%2F&b=c d#e', '/x/y?a=%2F&b=c%20d'],
    ['/ü', '/%C3%BC'],
    ['/a//b', '/a//b'],
    ['/..//other.example.com/', '//other.example.com/'],
    ['/https://other.example.com/', '/https://other.example.com/'],
    ['/@other.example.com', '/@other.example.com'],
    ['', '/app'],
  ] as const)
    assert.equal(await target(relayState), `app.example.com${page}`, relayState);
  for (const relayState of [
    '//other.example.com/',
    '/\\other.example.com',
    '/\t/other.example.com/',
    'x',
    '?x',
    '#x',
  ])
    assert.equal(await target(relayState), 'relay state', relayState);
});

test('a RelayState that is a URL has to be of the module, to the port and the scheme', async (t) => {
  const { edge, route, message, bring } = await start(t);
  const id = await route(await edge(['app.example.com']));
  await edge(['other.example.com']);
  assert.equal(await bring(id, message(id), 'https://app.example.com/x'), back);
  for (const url of [
    ...[
      'https://other.example.com/',
      'http://app.example.com/',
      'https://app.example.com:8443/',
      'app.example.com',
    ],
    ...[
      'https://a@app.example.com/',
      'https://a:b@app.example.com/',
      'https://app.example.com.evil.net/',
      '//app.example.com/',
    ],
  ])
    assert.equal(await bring(id, message(id), url), 'relay state', url);
});

test('an assertion and a state are good once, in time, and for their module', async (t) => {
  const { edge, route, begin, message, bring, clock } = await start(t);
  const own = await edge(['app.example.com']);
  const [id, other] = [await route(own), await route(own)];
  const { state, inResponseTo } = await begin(id, 'app.example.com');
  const response = message(id, inResponseTo);
  assert.equal(await bring(id, response, state), back);
  assert.equal(await bring(id, response, state), 'replay');
  assert.equal(await bring(other, message(other, inResponseTo), state), 'state');
  const late = await begin(id, 'app.example.com');
  clock.now += 30 * 60_000;
  assert.equal(await bring(id, message(id, late.inResponseTo), late.state), 'time');
});

test('a module that is changed, turned off or removed is no longer what it was', async (t) => {
  const { edge, route, change, answers, begin, message, bring, status, modules } = await start(t);
  const id = await route(await edge(['app.example.com']));
  assert.deepEqual([await status(id), await answers(id, 'app.example.com')], [200, back]);
  const known = await modules.find(id);
  assert.equal(await modules.find(id), known, 'read once for each revision');
  const before = await begin(id, 'app.example.com');
  await change(id, { saml: { ...saml, generation: 'another', allow_idp_initiated: false } });
  assert.notEqual(await modules.find(id), known);
  assert.equal(await bring(id, message(id, before.inResponseTo), before.state), 'state');
  assert.equal(await bring(id, message(id), ''), 'unsolicited');
  await change(id, { saml: { ...saml, enabled: false } });
  assert.deepEqual([await status(id), await bring(id, message(id), '')], [200, 'module']);
  await change(id, { saml: null });
  assert.deepEqual([await status(id), await bring(id, message(id), '')], [404, 'module']);
  assert.equal(await status('edghtsrt_none'), 404);
});

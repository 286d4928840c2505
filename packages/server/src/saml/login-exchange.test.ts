import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { signingKeyContext } from '../core/saml-settings.ts';
import type { SamlModule } from '../documents/index.ts';
import { startTestLogin } from '../login/login.fixture.ts';
import { LoginFault } from '../login/login-fault.ts';
import { idpMetadata, logout, post, signOn } from '../pki/idp-metadata.fixture.ts';
import { Sealer } from '../pki/seal.ts';
import { callbackUrl, identityFrom, identityIn, loginUrl } from './login-exchange.ts';
import { leavingUrl, leftAtProvider, messageOnPage } from './logout-exchange.ts';
import { fromPost, readMessage } from './message.ts';
import { answer, provider as idp, inForm, logoutXml } from './provider.fixture.ts';
import { ServiceProvider } from './service-provider.ts';

const sealer = new Sealer(randomBytes(32));
const config: SamlModule = {
  ...{ enabled: true, options_passthrough: false, cookie_prefix: '', generation: '' },
  ...{ inactivity_timeout: 0, maximum_duration: 0, force_authn: false, allow_idp_initiated: true },
  idp_metadata: idpMetadata({ services: `${signOn()}${logout('https://idp.example.com/slo', post)}` }),
  authorized_groups: [],
  nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  // Any key pair will do.
  request_signing_certificate_pem: idp.leaf,
  request_signing_key_sealed: sealer.seal(idp.key, signingKeyContext(idp.leaf)),
};

async function begun(t: TestContext, changes: Partial<SamlModule> = {}) {
  const { login, clock } = await startTestLogin(t);
  const secret = (sealed: string, context: string): string => sealer.open(sealed, context);
  const provider = ServiceProvider.open({
    id: 'edghtsrt_1',
    config: { ...config, ...changes },
    login,
    secret,
  });
  assert.ok(provider !== null);
  const { place, urls } = provider;
  const flow = login.flows.begin({ place, host: 'app.example.com', target: '/', browser: 'b' });
  const request = new URL(loginUrl(provider, flow, false)).searchParams;
  const parts = {
    ...{ consumer: urls.consumer, audience: urls.entity, now: clock.now },
    inResponseTo: `_${login.flows.secretOf(flow.flow, 'saml request')}`,
  };
  const back = async (edit = (xml: string) => xml) => {
    const message = fromPost(inForm(answer({ ...parts, edit })));
    return new URL(callbackUrl(provider, flow, await identityFrom(provider, message, flow.flow)));
  };
  const check = (url: URL, of = flow.flow): string => {
    try {
      return identityIn(provider, url.searchParams, of).user.id;
    } catch (error) {
      assert.ok(error instanceof LoginFault, String(error));
      return error.check;
    }
  };
  return { provider, flow, request, back, check, clock, login };
}

test('an answer is good for its login, and for as long as a browser needs to go on', async (t) => {
  const { flow, request, back, check, clock, login } = await begun(t);
  assert.equal(request.get('RelayState'), flow.state);
  const url = await back();
  assert.equal(check(url), 'ada');
  const { place, host, target } = flow.flow;
  const other = login.flows.begin({ place, host, target, browser: 'b' });
  assert.equal(check(url, other.flow), 'answer');
  clock.now += 119_999;
  assert.equal(check(url), 'ada');
  clock.now += 1;
  assert.equal(check(url), 'time');
});

test('an expired response does not log in', async (t) => {
  const entity = 'entityID="https://idp.example.com/metadata" validUntil="2026-01-01T00:00:10Z"';
  const { provider, flow, back, clock } = await begun(t, { idp_metadata: idpMetadata({ entity }) });
  const expired = { code: 'loginProviderExpired', check: 'metadata' };
  clock.now = Date.parse('2026-01-01T00:03:09.999Z');
  loginUrl(provider, flow, false);
  clock.now += 1;
  assert.throws(() => loginUrl(provider, flow, false), expired);
  await assert.rejects(back(), expired);
  clock.now -= 1;
  await back();
});

test('who leaves at the provider before the answer has arrived does not get in by it', async (t) => {
  const { provider, back, check, clock } = await begun(t);
  const url = await back();
  clock.now += 1_000;
  const destination = provider.urls.logout;
  await leftAtProvider(
    provider,
    readMessage(logoutXml({ destination, now: clock.now, sessions: ['_s2'] })),
    '',
  );
  assert.equal(check(url), 'ada', 'another session');
  const others = (count: number) => Array.from({ length: count }, (_, index) => `_other${index}`);
  const many = logoutXml({ destination, now: clock.now, id: '_l3', sessions: others(8) });
  await leftAtProvider(provider, readMessage(many), '');
  assert.equal(check(url), 'ada', 'eight other sessions');
  const all = logoutXml({ destination, now: clock.now, id: '_l2' });
  await leftAtProvider(provider, readMessage(all), '');
  assert.equal(check(url), 'logout');
});

test('a logout that names more sessions than are recorded ends all of the user', async (t) => {
  const { provider, back, check, clock } = await begun(t);
  const url = await back();
  clock.now += 1_000;
  const sessions = Array.from({ length: 9 }, (_, index) => `_other${index}`);
  const many = logoutXml({ destination: provider.urls.logout, now: clock.now, sessions });
  await leftAtProvider(provider, readMessage(many), '');
  assert.equal(check(url), 'logout');
});

test('a user who has to be asked each time is not taken from an older session at the provider', async (t) => {
  const { back, check, clock } = await begun(t, { force_authn: true });
  const at = (time: number) => (xml: string) =>
    xml.replace(/AuthnInstant="[^"]*"/, `AuthnInstant="${new Date(time).toISOString()}"`);
  await assert.rejects(back(at(clock.now - 180_001)), { check: 'authentication' });
  assert.equal(check(await back(at(clock.now - 180_000))), 'ada');
});

test('the page that tells the provider who has left does so for a while', async (t) => {
  const { provider, clock } = await begun(t);
  const session = { name: { value: 'ada', attributes: {} }, sessionIndex: '' };
  const url = new URL(leavingUrl(provider, session, 'app.example.com') ?? '');
  assert.equal(url.origin + url.pathname, `${provider.urls.entity}/logout`);
  const sealed = url.searchParams.get('session') ?? '';
  assert.match(messageOnPage(provider, sealed)?.xml ?? '', /LogoutRequest/);
  clock.now += 300_000;
  assert.equal(messageOnPage(provider, sealed), null);
});

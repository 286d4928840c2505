/** Attacks on the sign-in to the console by OpenID Connect, at a provider that a test makes wrong. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { createConsoleLink, findSignIn, type SignIn } from '../access/console-links.ts';
import { ConsoleSessions } from '../access/console-sessions.ts';
import { hashToken } from '../access/tokens.ts';
import type { ConsoleOidcSettings } from '../core/console-oidc.ts';
import type { DocumentStore } from '../documents/index.ts';
import { Problem } from '../errors/problem.ts';
import { CrookedProvider, signed, unsigned } from '../login/crooked-provider.fixture.ts';
import { flowSeconds, newBrowser } from '../login/flows.ts';
import { startTestLogin } from '../login/login.fixture.ts';
import { operatorActor } from '../resources/change-entry.ts';
import { createAccount } from '../resources/new-account.ts';
import { ConsoleAccount } from './console-account.ts';
import { OidcSignIn } from './oidc-sign-in.ts';
import { sessionEntry } from './session-entries.ts';

const url = 'https://api.example.com';

async function start(t: TestContext) {
  const provider = await CrookedProvider.start(t);
  const { login, store, clock } = await startTestLogin(t);
  clock.now = Date.now();
  const reasons: string[] = [];
  const log = pino({}, { write: (line: string) => void reasons.push(JSON.parse(line).check) });
  const addAccount = async (email: string) =>
    (await createAccount({ store, name: 'A', email, description: '', actor: operatorActor })).account_id;
  const account = await addAccount('ada@example.com');
  const usual: ConsoleOidcSettings = {
    ...{ issuer: provider.issuer, clientId: 'shop', clientSecret: 's3cret' },
    ...{ scopes: ['profile'], groupsClaim: 'groups', account: null },
    roles: [
      { role: 'viewer', group: 'staff' },
      { role: 'admin', group: 'ops' },
    ],
  };
  const { now } = login;
  const silent = pino({ level: 'silent' });
  const sessions = await ConsoleSessions.start({ store, now, log: silent, entryOf: sessionEntry });
  t.after(() => sessions.stop());
  const open = async (change: Partial<ConsoleOidcSettings> = {}, from: DocumentStore = store) => {
    const settings = { ...usual, ...change };
    const named = await ConsoleAccount.start({ store, named: settings.account, log: silent });
    t.after(() => named.stop());
    return new OidcSignIn({ store: from, account: named, sessions, login, settings, url, log });
  };
  const signIn = await open();
  const visit = (browser: string, admit: (account: string) => void = () => {}) => ({
    ...{ browser, address: '192.0.2.1', operationId: 'op_1', admit },
  });
  /** Begins a sign-in; the provider keeps its nonce. Returns the state. */
  const begin = async (browser: string, of = signIn): Promise<string> => {
    const { searchParams } = new URL(await of.begin(visit(browser)));
    provider.nonce = searchParams.get('nonce') ?? '';
    return searchParams.get('state') ?? '';
  };
  const finish = (state: string, browser: string, of = signIn) =>
    of.finish(String(new URLSearchParams({ code: 'c', state })), visit(browser));
  const whole = async (of = signIn) => {
    const browser = newBrowser();
    return (await finish(await begin(browser, of), browser, of)).grant;
  };
  /** Begins a session, and returns a check that it lasts. */
  const session = async (grant: SignIn['grant']) => {
    const from = { address: '192.0.2.1', userAgent: '', operationId: 'op_0' };
    const { token } = await sessions.begin({ grant, link: null, way: 'oidc' }, from);
    return async () => !('fault' in (await sessions.authenticate(token, hashToken(token), null)));
  };
  const users = async () => await store.page({ account, kind: 'user', limit: 10 });
  return {
    ...{ provider, store, clock, account, reasons, addAccount },
    open,
    signIn,
    visit,
    begin,
    finish,
    whole,
    session,
    users,
  };
}

async function codeOf(act: Promise<unknown>): Promise<string> {
  const error = await act.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Problem, String(error));
  return error.code;
}

test('a user is made at the first sign-in, and has the role of the groups at each one', async (t) => {
  const { provider, account, whole, users, store } = await start(t);
  const first = await whole();
  const [made] = await users();
  assert.deepEqual([first.account, first.owner, first.key], [account, made?.id, made?.id]);
  assert.equal(first.role, 'viewer');
  const identity = { issuer: provider.issuer, subject: 'ada' };
  assert.deepEqual(made?.body, { name: 'Ada', email: '', role: 'viewer', active: true, identity });
  provider.userinfo = { sub: 'ada', groups: ['staff', 'ops'] };
  const second = await whole();
  assert.deepEqual([second.owner, second.role], [first.owner, 'admin']);
  provider.userinfo = { sub: 'ada', groups: ['staff'] };
  assert.equal((await whole()).role, 'viewer', 'a lost group takes its rights');
  const notes = await store.notes({ kind: 'change', account, limit: 10 });
  const ours = notes.filter(({ body }) => body.operation === 'console_oidc_sign_in');
  assert.deepEqual(
    ours.map(({ body }) => body.action),
    ['updated', 'updated', 'created'],
  );
  assert.equal(JSON.stringify(notes).includes('s3cret'), false);
});

test('an address is no identity: two subjects are two users, and neither is the admin of that address', async (t) => {
  const { provider, whole, users } = await start(t);
  const one = await whole();
  provider.claims = { sub: 'bob' };
  provider.userinfo = { sub: 'bob', email: 'ada@example.com', email_verified: true, groups: ['staff'] };
  const two = await whole();
  assert.notEqual(one.owner, two.owner);
  const all = await users();
  assert.deepEqual(all.map(({ body }) => body.email).sort(), ['', '', 'ada@example.com']);
  provider.claims = { sub: 'eve' };
  provider.userinfo = { sub: 'eve', email: 'boss@example.com', email_verified: false, groups: ['staff'] };
  const three = await whole();
  assert.equal((await users()).find(({ id }) => id === three.owner)?.body.email, '', 'unverified');
});

test('the last active admin who lost the group is refused, and stays an admin', async (t) => {
  const { provider, whole, users, store, session } = await start(t);
  provider.userinfo = { sub: 'ada', groups: ['ops'] };
  const grant = await whole();
  const { owner } = grant;
  const lasts = await session(grant);
  const other = (await users()).find(({ id }) => id !== owner)!;
  const { id, revision, body } = other;
  await store.write(() => [{ op: 'rewrite', id, revision, body: { ...body, active: false } }]);
  provider.userinfo = { sub: 'ada', groups: ['staff'] };
  assert.equal(await codeOf(whole()), 'lastAdmin');
  assert.equal((await users()).find((one) => one.id === owner)?.body.role, 'admin');
  assert.equal(await lasts(), false, 'the rights of an admin are over');
});

test('a refused sign-in ends all sessions and links of that user, and of no other', async (t) => {
  const { provider, account, open, visit, finish, whole, session, store, clock } = await start(t);
  const ada = await whole();
  const sameAddress = { email: 'ada@example.com', email_verified: true };
  provider.claims = { sub: 'bob' };
  provider.userinfo = { sub: 'bob', groups: ['staff'] };
  const bob = await whole();
  // As below an API key of the user.
  await store.write((newId) => [
    {
      ...{ op: 'insert', id: newId('ak'), account, kind: 'api_key', parent: null, links: [], names: [] },
      body: { owner_id: ada.owner, description: '', metadata: '', token_hash: '' },
    },
  ]);
  const keys = await store.page({ account, kind: 'api_key', limit: 10 });
  const byKey = keys.find(({ body }) => body.owner_id === ada.owner)!;
  const ofAda = [await session(ada), await session(ada), await session({ ...ada, key: byKey.id })];
  const ofBob = await session(bob);
  const { token } = await createConsoleLink(store, { account, parent: ada.owner }, clock.now);
  const lasting = async () => await Promise.all(ofAda.map((lasts) => lasts()));

  provider.claims = { sub: 'eve' };
  provider.userinfo = { sub: 'eve', ...sameAddress, groups: [] };
  assert.equal(await codeOf(whole()), 'consoleOidcNoRole');
  assert.deepEqual(await lasting(), [true, true, true], 'a stranger with the same address');
  const other = await CrookedProvider.start(t);
  other.userinfo = { sub: 'ada', ...sameAddress, groups: [] };
  const elsewhere = await open({ issuer: other.issuer });
  const browser = newBrowser();
  const { searchParams } = new URL(await elsewhere.begin(visit(browser)));
  other.nonce = searchParams.get('nonce') ?? '';
  const state = searchParams.get('state') ?? '';
  assert.equal(await codeOf(finish(state, browser, elsewhere)), 'consoleOidcNoRole');
  assert.deepEqual(await lasting(), [true, true, true], 'the same subject at another issuer');
  provider.claims = { sub: 'ada', nonce: 'other' };
  assert.equal(await codeOf(whole()), 'consoleOidcRefused');
  assert.deepEqual(await lasting(), [true, true, true], 'a token that proves nothing');

  provider.claims = { sub: 'ada' };
  provider.userinfo = { sub: 'ada', ...sameAddress, groups: [] };
  assert.equal(await codeOf(whole()), 'consoleOidcNoRole');
  assert.deepEqual(await lasting(), [false, false, false]);
  assert.equal(await ofBob(), true);
  assert.deepEqual(await findSignIn(store, token, hashToken(token), clock.now), {
    fault: 'consoleTokenInvalid',
  });
  const notes = await store.notes({ kind: 'change', account, limit: 20 });
  const ends = notes.filter(({ body }) => body.operation === 'console_oidc_refusal');
  assert.deepEqual(
    ends.map(({ body: { action, kind, actor, operation_id } }) => [action, kind, actor, operation_id]),
    ends.map(({ body: { id } }) => [
      ...['deleted', 'console_session'],
      { type: 'user', id: ada.owner, name: '', credential: id, address: '192.0.2.1' },
      'op_1',
    ]),
  );
  assert.equal(ends.length, 3);
});

test('nobody without a group that has a role, and no inactive user, gets in', async (t) => {
  const { provider, whole, session, users, store, reasons } = await start(t);
  for (const groups of [undefined, [], ['Staff'], 'staff', [['staff']], { staff: true }]) {
    provider.userinfo = { sub: 'ada', groups };
    assert.equal(await codeOf(whole()), 'consoleOidcNoRole', JSON.stringify(groups));
  }
  assert.equal((await users()).length, 1, 'no user is made');
  assert.equal(reasons.at(-1), 'groups');
  provider.userinfo = { sub: 'ada', groups: ['staff'] };
  const grant = await whole();
  const { owner } = grant;
  const lasts = await session(grant);
  const user = (await users()).find(({ id }) => id === owner);
  assert.ok(user !== undefined);
  await store.write(() => [
    { op: 'rewrite', id: owner, revision: user.revision, body: { ...user.body, active: false } },
  ]);
  provider.userinfo = { sub: 'ada', groups: ['ops'] };
  assert.equal(await codeOf(whole()), 'consoleOidcInactive');
  const inactive = (await users()).find(({ id }) => id === owner)!;
  assert.equal(inactive.body.role, 'viewer');
  await store.write(() => [
    { op: 'rewrite', id: owner, revision: inactive.revision, body: { ...inactive.body, active: true } },
  ]);
  assert.equal(await lasts(), false, 'a session does not come back with the user');
});

test('a state that is forged, of another browser, of other options, old or used does not sign in', async (t) => {
  const { provider, clock, open, begin, finish, reasons, visit, signIn } = await start(t);
  const [mine, other] = [newBrowser(), newBrowser()];
  const state = await begin(mine);
  const unfinished = async (act: Promise<unknown>, check: string) => {
    assert.equal(await codeOf(act), 'consoleOidcUnfinished', check);
    assert.equal(reasons.at(-1), check);
  };
  await unfinished(finish('made-up', mine), 'state');
  await unfinished(finish('', mine), 'state');
  await unfinished(finish(`${state.slice(0, -2)}AA`, mine), 'state');
  await unfinished(finish(state, other), 'browser');
  await unfinished(finish(state, ''), 'browser');
  await unfinished(finish(state, mine, await open({ clientSecret: 'another' })), 'state');
  assert.equal(
    provider.asked.some(({ path }) => path === '/token'),
    false,
    'the provider gets no code of these',
  );
  clock.now += flowSeconds * 1000;
  await unfinished(finish(state, mine), 'time');
  const fresh = await begin(mine);
  await finish(fresh, mine, await open());
  assert.equal(provider.asked.at(-1)?.path, '/userinfo', 'another daemon finishes it');
  await unfinished(finish(fresh, mine), 'replay');
  const refused = `error=access_denied&state=${await begin(mine)}`;
  assert.equal(await codeOf(signIn.finish(refused, visit(mine))), 'consoleOidcRefused');
});

test('a wrong token or provider makes no user, and each is refused with a page that fits', async (t) => {
  const { provider, whole, users, clock } = await start(t);
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  for (const change of [
    { claims: { nonce: 'other' } },
    { claims: { iss: 'https://other.example' } },
    { claims: { aud: 'other' } },
    { claims: { exp: 1 } },
    { tokenOf: unsigned },
    { tokenOf: (claims: Readonly<Record<string, unknown>>) => signed(claims, stranger) },
    { userinfo: { sub: 'bob', groups: ['ops'] } },
  ] as const) {
    const { tokenOf, claims, userinfo } = provider;
    Object.assign(provider, change);
    assert.equal(await codeOf(whole()), 'consoleOidcRefused', JSON.stringify(change));
    Object.assign(provider, { tokenOf, claims, userinfo });
  }
  for (const [path, reply] of [
    ['/token', { body: `{"id_token":"${'x'.repeat(1024 * 1024)}"}` }],
    ['/token', { status: 500, body: '' }],
    ['/.well-known/openid-configuration', { body: '<html>' }],
  ] as const) {
    provider.replies.set(path, reply);
    clock.now += 60 * 60_000;
    const code = await codeOf(whole());
    assert.match(code, /consoleOidc(Unavailable|Refused)/, path);
    provider.replies.clear();
  }
  assert.equal((await users()).length, 1);
  clock.now += 60 * 60_000;
  await whole();
});

test('begins and failures of an address are bounded, and refused addresses send nothing to the provider', async (t) => {
  const { provider, signIn, visit, begin, reasons } = await start(t);
  const admit = (): void => {
    throw new Problem('consoleSourceRefused', { address: '192.0.2.1' });
  };
  const browser = newBrowser();
  const state = await begin(browser);
  provider.asked.length = 0;
  assert.equal(await codeOf(signIn.begin(visit(browser, admit))), 'consoleSourceRefused');
  const query = `code=c&state=${state}`;
  assert.equal(await codeOf(signIn.finish(query, visit(browser, admit))), 'consoleSourceRefused');
  assert.equal(provider.asked.length, 0);
  provider.replies.set('/token', { status: 400, body: '{"error":"invalid_grant"}' });
  let code = '';
  for (let at = 0; at < 30 && code !== 'consoleOidcBusy'; at += 1)
    code = await codeOf(signIn.finish(query, visit(browser)));
  assert.equal(code, 'consoleOidcBusy');
  assert.equal(reasons.at(-1), 'rate');
  code = '';
  for (let at = 0; at < 600 && code === ''; at += 1)
    code = await signIn.begin(visit(browser)).then(
      () => '',
      () => 'refused',
    );
  assert.equal(code, 'refused');
});

test('a begin reads nothing from the database, because strangers cause it', async (t) => {
  const { open, visit, store } = await start(t);
  const unreadable = new Proxy(store, {
    get: (_, name) => assert.fail(`${String(name)} was called`),
  });
  const signIn = await open({}, unreadable);
  assert.match(await signIn.begin(visit(newBrowser())), /^https:\/\/localhost:\d+\/authorize\?/);
});

test('of several accounts the operator has to name one', async (t) => {
  const { open, addAccount, whole } = await start(t);
  const second = await addAccount('');
  assert.equal(await codeOf(whole()), 'consoleOidcAccount');
  assert.equal(await codeOf(whole(await open({ account: 'ac_gone' }))), 'consoleOidcAccount');
  assert.equal((await whole(await open({ account: second }))).account, second);
});

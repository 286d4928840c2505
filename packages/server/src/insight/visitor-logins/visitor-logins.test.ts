/** Logins of visitors: listed by account, and ended from the list. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { Browser } from '../../edge/modules/login/browser.fixture.ts';
import { ada, gates, provider } from '../../edge/modules/login/gate.fixture.ts';
import { Problem } from '../../errors/problem.ts';
import { LoginRecords } from '../../login/records.ts';
import type { Principal } from '../../resources/definition.ts';
import type { QueryValues } from '../../resources/standalone/definition.ts';
import type { JsonObject } from '../../store/store.ts';
import { expireNotes } from '../notes-expiry.ts';
import { endVisitorLogin, listVisitorLogins } from './visitor-logins.ts';

const caller: Principal = {
  ...{ account: '', owner: 'usr_1', role: 'admin', subject: '', key: 'ak_1', address: '192.0.2.1' },
};

type Login = JsonObject & { readonly id: string; readonly email: string };

async function started(t: TestContext) {
  const on = await gates(t);
  const { store, clock, login } = on;
  const now = () => clock.now;
  const options = { store, records: login.records, now };
  const call = (account: string, query: QueryValues, path = {}) => ({
    principal: { ...caller, account },
    ...{ query: { limit: 100, ...query }, path, body: null, baseUrl: 'https://api' },
    missing: () => assert.fail('no daemon is missing'),
  });
  const list = async (query: QueryValues = {}, account = 'ac_1') => {
    const page = await listVisitorLogins(options, call(account, query));
    return JSON.parse(JSON.stringify(page)) as {
      readonly visitor_logins: readonly Login[];
      readonly next_page_uri: string | null;
    };
  };
  const end = (id: string, account = 'ac_1') => endVisitorLogin(options, call(account, {}, { id }));
  const logIn = async (user = ada, gate = on.gate) => {
    const browser = new Browser();
    const method = provider({ finish: async () => ({ user, handles: [`of ${user.id}`], token: '' }) });
    const at = gate({ method });
    browser.answered(await at.logIn(browser));
    return { browser, ...at };
  };
  return { ...on, now, list, end, logIn };
}

const isMissing = (error: unknown) => error instanceof Problem && error.code === 'resourceNotFound';

test('a login is listed with its user and place until it is over', async (t) => {
  const { clock, list, logIn } = await started(t);
  assert.deepEqual((await list()).visitor_logins, []);
  await logIn();
  const [listed] = (await list()).visitor_logins;
  const { id, created_at, ...shown } = listed!;
  assert.match(id, /^vl_[0-9A-Za-z]{27}$/);
  assert.equal(typeof created_at, 'string');
  assert.deepEqual(shown, {
    ...{ ends_at: '2026-01-15T00:00:00Z', user_id: 'ada', email: 'ada@example.com', name: 'Ada Löve' },
    ...{ module: 'oidc', provider: '1', hostname: 'app.example.com', resource_id: 'edghtsrt_1' },
    address: String(shown.address),
  });
  clock.now += 14 * 24 * 3_600_000;
  assert.deepEqual((await list()).visitor_logins, []);
});

test('a login that is ended from the list is over on every daemon, and the change has an entry', async (t) => {
  const { store, now, list, end, logIn, gate } = await started(t);
  const other = await LoginRecords.start({
    ...{ store, now, uptime: () => performance.now(), log: pino({ level: 'silent' }) },
  });
  t.after(() => other.stop());
  const [one, stays] = [await logIn(), await logIn({ ...ada, id: 'bob', email: 'bob@example.com' })];
  await one.passed(one.browser);
  const request = one.browser.request('/');
  assert.equal(await one.check(request), null);
  const [, listed] = (await list()).visitor_logins;
  const [note] = await store.notesAt('visit', 'ac_1', [listed!.id]);
  assert.equal(await end(listed!.id), null);
  assert.equal(other.isEnded(String(note?.body.session), 0), true, 'before the response');
  one.browser.sentTo(await one.ask(one.browser));
  one.browser.sentTo(await gate().ask(one.browser));
  assert.equal(one.isOver(request), true, 'also a request that runs');
  await stays.passed(stays.browser);
  const { visitor_logins: left } = await list();
  assert.deepEqual(
    left.map(({ email }) => email),
    ['bob@example.com'],
  );
  await assert.rejects(end(listed!.id), isMissing);
  const [entry] = await store.notes({ kind: 'change', account: 'ac_1', limit: 1 });
  assert.deepEqual([entry?.body.kind, entry?.body.id], ['visitor_login', listed!.id]);
  const [, kept] = await store.notes({ kind: 'visit', account: 'ac_1', limit: 5 });
  assert.equal(kept, undefined, 'nothing is left of it in the list');
});

test('a visitor who logs out, here or at the provider, leaves the list', async (t) => {
  const { login, clock, list, logIn } = await started(t);
  const { browser, ask } = await logIn();
  await logIn({ ...ada, id: 'bob' });
  browser.answered(await ask(browser, '/underpass/logout'));
  assert.equal((await list()).visitor_logins.length, 1);
  clock.now += 1_000;
  await login.records.end('of bob', clock.now + 60_000);
  assert.deepEqual((await list()).visitor_logins, []);
});

test('another account neither sees nor ends a login', async (t) => {
  const { list, end, logIn } = await started(t);
  const { browser, passed } = await logIn();
  const [listed] = (await list()).visitor_logins;
  assert.deepEqual((await list({}, 'ac_2')).visitor_logins, []);
  await assert.rejects(end(listed!.id, 'ac_2'), isMissing);
  await passed(browser);
});

test('the list is filtered and paged', async (t) => {
  const { list, logIn } = await started(t);
  for (const id of ['a', 'b', 'c']) await logIn({ ...ada, id, email: `${id}@example.com` });
  const emails = async (query: QueryValues) =>
    (await list(query)).visitor_logins.map(({ email }) => email[0]).join('');
  assert.equal(await emails({}), 'cba');
  assert.equal(await emails({ user: 'b' }), 'b');
  assert.equal(await emails({ user: 'c@example.com' }), 'c');
  assert.equal(await emails({ hostname: 'other.example.com' }), '');
  assert.equal(await emails({ resource_id: 'edghtsrt_1' }), 'cba');
  const first = await list({ limit: 2 });
  assert.equal(first.visitor_logins.length, 2);
  const before_id = new URL(String(first.next_page_uri)).searchParams.get('before_id')!;
  assert.equal(await emails({ before_id }), 'a');
});

test('a refused login is not listed, and notes of old ones expire', async (t) => {
  const { store, clock, now, gate, list, logIn } = await started(t);
  const refused = gate({ method: provider({ refusalOf: () => 'not on the list' }) });
  await refused.logIn(new Browser());
  assert.deepEqual((await list()).visitor_logins, []);
  await logIn();
  const notes = { store, kept: { visit: 0 }, now };
  assert.equal(await expireNotes(notes), false);
  clock.now += 15 * 24 * 3_600_000;
  assert.equal(await expireNotes(notes), true);
  assert.equal(await store.oldestNote('visit'), null);
});

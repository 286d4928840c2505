/** Tests of the ends of console sessions and links, on two daemons with a clock that the test moves. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { eventually } from '../../../../test/harness/until.ts';
import { documentsIn } from '../documents/store.ts';
import { Problem } from '../errors/problem.ts';
import { onBothStores } from '../resources/both-stores.fixture.ts';
import { operatorActor } from '../resources/change-entry.ts';
import { createAccount } from '../resources/new-account.ts';
import type { OpenStore } from '../store/conformance/index.fixture.ts';
import { openOnSqlite } from '../store/sqlite/open.fixture.ts';
import { createConsoleLink, findSignIn, LINK_MS } from './console-links.ts';
import { ConsoleSessions, IDLE_MS, LONGEST_MS } from './console-sessions.ts';
import { hashToken } from './tokens.ts';

const log = pino({ level: 'silent' });
const HOUR = 3_600_000;
const MINUTE = 60_000;

onBothStores((open) => {
  test('a link is good for ten minutes, and for one sign-in on any daemon', async (t) => {
    const { clock, link, find, begin } = await start(t, open);
    const [token, late] = [await link(), await link()];
    clock.now += LINK_MS - 1;
    const found = await find(token);
    assert.ok(!('fault' in found));
    const twice = await Promise.allSettled([begin(0, found), begin(1, found), begin(0, found)]);
    assert.deepEqual(twice.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected']);
    assert.deepEqual(await find(token), { fault: 'consoleTokenInvalid' });
    clock.now += 2;
    assert.deepEqual(await find(late), { fault: 'consoleTokenExpired' });
  });

  test('a session ends when it is idle, in any case after a week, and with a wrong clock', async (t) => {
    const { clock, signIn, use, count } = await start(t, open);
    const begun = clock.now;
    const [idle, used] = [await signIn(), await signIn()];
    clock.now = begun + IDLE_MS - 1;
    for (const cookie of [idle, used]) assert.ok(!('fault' in (await use(cookie))));
    for (let hours = 18; hours < LONGEST_MS / HOUR; hours += 6) {
      clock.now = begun + hours * HOUR;
      assert.ok(!('fault' in (await use(used, hours % 4 === 0 ? 0 : 1))), `after ${hours} h`);
    }
    assert.deepEqual(await use(idle), { fault: 'consoleSessionOver' });
    clock.now = begun + LONGEST_MS;
    assert.deepEqual(await use(used), { fault: 'consoleSessionOver' });
    const young = await signIn();
    clock.now -= 24 * HOUR;
    assert.deepEqual(await use(young), { fault: 'consoleSessionOver' });
    clock.now += 2 * LONGEST_MS;
    await eventually(async () => assert.equal(await count(), 0));
  });

  test('a session that ends on one daemon, or with its key, is over on all', async (t) => {
    const { signIn, use, sessions, store, account } = await start(t, open);
    const [one, two] = [await signIn(), await signIn()];
    const first = await use(one);
    assert.ok(!('fault' in first));
    await sessions[0].end(first.session?.id ?? '', { ...first, address: '192.0.2.1' });
    assert.deepEqual(await use(one, 1), { fault: 'consoleSessionOver' });
    assert.ok(!('fault' in (await use(two, 1))));
    const key = await store.get(account.key);
    await store.write(() => [{ op: 'delete', id: account.key, revision: key?.revision ?? 0 }]);
    assert.deepEqual(await use(two, 1), { fault: 'consoleSessionOver' });
    const left = await store.page({ account: account.id, kind: 'console_session', limit: 10 });
    assert.deepEqual(left, [], 'the key took its sessions with it');
  });

  test('a key has a bounded number of links and sessions: the oldest go', async (t) => {
    const { link, find, signIn, use, store, account } = await start(t, open);
    const links: string[] = [];
    for (let at = 0; at < 22; at += 1) links.push(await link());
    assert.deepEqual(await find(links[1] ?? ''), { fault: 'consoleTokenInvalid' });
    assert.ok(!('fault' in (await find(links[2] ?? ''))));
    const cookies: string[] = [];
    for (let at = 0; at < 34; at += 1) cookies.push(await signIn());
    const page = (kind: 'console_link' | 'console_session') =>
      store.page({ account: account.id, kind, limit: 100 });
    assert.equal((await page('console_session')).length, 32);
    assert.deepEqual(await use(cookies[1] ?? ''), { fault: 'consoleSessionOver' });
    assert.ok(!('fault' in (await use(cookies[2] ?? ''))));
    assert.ok((await page('console_link')).length <= 20);
  });

  test('links that are made at once are all made, and are bounded from the next one on', async (t) => {
    const { link, store, account } = await start(t, open);
    for (let round = 0; round < 2; round += 1) await Promise.all(Array.from({ length: 40 }, link));
    await link();
    const left = await store.page({ account: account.id, kind: 'console_link', limit: 100 });
    assert.equal(left.length, 20);
  });
});

test('a key cannot fill the audit trail with sign-ins: they are bounded, and possible again later', async (t) => {
  const { clock, signIn } = await start(t, openOnSqlite);
  const outcome = async () =>
    await signIn().then(
      () => '',
      (error: unknown) => (error instanceof Problem ? error.code : String(error)),
    );
  let count = 0;
  while ((await outcome()) === '' && count < 200) count += 1;
  assert.equal(count, 100);
  assert.equal(await outcome(), 'consoleSignInsLimited');
  clock.now += 5000;
  assert.equal(await outcome(), '');
});

async function start(t: TestContext, open: OpenStore) {
  const clock = { now: Math.ceil(Date.now() / HOUR) * HOUR };
  const opened = await open();
  const store = documentsIn(opened.store);
  const made = await createAccount({ store, name: 'A', email: '', description: '', actor: operatorActor });
  const options = { store, now: () => clock.now, log, entryOf: () => [] };
  const sessions = [await ConsoleSessions.start(options), await ConsoleSessions.start(options)] as const;
  t.after(async () => {
    await Promise.all(sessions.map((one) => one.stop()));
    await opened.dispose();
  });
  const keyId = `ak_${made.api_key.slice(0, 27)}`;
  const account = { id: made.account_id, key: keyId };
  const find = (token: string) => findSignIn(store, token, hashToken(token), clock.now);
  const begin = (daemon: 0 | 1, signIn: Exclude<Awaited<ReturnType<typeof find>>, { fault: unknown }>) =>
    sessions[daemon].begin(signIn, {
      ...{ address: '192.0.2.1', userAgent: 'B'.repeat(1000), operationId: '' },
    });
  const link = async () =>
    (await createConsoleLink(store, { account: account.id, parent: keyId }, clock.now)).token;
  return {
    ...{ clock, store, account, sessions, find, begin, link },
    /** Returns the cookie of a new session. */
    async signIn(): Promise<string> {
      const found = await find(await link());
      assert.ok(!('fault' in found));
      return (await begin(0, found)).token;
    },
    /** Uses a cookie, and waits until the use is noted. */
    async use(cookie: string, daemon: 0 | 1 = 0) {
      const result = await sessions[daemon].authenticate(cookie, hashToken(cookie), '192.0.2.1');
      const id = 'fault' in result ? '' : (result.session?.id ?? '');
      await eventually(async () => {
        const session = id === '' ? null : await store.get(id);
        assert.ok(session?.kind !== 'console_session' || clock.now - session.body.seen_at < MINUTE);
      });
      return result;
    },
    /** Sweeps, and returns the number of links and sessions that are left. */
    async count(): Promise<number> {
      await sessions[0].sweep();
      const left = (kind: 'console_link' | 'console_session') =>
        store.page({ account: account.id, kind, limit: 100 });
      return (await left('console_link')).length + (await left('console_session')).length;
    },
  };
}

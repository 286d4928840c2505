import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '../../../../test/harness/index.ts';
import { createdAt } from '../core/id.ts';
import type { Hostname, HostPattern } from '../core/names/hostname.ts';
import type { DomainProofDocument, StoredDocument } from '../documents/index.ts';
import { documentsIn } from '../documents/store.ts';
import { openOnSqlite } from '../store/sqlite/open.fixture.ts';
import { DomainProofs } from './domain-proofs.ts';
import { NameServer } from './name-server.fixture.ts';
import { proofText } from './proof.ts';
import { DnsResolver } from './resolver.ts';
import { cnameTarget } from './targets.ts';

const account = 'ac_1';
const minute = 60_000;
const day = 24 * 60 * minute;

async function start(t: TestContext, requireDomainProof = true) {
  const settings = { domain: 'service.example' as Hostname, requireDomainProof };
  const opened = await openOnSqlite({});
  const store = documentsIn(opened.store);
  const server = await NameServer.start();
  const clock = { now: 0 };
  const logged: string[] = [];
  const note = (_: object, message: string) => void logged.push(message);
  const proofsOf = (daemon: string | null) =>
    new DomainProofs({
      ...{ store, daemon, uptime: () => clock.now },
      settings,
      lookup: new DnsResolver([server.address]),
      now: () => clock.now,
      log: { info: note, warn: note, error: note } as never,
    });
  const proofs = proofsOf(null);
  t.after(async () => {
    await proofs.stop();
    await opened.dispose();
    server.close();
  });
  const reserve = async (text: string): Promise<StoredDocument<'reserved_domain'>> => {
    const domain = text as HostPattern;
    let id = '';
    await store.write((newId) => {
      id = newId('rd');
      clock.now = Math.max(clock.now, createdAt(id).getTime());
      const cname_target = cnameTarget(id, { domain, region: 'us' }, settings) ?? '';
      const body = { description: '', metadata: '', domain, region: 'us', cname_target };
      const of = { account, kind: 'reserved_domain', parent: null };
      return [{ op: 'insert', id, ...of, body, links: [], names: [] }];
    });
    const document = await store.get(id);
    assert.ok(document?.kind === 'reserved_domain');
    return document;
  };
  const proofOf = async (id: string): Promise<DomainProofDocument | null> => {
    const { documents } = await store.snapshot(['domain_proof']);
    return documents.find(({ parent }) => parent === id)?.body ?? null;
  };
  return { store, server, clock, logged, proofs, proofsOf, reserve, proofOf };
}

test('a name is looked at when it is reserved, and a minute later when nothing was found', async (t) => {
  const { server, clock, proofs, reserve, proofOf } = await start(t);
  await proofs.start();
  const { id, body } = await reserve('www.example.com');
  await until(() => server.asked.length > 0);
  await proofs.pass();
  assert.equal((await proofOf(id))?.proven_by, null);
  server.set('www.example.com', 'CNAME', body.cname_target);
  clock.now += minute - 1;
  await proofs.pass();
  assert.equal((await proofOf(id))?.proven_by, null);
  clock.now += 1;
  await proofs.pass();
  assert.equal((await proofOf(id))?.proven_by, 'alias');
});

test('V9: a name that was looked at while the clock was a day ahead does not wait for that day', async (t) => {
  const { server, clock, proofs, reserve, proofOf } = await start(t);
  await proofs.start();
  const { id, body } = await reserve('www.example.com');
  await until(() => server.asked.length > 0);
  await proofs.pass();
  clock.now += day;
  await proofs.pass();
  clock.now -= day;
  server.set('www.example.com', 'CNAME', body.cname_target);
  await proofs.pass();
  assert.equal((await proofOf(id))?.proven_by, 'alias');
  const { length } = server.asked;
  await proofs.pass();
  assert.equal(server.asked.length, length);
});

test('names that nothing is found of are looked at ever less often, but daily', async (t) => {
  const { server, clock, proofs, reserve } = await start(t);
  await reserve('www.example.com');
  await proofs.start();
  await proofs.pass();
  let looks = 0;
  for (let minutes = 0; minutes < 2 * 24 * 60; minutes += 5) {
    const before = server.asked.length;
    clock.now += 5 * minute;
    await proofs.pass();
    if (server.asked.length > before) looks += 1;
  }
  assert.ok(looks >= 8 && looks <= 14, `${looks} in two days`);
});

test('a proof outlives a record that is missing and a server that fails, and ends with the text of another account', async (t) => {
  const { server, clock, logged, proofs, reserve, proofOf } = await start(t);
  const { id } = await reserve('www.example.com');
  server.set('_underpass.www.example.com', 'TXT', 'v=other', proofText(account));
  await proofs.start();
  await proofs.pass();
  assert.equal((await proofOf(id))?.proven_by, 'text');
  const nextDay = async () => {
    clock.now += day;
    await proofs.pass();
  };
  server.set('_underpass.www.example.com', 'TXT');
  await nextDay();
  assert.equal((await proofOf(id))?.proven_by, 'text');
  server.fail('_underpass.www.example.com');
  server.set('_underpass.www.example.com', 'TXT', proofText('ac_2'));
  await nextDay();
  assert.equal((await proofOf(id))?.proven_by, 'text');
  server.fail('_underpass.www.example.com', false);
  clock.now += day - 1;
  await proofs.pass();
  assert.equal((await proofOf(id))?.proven_by, 'text', 'before its day is over');
  clock.now += 1;
  await proofs.pass();
  assert.equal((await proofOf(id))?.proven_by, null);
  assert.deepEqual(logged.at(-1), 'a name is out of service: its DNS names another account');
});

test('what is proven goes with the reservation, and names below the shared domain are not looked at', async (t) => {
  const { store, server, proofs, reserve, proofOf } = await start(t);
  await proofs.start();
  await reserve('app.service.example');
  const { id } = await reserve('www.example.com');
  await proofs.pass();
  assert.ok(!server.asked.some((asked) => asked.includes('app.service.example')));
  const document = await store.get(id);
  await store.write(() => [{ op: 'delete', id, revision: document?.revision ?? 0 }]);
  assert.equal(await proofOf(id), null);
  await proofs.pass();
});

test('where no proof is required a name is looked at on request only, and nothing is kept', async (t) => {
  const { server, proofs, reserve, proofOf } = await start(t, false);
  await proofs.start();
  const reservation = await reserve('www.example.com');
  await proofs.pass();
  assert.deepEqual(server.asked, []);
  const { provenBy, message } = await proofs.look(reservation);
  assert.equal(provenBy, null);
  assert.match(
    message,
    /^www.example.com has no CNAME record; it should have a CNAME record with the value /,
  );
  assert.equal(await proofOf(reservation.id), null);
});

test('a check reports why the result is unknown', async (t) => {
  const { server, proofs, reserve } = await start(t);
  const reservation = await reserve('www.example.com');
  server.fail('_underpass.www.example.com');
  const { findings, ...report } = await proofs.look(reservation);
  assert.equal(findings?.texts, null);
  assert.deepEqual(report, {
    provenBy: null,
    message: `www.example.com has no CNAME record; it should have a CNAME record with the value ${reservation.body.cname_target}`,
  });
  server.fail('www.example.com');
  assert.match((await proofs.look(reservation)).message, /^no name server returned the CNAME records of/);
});

test('of several daemons one looks at names, and another one when that is silent', async (t) => {
  const { server, clock, proofsOf, reserve, proofOf } = await start(t);
  const [one, other] = [proofsOf('one'), proofsOf('other')];
  t.after(() => Promise.all([one.stop(), other.stop()]));
  const { id, body } = await reserve('www.example.com');
  await one.start();
  await one.pass();
  await other.start();
  await other.pass();
  const once = server.asked.length;
  assert.ok(once > 0);
  assert.equal(new Set(server.asked).size, once, 'each question once');
  await reserve('late.example.com');
  await until(() => server.asked.some((question) => question.startsWith('late.')));
  await Promise.all([one.pass(), other.pass()]);
  assert.equal(server.asked.length, new Set(server.asked).size);
  server.set('www.example.com', 'CNAME', body.cname_target);
  // The one that looked is killed.
  for (let count = 0; count < 5; count += 1) {
    clock.now += minute;
    await other.pass();
  }
  assert.equal((await proofOf(id))?.proven_by, 'alias');
});

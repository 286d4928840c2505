import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Hostname, HostPattern } from '../core/names/hostname.ts';
import { type CheckedName, checkName, describeWrongRecord, type NameCheck } from './name-check.ts';
import { NameServer } from './name-server.fixture.ts';
import { DnsResolver, type NameLookup } from './resolver.ts';
import { challengeTarget, cnameTarget } from './targets.ts';

const settings = { domain: 'service.example' as Hostname };
const id = 'rd_1';
const target = String(cnameTarget(id, { domain: 'a.example' as HostPattern, region: 'us' }, settings));
const challenge = String(challengeTarget(id, '*.a.example' as HostPattern, settings));
let server: NameServer;
let resolver: DnsResolver;

before(async () => {
  server = await NameServer.start();
  resolver = new DnsResolver([server.address]);
  server.set(target, 'A', '192.0.2.1', '192.0.2.2');
  server.set(target, 'AAAA', '2001:db8::1');
});
after(() => server.close());

function check(domain: string, lookup: NameLookup = resolver): Promise<NameCheck> {
  const checked: CheckedName = { id, domain: domain as HostPattern, cname_target: target };
  return checkName({ lookup, settings }, checked);
}

/** Returns the message for the owner. */
async function told(domain: string): Promise<string> {
  const checked = await check(domain);
  assert.equal(checked.state, 'wrong');
  return checked.state === 'wrong' ? describeWrongRecord(checked.record) : '';
}

test('a name whose CNAME is its target is right, however that is spelled', async () => {
  server.set('app.example.com', 'CNAME', target);
  server.set('caps.example.com', 'CNAME', `${target.toUpperCase()}.`);
  assert.deepEqual(await check('app.example.com'), { state: 'right', by: 'alias' });
  assert.deepEqual(await check('caps.example.com'), { state: 'right', by: 'alias' });
});

test('a name is right whose aliases lead to its target one after another, also when that is an alias itself', async () => {
  server.set('long.example.com', 'CNAME', 'www.example.net');
  server.set('www.example.net', 'CNAME', target);
  assert.deepEqual(await check('long.example.com'), { state: 'right', by: 'alias' });
  server.set('alias.example.com', 'CNAME', target);
  server.set(target, 'CNAME', 'edge.service.example');
  assert.deepEqual(await check('alias.example.com'), { state: 'right', by: 'alias' });
  server.set(target, 'CNAME');
});

test('at the apex of a zone the addresses of the target do, and none besides', async () => {
  server.set('apex.example', 'A', '192.0.2.2');
  server.set('apex.example', 'AAAA', '2001:DB8:0::1');
  assert.deepEqual(await check('apex.example'), { state: 'right', by: 'addresses' });
  server.set('half.example', 'A', '192.0.2.1', '198.51.100.7');
  assert.equal(
    await told('half.example'),
    `half.example has no CNAME record but the addresses 192.0.2.1, 198.51.100.7; it should have a CNAME record with the value ${target}, or the addresses 192.0.2.1, 192.0.2.2, 2001:db8::1`,
  );
});

test('a name without records, and one that leads elsewhere, is wrong with what it is and what it should be', async () => {
  assert.match(
    await told('none.example.com'),
    new RegExp(
      `^none.example.com has no CNAME record; it should have a CNAME record with the value ${target}`,
    ),
  );
  server.set('old.example.com', 'CNAME', 'cdn.example.net');
  server.set('cdn.example.net', 'CNAME', 'host.example.org');
  assert.match(
    await told('old.example.com'),
    /^the CNAME record of old.example.com leads to cdn.example.net, then to host.example.org; /,
  );
});

test('the target of another reservation is wrong, although it has the same addresses', async () => {
  const other = String(cnameTarget('rd_2', { domain: 'a.example' as HostPattern, region: 'eu' }, settings));
  server.set('left.example.com', 'CNAME', other);
  server.set(other, 'A', '192.0.2.1');
  assert.equal(
    await told('left.example.com'),
    `the CNAME record of left.example.com leads to ${other}; it should have a CNAME record with the value ${target}`,
  );
});

test('aliases in a circle end', async () => {
  const other = (name: string) => (name === 'one.example.com' ? 'two.example.com' : 'one.example.com');
  const circle = { ...empty, canonicalName: async (name: string) => other(name) };
  assert.equal((await check('one.example.com', circle)).state, 'wrong');
});

test('a chain without end is left', async () => {
  let asked = 0;
  const endless = { ...empty, canonicalName: async () => `${++asked}.example.com` };
  assert.equal((await check('a.example.com', endless)).state, 'wrong');
  assert.equal(asked, 16);
});

test('a wildcard is right by the alias of its challenges alone', async () => {
  server.set('wild.example.com', 'CNAME', target);
  assert.match(
    await told('*.wild.example.com'),
    new RegExp(
      `^_acme-challenge.wild.example.com has no CNAME record; it should have a CNAME record with the value ${challenge}$`,
    ),
  );
  server.set('_acme-challenge.wild.example.com', 'CNAME', challenge);
  assert.deepEqual(await check('*.wild.example.com'), { state: 'right', by: 'alias' });
});

test('a server that fails, and one that is not there, leave it unknown and say why', async () => {
  server.fail('broken.example.com');
  const failed = await check('broken.example.com');
  assert.equal(failed.state, 'unknown');
  assert.match(
    failed.state === 'unknown' ? failed.reason : '',
    /^no name server returned the CNAME records of broken.example.com \(ESERVFAIL\)$/,
  );
  const gone = await NameServer.start();
  const nobody = new DnsResolver([gone.address]);
  gone.close();
  assert.equal((await check('app.example.com', nobody)).state, 'unknown');
});

test('a text is joined of its strings, and a name without one has none', async () => {
  server.set('text.example.com', 'TXT', 'x');
  assert.deepEqual(await resolver.texts('text.example.com'), ['x']);
  assert.deepEqual(await resolver.texts('no-text.example.com'), []);
});

test('targets differ between reservations, and names below the shared domain have none', () => {
  const wildcard = '*.example.com' as HostPattern;
  const below = '*.a.service.example' as HostPattern;
  assert.notEqual(challengeTarget('rd_2', wildcard, settings), challengeTarget(id, wildcard, settings));
  assert.match(challenge, /^[0-9a-f]{20}\.acme\.service\.example$/);
  assert.match(target, /^[0-9a-f]{20}\.cname\.us\.service\.example$/);
  assert.equal(challengeTarget(id, 'www.example.com' as HostPattern, settings), null);
  assert.equal(challengeTarget(id, below, settings), null);
  assert.equal(cnameTarget(id, { domain: below, region: 'us' }, settings), null);
});

const empty: NameLookup = {
  canonicalName: async () => null,
  addresses: async () => [],
  texts: async () => [],
};

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HostPattern } from '../core/names/hostname.ts';
import { CertificateBudgetError } from './certificate-source.ts';
import type { Leaf } from './leaf.ts';
import { LocalCertificates } from './local-certificates.ts';

const day = 24 * 60 * 60_000;

/** Certificates of an authority that only counts, for 397 days, on a clock that tests move. */
function start(limit?: number) {
  const world = { now: Date.UTC(2030, 0, 1), issued: [] as string[], fails: false };
  const issue = async (name: HostPattern) => {
    if (world.fails) throw new Error('no entropy');
    world.issued.push(name);
    const notAfter = new Date(world.now + 397 * day);
    return { certificatePem: `${name} ${world.issued.length}`, privateKeyPem: 'key', notAfter };
  };
  const source = new LocalCertificates({
    authority: { issue },
    authorityPem: 'the authority',
    now: () => world.now,
    ...(limit === undefined ? {} : { limit }),
  });
  return { world, of: (leaf: Leaf) => source.certificateOf(leaf) };
}

const leaf = (name: string, owner = 'ac_1', charged: Leaf['charged'] = null): Leaf => ({
  name: name as HostPattern,
  owner,
  charged,
});

/** Returns the number of leaves that can be issued at once. */
async function made(of: (leaf: Leaf) => Promise<unknown>, leaves: readonly Leaf[]): Promise<number> {
  const results = await Promise.allSettled(leaves.map(of));
  for (const result of results)
    if (result.status === 'rejected') assert.ok(result.reason instanceof CertificateBudgetError);
  return results.filter(({ status }) => status === 'fulfilled').length;
}

test('a name has one certificate until shortly before it expires', async () => {
  const { world, of } = start();
  const [first, second] = await Promise.all([of(leaf('a.b')), of(leaf('a.b'))]);
  assert.equal(first, second);
  assert.deepEqual(first, { name: 'a.b', cert: 'a.b 1', key: 'key' });
  world.now += 360 * day;
  assert.equal(await of(leaf('a.b')), first);
  world.now += 10 * day;
  assert.equal((await of(leaf('a.b'))).cert, 'a.b 2');
});

test('names of the service come with the authority, by whose fingerprint agents know it', async () => {
  const { of } = start();
  assert.equal((await of(leaf('*.shared', 'service'))).cert, '*.shared 1\nthe authority');
  assert.equal((await of(leaf('a.b'))).cert, 'a.b 2');
});

test('a certificate that was made while the clock was ahead is not kept when it is right again', async () => {
  const { world, of } = start();
  world.now += day;
  assert.equal((await of(leaf('a.b'))).cert, 'a.b 1');
  assert.equal((await of(leaf('a.b'))).cert, 'a.b 1');
  world.now -= day;
  assert.equal((await of(leaf('a.b'))).cert, 'a.b 2');
  world.now -= 600_000;
  assert.equal((await of(leaf('a.b'))).cert, 'a.b 2', 'it is valid from an hour before');
});

test('a failure to issue is not kept', async () => {
  const { world, of } = start();
  world.fails = true;
  await assert.rejects(of(leaf('a.b')), /no entropy/);
  world.fails = false;
  assert.equal((await of(leaf('a.b'))).cert, 'a.b 1');
});

test('an account with many names pushes out its own, and nobody else’s', async () => {
  const { world, of } = start(10);
  const quiet = await Promise.all([of(leaf('a.quiet', 'ac_2')), of(leaf('b.quiet', 'ac_3'))]);
  for (let at = 0; at < 100; at += 1) await of(leaf(`n${at}.busy`));
  assert.deepEqual(await Promise.all([of(leaf('a.quiet', 'ac_2')), of(leaf('b.quiet', 'ac_3'))]), quiet);
  assert.equal(world.issued.length, 102);
});

test('what visitors make up is limited for each reservation, then goes on slowly', async () => {
  const { world, of } = start();
  const below = (reservation: string, from: number) =>
    Array.from({ length: 200 }, (_, at) =>
      leaf(`*.n${from + at}.${reservation}`, 'ac_1', { account: 'ac_1', reservation }),
    );
  assert.equal(await made(of, below('rd_1', 0)), 128);
  assert.equal(await made(of, below('rd_2', 0)), 128, 'another reservation has its own');
  assert.equal(await made(of, below('rd_1', 0).slice(0, 128)), 128, 'what was made is served on');
  assert.equal(
    await made(of, [leaf('own.rd_1'), leaf('*.rd_1')]),
    2,
    'what nobody can make up is not charged',
  );
  world.now += 10_000;
  assert.equal(await made(of, below('rd_1', 1000)), 20);
  world.now -= day;
  assert.equal(await made(of, below('rd_1', 2000)), 0, 'a clock that is set back gives nothing');
});

test('an account with many reservations has a limit too, and no part in that of others', async () => {
  const { of } = start();
  const below = (account: string) =>
    Array.from({ length: 1000 }, (_, at) =>
      leaf(`*.x.n${at}.${account}`, account, { account, reservation: `rd_${account}_${at % 50}` }),
    );
  assert.equal(await made(of, below('ac_1')), 512);
  assert.equal(await made(of, below('ac_2')), 512);
  const unreserved = leaf('*.x.shared', 'ac_1', { account: 'ac_1', reservation: null });
  assert.equal(await made(of, [unreserved]), 0);
});

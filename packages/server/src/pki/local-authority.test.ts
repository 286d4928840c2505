import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { randomBytes, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { missingPrograms } from '../../../../test/harness/missing.ts';
import type { Hostname } from '../core/names/hostname.ts';
import type { DocumentStore } from '../documents/index.ts';
import { documentsIn } from '../documents/store.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import { LocalAuthority } from './local-authority.ts';
import { SealError, Sealer } from './seal.ts';

const skip = missingPrograms('openssl');
const run = promisify(execFile);
const day = 24 * 60 * 60_000;
const sealer = new Sealer(randomBytes(32));
const now = Date.now;
let directory: string;
let store: DocumentStore;
let authority: LocalAuthority;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'authority-'));
  store = documentsIn(await openSqliteStore({ path: join(directory, 'test.db') }));
  authority = await LocalAuthority.load({ store, sealer, now, name: 'Test CA' });
  await writeFile(join(directory, 'ca.pem'), authority.certificatePem);
});

after(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

async function leafFile(hostname: string): Promise<string> {
  const path = join(directory, `${randomBytes(6).toString('hex')}.pem`);
  const { certificatePem } = await authority.issue(hostname as Hostname);
  await writeFile(path, certificatePem);
  return path;
}

function verify(leaf: string, ...args: string[]): Promise<{ stdout: string }> {
  return run('openssl', ['verify', '-x509_strict', '-CAfile', join(directory, 'ca.pem'), ...args, leaf]);
}

test('openssl accepts a certificate for its name and purpose, and for no other', { skip: skip }, async () => {
  const leaf = await leafFile('a.underpass.localhost');
  const { stdout } = await verify(leaf, '-purpose', 'sslserver', '-verify_hostname', 'a.underpass.localhost');
  assert.match(stdout, /: OK/);
  await assert.rejects(verify(leaf, '-verify_hostname', 'b.underpass.localhost'), /[Hh]ostname mismatch/);
  await assert.rejects(verify(leaf, '-verify_hostname', 'x.a.underpass.localhost'), /[Hh]ostname mismatch/);
  await assert.rejects(verify(leaf, '-purpose', 'sslclient'), /purpose/);
});

test('a name too long to be a common name is in the alternative names alone', { skip: skip }, async () => {
  const long = `${'a'.repeat(63)}.${'b'.repeat(63)}.example.com`;
  const leaf = await leafFile(long);
  assert.match((await verify(leaf, '-purpose', 'sslserver', '-verify_hostname', long)).stdout, /: OK/);
  const { stdout } = await run('openssl', [
    'x509',
    '-in',
    leaf,
    '-noout',
    '-subject',
    '-ext',
    'subjectAltName',
  ]);
  assert.match(stdout, /subject=\s*\n/);
  assert.match(stdout, /Alternative Name: critical/);
});

test('a wildcard is valid for names with one more label, and for nothing else', { skip: skip }, async () => {
  const leaf = await leafFile('*.b.example.com');
  for (const [hostname, isValid] of [
    ['a.b.example.com', true],
    ['b.example.com', false],
    ['x.a.b.example.com', false],
  ] as const) {
    const verified = verify(leaf, '-purpose', 'sslserver', '-verify_hostname', hostname);
    if (isValid) assert.match((await verified).stdout, /: OK/);
    else await assert.rejects(verified, /[Hh]ostname mismatch/, hostname);
  }
});

test('the certificates say what they may be used for', { skip: skip }, async () => {
  const leaf = await leafFile('a.example.com');
  const { stdout: text } = await run('openssl', ['x509', '-in', leaf, '-noout', '-text']);
  for (const part of [
    /Version: 3/,
    /Subject: CN\s?=\s?a\.example\.com/,
    /Issuer: CN\s?=\s?Test CA/,
    /Basic Constraints: critical\s+CA:FALSE/,
    /Key Usage: critical\s+Digital Signature\n/,
    /Extended Key Usage:\s+TLS Web Server Authentication\n/,
    /DNS:a\.example\.com\n/,
    /Signature Algorithm: ecdsa-with-SHA256/,
  ]) {
    assert.match(text, part);
  }
  const { stdout: ca } = await run('openssl', ['x509', '-in', join(directory, 'ca.pem'), '-noout', '-text']);
  for (const part of [
    /CA:TRUE, pathlen:0/,
    /Key Usage: critical\s+Certificate Sign, CRL Sign\n/,
    /Subject Key Identifier/,
  ]) {
    assert.match(ca, part);
  }
  const keyId = /Key Identifier:\s+([0-9A-F:]+)/g;
  const authorityId = /Authority Key Identifier:\s+(?:keyid:)?([0-9A-F:]+)/.exec(text)?.[1];
  assert.equal(authorityId, keyId.exec(ca)?.[1]);
});

test('lifetimes begin an hour ago and end when clients still accept them', async () => {
  const clock = Date.UTC(2030, 5, 1);
  const past = documentsIn(await openSqliteStore({ path: join(directory, 'lifetimes.db') }));
  const made = await LocalAuthority.load({ store: past, sealer, now: () => clock, name: 'CA' });
  const ca = new X509Certificate(made.certificatePem);
  assert.equal(ca.validFromDate.getTime(), clock - 3_600_000);
  // Beyond 2049, where the encoding of dates changes.
  const late = await LocalAuthority.load({
    store: past,
    sealer,
    now: () => Date.UTC(2040, 4, 1),
    name: 'CA',
  });
  const leaf = await made.issue('a.example.com' as Hostname);
  const certificate = new X509Certificate(leaf.certificatePem);
  assert.equal(certificate.validFromDate.getTime(), clock - 3_600_000);
  assert.equal(certificate.validToDate.getTime() - certificate.validFromDate.getTime(), 397 * day);
  assert.equal(certificate.validToDate.getTime(), leaf.notAfter.getTime());
  const last = await late.issue('a.example.com' as Hostname);
  assert.equal(last.notAfter.getTime(), ca.validToDate.getTime());
  await past.close();
});

test('dates after 2049 are written as openssl reads them', async () => {
  const future = documentsIn(await openSqliteStore({ path: join(directory, 'future.db') }));
  const made = await LocalAuthority.load({
    store: future,
    sealer,
    now: () => Date.UTC(2045, 0, 1),
    name: 'CA',
  });
  assert.equal(new X509Certificate(made.certificatePem).validToDate.getUTCFullYear(), 2054);
  await future.close();
});

test('serials and keys are never the same twice', async () => {
  const made = await Promise.all(
    Array.from({ length: 20 }, () => authority.issue('a.example.com' as Hostname)),
  );
  const certificates = made.map(({ certificatePem }) => new X509Certificate(certificatePem));
  assert.equal(new Set(certificates.map(({ serialNumber }) => serialNumber)).size, 20);
  assert.equal(new Set(certificates.map(({ fingerprint256 }) => fingerprint256)).size, 20);
  for (const certificate of certificates) assert.match(certificate.serialNumber, /^[4-7][0-9A-F]{31}$/);
});

test('of several daemons that start at once all get one authority, also later', async () => {
  const fresh = documentsIn(await openSqliteStore({ path: join(directory, 'race.db') }));
  const load = (): Promise<LocalAuthority> => LocalAuthority.load({ store: fresh, sealer, now, name: 'CA' });
  const loaded = await Promise.all([load(), load(), load()]);
  loaded.push(await load());
  assert.equal(new Set(loaded.map(({ certificatePem }) => certificatePem)).size, 1);
  const { documents } = await fresh.snapshot(['local_ca']);
  assert.equal(documents.length, 1);
  assert.equal(documents[0]?.account, 'system');
  assert.doesNotMatch(JSON.stringify(documents), /PRIVATE KEY/);
  await assert.rejects(
    LocalAuthority.load({ store: fresh, sealer: new Sealer(randomBytes(32)), now, name: 'CA' }),
    SealError,
  );
  await fresh.close();
});

test('openssl s_client trusts a server that has such a certificate', { skip: skip }, async () => {
  const { certificatePem: cert, privateKeyPem: key } = await authority.issue('a.example.com' as Hostname);
  const server = tls.createServer({ cert, key }, (socket) => {
    socket.on('error', () => {});
    socket.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = spawn('openssl', [
    ...['s_client', '-connect', `127.0.0.1:${port}`, '-servername', 'a.example.com'],
    ...['-CAfile', join(directory, 'ca.pem'), '-verify_hostname', 'a.example.com', '-verify_return_error'],
  ]);
  client.stdin.end();
  let output = '';
  client.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(client, 'close');
  assert.equal(code, 0);
  assert.match(output, /Verify return code: 0 \(ok\)/);
  server.close();
});

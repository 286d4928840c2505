import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Hostname } from '../core/names/hostname.ts';
import { CertificateFileError } from './certificate-files.ts';
import { type ChainOptions, makeChain, type TestChain } from './certificates.fixture.ts';
import { ServiceCertificates } from './service-certificates.ts';

const directory = mkdtempSync(join(tmpdir(), 'underpass-service-certificates-'));
after(() => rmSync(directory, { recursive: true }));

const wildcard = { names: 'DNS:*.shared.example,DNS:shared.example' };
const first = makeChain('shared.example', wildcard);
const renewed = makeChain('shared.example', wildcard);
const expired = makeChain('shared.example', { ...wildcard, isExpired: true });

let count = 0;
/** Writes a pair of files, and answers where they are. */
function place(chain: TestChain, key = chain.key) {
  count += 1;
  const folder = join(directory, String(count));
  mkdirSync(folder);
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  write(files, chain, key);
  return files;
}

type Files = ReturnType<typeof place>;

function write(files: Files, chain: TestChain, key = chain.key): void {
  writeFileSync(files.cert, chain.leaf + chain.intermediate + chain.root);
  writeFileSync(files.key, key);
}

async function load(...files: Files[]) {
  const lines: string[] = [];
  const line = (level: string) => (about: unknown, message?: string) =>
    void lines.push(`${level} ${message ?? about}`);
  const world = { now: Date.now() };
  const source = await ServiceCertificates.load({
    files,
    shared: 'shared.example' as Hostname,
    names: ['api.elsewhere.example', 'connect.shared.example'] as Hostname[],
    now: () => world.now,
    log: { info: line('info'), warn: line('warn'), error: line('error') },
  });
  const leafOf = (name: string) => source.certificateOf(name as Hostname)?.cert.split('-----END')[0];
  return { source, world, lines, leafOf };
}

const leafIn = ({ leaf }: TestChain) => leaf.split('-----END')[0];

test('a certificate is served for the names of the service that it is valid for, and for no others', async () => {
  const { leafOf, lines } = await load(
    place(makeChain('x', { names: 'DNS:*.shared.example,DNS:*.elsewhere.example,DNS:shop.example' })),
  );
  for (const name of ['app.shared.example', 'connect.shared.example', 'api.elsewhere.example'])
    assert.ok(leafOf(name), name);
  for (const name of ['a.b.shared.example', 'shared.example', 'www.elsewhere.example', 'shop.example'])
    assert.equal(leafOf(name), undefined, name);
  assert.ok(!lines.some((line) => line.startsWith('warn')), lines.join('\n'));
});

test('without any there is none', async () => {
  const { source, leafOf, lines } = await load();
  assert.equal(leafOf('app.shared.example'), undefined);
  assert.deepEqual(source.roots(), []);
  assert.deepEqual(lines, []);
});

test('of several the first that is valid is served, and one that is expired only where there is no other', async () => {
  const both = await load(place(expired), place(first));
  assert.equal(both.leafOf('app.shared.example'), leafIn(first));
  assert.deepEqual(
    both.source.expiries().map(({ notAfterMs }) => notAfterMs < Date.now()),
    [true, false],
  );
  const one = await load(place(expired));
  assert.equal(one.leafOf('app.shared.example'), leafIn(expired));
  assert.match(one.lines.join('\n'), /^warn .*expired at 20/m);
});

test('what replaces it is served, under the same name for session tickets', async () => {
  const files = place(first);
  const { source, leafOf } = await load(files);
  const former = source.certificateOf('app.shared.example' as Hostname);
  let changes = 0;
  const stop = source.watch(async () => {
    changes += 1;
  });
  await source.look();
  assert.equal(source.certificateOf('app.shared.example' as Hostname), former, 'the same object until then');
  write(files, renewed);
  await source.look();
  await stop();
  assert.equal(leafOf('app.shared.example'), leafIn(renewed));
  assert.equal(source.certificateOf('app.shared.example' as Hostname)?.name, former?.name);
  assert.equal(changes, 1);
  assert.deepEqual(source.roots(), [renewed.root]);
});

test('a directory that is put in its place behind a link is seen', async () => {
  const folder = join(directory, 'link');
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  const at = (chain: TestChain) => join(place(chain).cert, '..');
  symlinkSync(at(first), folder);
  const { source, leafOf } = await load(files);
  symlinkSync(at(renewed), `${folder}.new`);
  renameSync(`${folder}.new`, folder);
  await source.look();
  assert.equal(leafOf('app.shared.example'), leafIn(renewed));
});

test('an unusable certificate leaves the old one in place, and is logged once while it stays', async () => {
  const files = place(first);
  const { source, world, lines, leafOf } = await load(files);
  const errors = () => lines.filter((line) => line.startsWith('error'));
  write(files, renewed, first.key);
  await source.look();
  assert.deepEqual(errors(), [], 'the other file may be on its way');
  await source.look();
  await source.look();
  assert.equal(errors().length, 1);
  assert.match(
    errors()[0]!,
    /served on: .*key\.pem: The private key does not belong to the first certificate/,
  );
  await source.readAgain();
  assert.equal(errors().length, 2, 'who asks is told');
  rmSync(files.key);
  await source.readAgain();
  assert.match(errors()[2]!, /--tls-key .*key\.pem: cannot be read/);
  write(files, expired);
  await source.readAgain();
  assert.match(errors()[3]!, /--tls-cert .*cert\.pem: expired at/);
  assert.equal(leafOf('app.shared.example'), leafIn(first));
  write(files, renewed);
  world.now -= 24 * 60 * 60_000;
  await source.readAgain();
  assert.match(errors()[4]!, /is not valid before/);
  world.now += 24 * 60 * 60_000;
  await source.look();
  assert.equal(leafOf('app.shared.example'), leafIn(renewed));
});

const refused: readonly (readonly [what: string, files: () => Files, expected: RegExp])[] = [
  [
    'a key of another certificate',
    () => place(first, renewed.key),
    /key\.pem: The private key does not belong/,
  ],
  [
    'a chain that is not in order',
    () => place({ ...first, intermediate: first.root, root: first.intermediate }),
    /cert\.pem: The certificates are not in order/,
  ],
  ['no PEM', () => place(first, 'secret'), /key\.pem: --tls-key is not one private key in PEM/],
  ['a large RSA key', () => place(shared({ key: 'too large rsa' })), /RSA with more than 4096 bits/],
  ['a small RSA key', () => place(shared({ key: 'small rsa' })), /a key is too weak/],
  [
    'a key of another kind',
    () => place(shared({ key: 'ed448' })),
    /"ed448" is unknown. Choose one of: rsa, ec/,
  ],
  ['names of others', () => place(makeChain('x', { names: 'DNS:www.shop.example' })), /www\.shop\.example/],
  ['a common name alone', () => place(shared({ names: 'IP:127.0.0.1' })), /no host name/],
  ['a directory', () => ({ ...place(first), cert: directory }), /is no regular file/],
  ['a large file', () => place(first, ' '.repeat(65_537)), /--tls-key .* is larger than 65536 bytes/],
  ['no file', () => ({ ...place(first), cert: '/nowhere' }), /--tls-cert \/nowhere: cannot be read/],
];

function shared(options: ChainOptions): TestChain {
  return makeChain('api.shared.example', options);
}

for (const [what, files, expected] of refused) {
  test(`a start is refused with ${what}`, async () => {
    await assert.rejects(load(files()), (error) => {
      assert.ok(error instanceof CertificateFileError);
      assert.match(error.message, expected);
      return true;
    });
  });
}

/** Mutual TLS with several authorities of one name, whose leaves do not state the key of their issuer. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { ClientCertificates, type Identity } from '../../../../../test/harness/client-certificates.ts';
import { opensslMissing } from '../../../../../test/harness/index.ts';
import type { LocalAuthority } from '../../pki/local-authority.ts';
import {
  atEdge,
  authorityDocument,
  backedBy,
  edgeDocument,
  put,
  responseDocument,
} from '../documents.fixture.ts';
import { openAuthority, openDoor, type TestDoor } from './front-door.fixture.ts';

const NAME = 'a.example.com';
const bare = { hasIdentifiers: false };
const isCa = ['basicConstraints=critical,CA:TRUE'];
let authority: LocalAuthority;
let made: ClientCertificates;
let former: Identity;
let present: Identity;

before(async () => {
  authority = await openAuthority();
  made = new ClientCertificates();
  [former, present] = [namesake(), namesake()];
});
after(() => made.remove());

function namesake(signer?: Identity): Identity {
  return made.make('Corp CA', signer, { ...bare, extensions: isCa });
}
const leafOf = (signer: Identity, more: object = {}) => made.make('visitor', signer, { ...bare, ...more });

/** Returns an edge with the authorities `ca_0`, `ca_1` and so on. */
function edge(...listed: readonly Identity[]) {
  const mutual_tls = { enabled: true, certificate_authority_ids: listed.map((_, at) => `ca_${at}`) };
  const modules = { backend: backedBy('bkdhr_1'), tls_termination: atEdge, mutual_tls };
  return edgeDocument('edgtls_1', [NAME], modules);
}

function documents(...listed: readonly Identity[]) {
  const authorities = listed.map(({ pem }, at) => authorityDocument(`ca_${at}`, pem));
  return [responseDocument('bkdhr_1', 'hello'), ...authorities, edge(...listed)];
}

async function isServed(door: TestDoor, shown: Identity | null, maxVersion: 'TLSv1.2' | 'TLSv1.3') {
  const mine = shown === null ? {} : { cert: shown.pem, key: shown.key };
  const socket = door.connect(NAME, { ...mine, maxVersion });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.once('data', () => resolve(true));
  socket.on('error', () => resolve(false));
  socket.once('close', () => resolve(false));
  const served = await promise;
  socket.destroy();
  return served;
}

async function inBoth(door: TestDoor, shown: Identity | null): Promise<readonly boolean[]> {
  return [await isServed(door, shown, 'TLSv1.2'), await isServed(door, shown, 'TLSv1.3')];
}

test('leaves of two authorities with one name are served, in whatever order these are listed', async (t) => {
  const below = made.make('Below', present, { ...bare, extensions: isCa });
  const shown = [
    leafOf(former),
    leafOf(present),
    leafOf(present, { extensions: ['keyUsage=digitalSignature', 'extendedKeyUsage=clientAuth'] }),
    made.chain(leafOf(below), below),
  ];
  for (const listed of [
    [former, present],
    [present, former],
    [made.authority('Other'), former, namesake(), present],
  ]) {
    const door = await openDoor(t, { authority, documents: documents(...listed) });
    for (const each of shown) {
      assert.deepEqual(await inBoth(door, each), [true, true]);
      assert.equal(door.handed.at(-1)?.facts.tls?.clientCertificate?.commonName, 'visitor');
    }
  }
});

test('an authority that was stored in a form that OpenSSL does not read admits its leaves', async (t) => {
  const root = made.authority('Indented');
  const indented = { ...root, pem: root.pem.replaceAll(/^/gm, '    ') };
  const door = await openDoor(t, { authority, documents: documents(indented) });
  assert.deepEqual(await inBoth(door, leafOf(root)), [true, true]);
  assert.deepEqual(await inBoth(door, leafOf(present)), [false, false]);
});

test('no other client is, beside authorities with one name', async (t) => {
  const door = await openDoor(t, { authority, documents: documents(former, present) });
  const notAuthority = leafOf(present);
  const expired = made.make('Below', present, { ...bare, extensions: isCa, days: -1 });
  const forServers = made.make('Below', present, {
    ...bare,
    extensions: [...isCa, 'extendedKeyUsage=serverAuth'],
  });
  const mayNotSign = made.make('Below', present, {
    ...bare,
    extensions: [...isCa, 'keyUsage=digitalSignature'],
  });
  const third = namesake();
  const refused: Readonly<Record<string, Identity | null>> = {
    'without a certificate': null,
    'of a third authority by the name': leafOf(third),
    'of a third authority by the name, which it brings along': made.chain(leafOf(third), third),
    'signed by itself, by the name': made.make('Corp CA', undefined, bare),
    'signed by who is no authority': made.chain(leafOf(notAuthority), notAuthority),
    expired: leafOf(present, { days: -1 }),
    'for servers': leafOf(present, { extensions: ['extendedKeyUsage=serverAuth'] }),
    'for signing others only': leafOf(present, { extensions: ['keyUsage=keyCertSign'] }),
    'with a key that costs too much': leafOf(present, { key: 'too large rsa' }),
    'of an authority that has expired': made.chain(leafOf(expired), expired),
    'of an authority for servers': made.chain(leafOf(forServers), forServers),
    'of an authority whose key may not sign': made.chain(leafOf(mayNotSign), mayNotSign),
    'without what is between': leafOf(made.make('Below', present, { ...bare, extensions: isCa })),
  };
  for (const [what, shown] of Object.entries(refused))
    assert.deepEqual(await inBoth(door, shown), [false, false], what);
  assert.deepEqual(door.handed, []);
});

test('an authority of the name that has expired, or is gone, admits no more', async (t) => {
  const old = made.make('Corp CA', undefined, { ...bare, extensions: isCa, days: -1 });
  const door = await openDoor(t, { authority, documents: documents(former, old, present) });
  assert.deepEqual(await inBoth(door, leafOf(old)), [false, false]);
  assert.deepEqual(await inBoth(door, leafOf(present)), [true, true]);
  door.table.apply([put(edge(former, old))]);
  assert.deepEqual(await inBoth(door, leafOf(present)), [false, false]);
  assert.deepEqual(await inBoth(door, leafOf(former)), [true, true]);
});

test('a chain of many authorities by the name costs a bounded number of signatures', async (t) => {
  const door = await openDoor(t, { authority, documents: documents(former, present) });
  const others = Array.from({ length: 30 }, () => namesake());
  assert.deepEqual(await inBoth(door, made.chain(leafOf(namesake()), ...others)), [false, false]);
  assert.deepEqual(await inBoth(door, leafOf(present)), [true, true]);
});

test('openssl s_client is served with a leaf of either', { skip: opensslMissing }, async (t) => {
  const door = await openDoor(t, { authority, documents: documents(former, present) });
  for (const shown of [leafOf(former), leafOf(present)]) {
    const where = ['-connect', `127.0.0.1:${door.port}`, '-servername', NAME];
    const args = ['s_client', ...where, '-cert', shown.pemFile, '-key', shown.keyFile, '-quiet', '-ign_eof'];
    const { promise, resolve } = Promise.withResolvers<string>();
    const client = execFile('openssl', args, { timeout: 20_000 });
    client.stdin?.write('GET / HTTP/1.1\r\nhost: a.example.com\r\n\r\n');
    client.stdout?.once('data', (data) => resolve(String(data)));
    client.once('close', () => resolve('closed'));
    assert.notEqual(await promise, 'closed');
    client.kill();
  }
});

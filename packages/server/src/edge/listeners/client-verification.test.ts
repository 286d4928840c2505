import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { after, before, type TestContext, test } from 'node:test';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { type MuxStream, toDuplex } from '@underpass/wire';
import { ClientCertificates, type Identity } from '../../../../../test/harness/client-certificates.ts';
import { closing } from '../../../../../test/harness/closing.ts';
import { until } from '../../../../../test/harness/until.ts';
import type { LocalAuthority } from '../../pki/local-authority.ts';
import {
  atEdge,
  authorityDocument,
  backedBy,
  edgeDocument,
  groupDocument,
  put,
  responseDocument,
} from '../documents.fixture.ts';
import { openAgent, openAuthority, openDoor, rawClient, type TestDoor } from './front-door.fixture.ts';

const NAME = 'a.example.com';
let authority: LocalAuthority;
let made: ClientCertificates;
let root: Identity;
let good: Identity;

before(async () => {
  authority = await openAuthority();
  made = new ClientCertificates();
  root = made.authority('Root');
  good = made.make('visitor', root);
});
after(() => made.remove());

const asks = (...ids: readonly string[]) => ({ enabled: true, certificate_authority_ids: ids });

function edge(ids: readonly string[], id = 'edgtls_1', names = [NAME]) {
  const modules = { backend: backedBy('bkdhr_1'), tls_termination: atEdge, mutual_tls: asks(...ids) };
  return edgeDocument(id, names, modules);
}

function documents(listed: Identity) {
  return [responseDocument('bkdhr_1', 'hello'), authorityDocument('ca_1', listed.pem), edge(['ca_1'])];
}

/** `served`, or the client's error, or `closed`. */
async function outcome(
  door: TestDoor,
  shown: Identity | null,
  more: ConnectionOptions = {},
): Promise<string> {
  const mine = shown === null ? {} : { cert: shown.pem, key: shown.key };
  const socket = door.connect(NAME, { ...mine, ...more });
  const { promise, resolve } = Promise.withResolvers<string>();
  socket.once('data', () => resolve('served'));
  socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? ''));
  socket.once('close', () => resolve('closed'));
  const said = await promise;
  socket.destroy();
  return said;
}

async function served(door: TestDoor, shown: Identity, more: ConnectionOptions = {}): Promise<boolean> {
  return (await outcome(door, shown, more)) === 'served';
}

test('whom a listed authority signed is served, directly or by way of others, in each version of TLS', async (t) => {
  const door = await openDoor(t, { authority, documents: documents(root) });
  const below = made.authority('Below', root);
  const usage = (value: string) => ({ extensions: [`extendedKeyUsage=${value}`] });
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    assert.equal(await served(door, good, { maxVersion }), true);
    assert.equal(await served(door, made.chain(made.make('x', below), below), { maxVersion }), true);
  }
  assert.equal(await served(door, made.make('x', root, usage('clientAuth'))), true);
  assert.equal(door.handed.at(-1)?.facts.tls?.clientCertificate?.commonName, 'x');

  // A listed authority is trusted, even if another authority signed it.
  door.table.apply([put(authorityDocument('ca_1', below.pem))]);
  assert.equal(await served(door, made.make('x', below)), true);
  assert.equal(await served(door, good), false);
});

test('no other client is', async (t) => {
  const door = await openDoor(t, { authority, documents: documents(root) });
  const other = made.authority('Other');
  const notAuthority = made.make('Not CA', root);
  const sameName = made.authority('Root');
  const serverOnly = { extensions: ['extendedKeyUsage=serverAuth'] };
  const expiredBelow = made.authority('Expired', root, { days: -1 });
  const refused: Readonly<Record<string, Identity>> = {
    'of another authority': made.make('x', other),
    'of another authority, which it brings along': made.chain(made.make('x', other), other, root),
    'of an authority with the same name and another key': made.chain(made.make('x', sameName), sameName),
    'signed by itself': made.make('visitor'),
    'signed by itself, with the name of the authority': made.make('Root'),
    'signed by who is no authority': made.chain(made.make('x', notAuthority), notAuthority),
    'of an authority that has expired': made.chain(made.make('x', expiredBelow), expiredBelow),
    'without what is between': made.make('x', made.authority('Below', root)),
    expired: made.make('x', root, { days: -1 }),
    'for servers': made.make('x', root, serverOnly),
    'with a key that costs too much': made.make('x', root, { key: 'too large rsa' }),
    'of the service itself': {
      ...good,
      ...(await authority
        .issue(NAME as never)
        .then((own) => ({ pem: own.certificatePem, key: own.privateKeyPem }))),
    },
  };
  for (const [what, shown] of Object.entries(refused)) {
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      assert.equal(await served(door, shown, { maxVersion }), false, `${what}, ${maxVersion}`);
    }
  }
  assert.deepEqual(door.handed, []);
  assert.equal(await served(door, good), true);
});

test('who shows no certificate gets an alert', async (t) => {
  const door = await openDoor(t, { authority, documents: documents(root) });
  assert.equal(await outcome(door, null), 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED');
  assert.match(await outcome(door, null, { maxVersion: 'TLSv1.2' }), /ALERT_HANDSHAKE_FAILURE/);
  assert.deepEqual(door.handed, []);
});

test('without an authority no certificate will do: an empty list, one that is gone, expired or not readable', async (t) => {
  const old = made.authority('Old', undefined, { days: -1 });
  const door = await openDoor(t, { authority, documents: documents(old) });
  assert.equal(await served(door, made.make('x', old)), false);
  for (const change of [
    { listed: [], pem: root.pem },
    { listed: ['ca_none'], pem: root.pem },
    { listed: ['ca_1'], pem: 'nothing' },
    { listed: ['ca_1'], pem: '' },
  ]) {
    door.table.apply([put(authorityDocument('ca_1', change.pem)), put(edge(change.listed))]);
    assert.equal(await served(door, good), false);
  }
  assert.deepEqual(door.handed, []);
  door.table.apply([put(authorityDocument('ca_1', root.pem))]);
  assert.equal(await served(door, good), true);
});

test('each connection is verified anew: no session of one goes on in another', async (t) => {
  const door = await openDoor(t, { authority, documents: documents(root) });
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    const mine = { cert: good.pem, key: good.key, maxVersion };
    const first = door.connect(NAME, mine);
    let session: Buffer | undefined;
    first.on('session', (one: Buffer) => {
      session = one;
    });
    await once(first, 'data');
    session ??= first.getSession();
    assert.ok(session !== undefined);
    const second = door.connect(NAME, { ...mine, session });
    await once(second, 'secureConnect');
    assert.equal(second.isSessionReused(), false);
    assert.notEqual(await outcome(door, null, { session, maxVersion }), 'closed');
  }
});

test('chains beyond what is sensible end the handshake', async (t) => {
  const door = await openDoor(t, { authority, documents: documents(root) });
  const many = made.chain(good, ...Array.from({ length: 400 }, () => root));
  assert.match(await outcome(door, many), /ALERT/);
});

/** Forwards the client's first bytes, and the rest when the test calls. */
async function heldUp(
  t: TestContext,
  port: number,
): Promise<{ socket: net.Socket; held: Promise<() => void> }> {
  const held = Promise.withResolvers<() => void>();
  const relay = net.createServer((client) => {
    const server = rawClient(t, port);
    server.pipe(client);
    client.once('data', (hello) => {
      server.write(hello);
      client.pause();
      server.once('data', () => held.resolve(() => client.pipe(server)));
    });
    server.once('close', () => client.destroy());
    client.on('error', () => {});
    server.on('error', () => {});
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  t.after(() => relay.close());
  const { port: at } = relay.address() as net.AddressInfo;
  const socket = net.connect({ port: at, host: '127.0.0.1' });
  t.after(() => void socket.destroy());
  return { socket, held: held.promise };
}

test('bytes whose handshake began under other settings go nowhere, and those under way end', async (t) => {
  const opened: MuxStream[] = [];
  const agent = await openAgent(t, (stream) => void opened.push(stream));
  const site = (modules: Parameters<typeof edgeDocument>[2]) =>
    edgeDocument('edgtls_1', [NAME], { backend: backedBy('bkdtg_1'), tls_termination: atEdge, ...modules });
  const door = await openDoor(t, {
    authority,
    documents: [authorityDocument('ca_1', root.pem), groupDocument('bkdtg_1', {}), site({})],
  });
  door.tunnels.push(agent.tunnel);
  const { socket, held } = await heldUp(t, door.port);
  const client = door.connect(NAME, { socket });
  client.write('SECRET');
  const closed = closing(client);
  const release = await held;
  door.table.apply([put(site({ mutual_tls: asks('ca_1') }))]);
  release();
  await closed;
  const proven = door.connect(NAME, { cert: good.pem, key: good.key });
  await once(proven, 'secureConnect');
  await until(() => opened.length === 1);

  const over = closing(proven);
  door.table.apply([put(site({ mutual_tls: asks() }))]);
  await over;
});

test('whose authority is replaced while the handshake is under way gets nowhere', async (t) => {
  const opened: MuxStream[] = [];
  const agent = await openAgent(t, (stream) => void opened.push(stream));
  const other = made.authority('Other');
  const edgeOf = (...ids: readonly string[]) =>
    edgeDocument('edgtls_1', [NAME], {
      backend: backedBy('bkdtg_1'),
      tls_termination: atEdge,
      mutual_tls: asks(...ids),
    });
  const listed = [authorityDocument('ca_1', root.pem), authorityDocument('ca_2', other.pem)];
  const door = await openDoor(t, {
    authority,
    documents: [...listed, groupDocument('bkdtg_1', {}), edgeOf('ca_1')],
  });
  door.tunnels.push(agent.tunnel);
  for (const change of [put(edgeOf('ca_2')), put(authorityDocument('ca_1', other.pem))]) {
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      door.table.apply([put(listed[0]!), put(edgeOf('ca_1'))]);
      const { socket, held } = await heldUp(t, door.port);
      const client = door.connect(NAME, { socket, cert: good.pem, key: good.key, maxVersion });
      client.write('SECRET');
      client.on('error', () => {});
      const closed = closing(client);
      const release = await held;
      door.table.apply([change]);
      release();
      await closed;
    }
  }
  assert.deepEqual(opened, []);
  door.table.apply([put(listed[0]!), put(edgeOf('ca_1'))]);
  const proven = door.connect(NAME, { cert: good.pem, key: good.key });
  await once(proven, 'secureConnect');
  await until(() => opened.length === 1);
});

test('bytes under way go on under settings that their TLS suits, and end under others', async (t) => {
  const agent = await openAgent(t, (stream) => {
    const duplex = toDuplex(stream);
    duplex.on('error', () => {});
    duplex.pipe(duplex);
  });
  const site = (tls_termination: object) =>
    edgeDocument('edgtls_1', [NAME], {
      backend: backedBy('bkdtg_1'),
      tls_termination: { ...atEdge, ...tls_termination },
    });
  const door = await openDoor(t, { authority, documents: [groupDocument('bkdtg_1', {}), site({})] });
  door.tunnels.push(agent.tunnel);
  const echoed = async (client: TLSSocket) => {
    client.write('hello');
    assert.equal(String((await once(client, 'data'))[0]), 'hello');
  };
  const old = door.connect(NAME, { maxVersion: 'TLSv1.2' });
  const client = door.connect(NAME);
  await Promise.all([echoed(old), echoed(client)]);
  door.table.apply([put(site({ min_version: '1.1' }))]);
  await Promise.all([echoed(old), echoed(client)]);
  const over = closing(old);
  door.table.apply([put(site({ min_version: '1.3' }))]);
  await over;
  await echoed(client);
});

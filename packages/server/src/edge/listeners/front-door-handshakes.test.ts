import assert from 'node:assert/strict';
import { once } from 'node:events';
import { before, test } from 'node:test';
import type tls from 'node:tls';
import type { LocalAuthority } from '../../pki/local-authority.ts';
import { put } from '../documents.fixture.ts';
import {
  certificatesOf,
  firstLine,
  openAuthority,
  openDoor,
  response,
  terminated,
} from './front-door.fixture.ts';

let authority: LocalAuthority;
before(async () => {
  authority = await openAuthority();
});

const DAY_MS = 86_400_000;

test('an edge takes only clients of its minimum version', async (t) => {
  const documents = [
    response,
    terminated('edgtls_1', ['new.example.com'], '1.3'),
    terminated('edgtls_2', ['old.example.com'], '1.0'),
    terminated('edgtls_3', ['a.example.com']),
  ];
  const { greeting, connect } = await openDoor(t, { authority, documents });
  await assert.rejects(greeting('new.example.com', { maxVersion: 'TLSv1.2' }), {
    code: /ALERT_PROTOCOL_VERSION/,
  });
  assert.equal(await greeting('new.example.com'), 'new.example.com edgtls_1/TLSv1.3');
  const ancient = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const;
  const socket = connect('old.example.com', ancient);
  assert.equal(await firstLine(socket), 'old.example.com edgtls_2/TLSv1');
  assert.equal(socket.getProtocol(), 'TLSv1.1');
  assert.equal(
    await greeting('old.example.com', { ...ancient, maxVersion: 'TLSv1' }),
    'old.example.com edgtls_2/TLSv1',
  );
  await assert.rejects(greeting('a.example.com', ancient), { code: /ALERT_PROTOCOL_VERSION/ });
  const modern = connect('old.example.com');
  await firstLine(modern);
  assert.equal(modern.getProtocol(), 'TLSv1.3');
});

test('of the suites that a client offers the one that costs least is agreed on, and any other that it insists on', async (t) => {
  const documents = [response, terminated('edgtls_1', ['a.example.com'])];
  const { connect } = await openDoor(t, { authority, documents });
  const suiteWith = async (options: tls.ConnectionOptions): Promise<string> => {
    const socket = connect('a.example.com', options);
    await firstLine(socket);
    return socket.getCipher().name;
  };
  assert.equal(await suiteWith({}), 'TLS_AES_128_GCM_SHA256');
  assert.equal(await suiteWith({ maxVersion: 'TLSv1.2' }), 'ECDHE-ECDSA-AES128-GCM-SHA256');
  for (const ciphers of ['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'])
    assert.equal(await suiteWith({ ciphers }), ciphers);
});

/** A session ticket of one connection to a name. */
async function ticketFrom(socket: tls.TLSSocket): Promise<Buffer> {
  const ticket = once(socket, 'session');
  await firstLine(socket);
  const [session] = (await ticket) as [Buffer];
  return session;
}

test('a session ticket of one edge resumes there and nowhere else', async (t) => {
  const second = terminated('edgtls_2', ['b.example.com']);
  const { connect, table } = await openDoor(t, {
    authority,
    documents: [response, terminated('edgtls_1', ['a.example.com', '*.a.example.com']), second],
  });
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    const session = await ticketFrom(connect('a.example.com', { maxVersion }));
    const reused = async (servername: string, ticket = session): Promise<boolean> => {
      const socket = connect(servername, { maxVersion, session: ticket });
      await firstLine(socket);
      const resumed = socket.isSessionReused();
      if (!resumed) assert.equal(socket.getPeerCertificate().subjectaltname, `DNS:${servername}`);
      return resumed;
    };
    assert.equal(await reused('a.example.com'), true);
    assert.equal(await reused('b.example.com'), false);
    assert.equal(await reused('x.a.example.com'), false);
    const other = await ticketFrom(connect('b.example.com', { maxVersion }));
    assert.equal(await reused('b.example.com', other), true);
    table.apply([put(terminated('edgtls_2', ['b.example.com'], '1.1'))]);
    assert.equal(await reused('b.example.com', other), false);
    table.apply([put(second)]);
  }
});

test('a session ticket is good for the day after its own, and is replaced by one that is not good for longer', async (t) => {
  let today = Date.UTC(2026, 10, 22, 23);
  const documents = [response, terminated('edgtls_1', ['a.example.com'])];
  const { connect } = await openDoor(t, { authority, documents, today: () => today });
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    const reused = async (session: Buffer): Promise<boolean> => {
      const socket = connect('a.example.com', { maxVersion, session });
      await firstLine(socket);
      return socket.isSessionReused();
    };
    const session = await ticketFrom(connect('a.example.com', { maxVersion }));
    today += DAY_MS;
    assert.equal(await reused(session), true);
    const next = await ticketFrom(connect('a.example.com', { maxVersion }));
    assert.equal(await reused(next), true);
    today += DAY_MS;
    assert.equal(await reused(session), false);
    assert.equal(await reused(next), true);
  }
});

test('h2 is negotiated, else http/1.1, and a client that wants only something else is told so', async (t) => {
  const { greeting, connect, handed } = await openDoor(t, {
    authority,
    documents: [response, terminated('edgtls_1', ['a.example.com'])],
  });
  for (const [offered, negotiated] of [
    [['http/1.1', 'h2'], 'h2'],
    [['http/1.1'], 'http/1.1'],
  ] as const) {
    const socket = connect('a.example.com', { ALPNProtocols: [...offered] });
    await firstLine(socket);
    assert.equal(socket.alpnProtocol, negotiated);
    assert.equal(handed.at(-1)?.isHttp2, negotiated === 'h2');
  }
  await assert.rejects(greeting('a.example.com', { ALPNProtocols: ['h3'] }), {
    code: /NO_APPLICATION_PROTOCOL/,
  });
});

test('a name without a certificate gets an alert, and the next name is served', async (t) => {
  const documents = [response, terminated('edgtls_1', ['a.example.com'])];
  let fail = true;
  const issue: LocalAuthority['issue'] = (name) =>
    fail ? Promise.reject(new Error('no entropy')) : authority.issue(name);
  const certificates = certificatesOf({ issue });
  const { greeting } = await openDoor(t, { authority, documents, certificates });
  await assert.rejects(greeting('a.example.com'), { code: /ALERT_INTERNAL_ERROR/ });
  fail = false;
  assert.equal(await greeting('a.example.com'), 'a.example.com edgtls_1/TLSv1.2');
});

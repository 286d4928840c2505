import assert from 'node:assert/strict';
import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import { before, type TestContext, test } from 'node:test';
import tls from 'node:tls';
import { ErrorCode, type MuxStream, noopHandler, toDuplex } from '@underpass/wire';
import { until } from '../../../../../test/harness/until.ts';
import type { Hostname } from '../../core/names/hostname.ts';
import type { LocalAuthority } from '../../pki/local-authority.ts';
import { backedBy, edgeDocument, gone, groupDocument, put, responseDocument } from '../documents.fixture.ts';
import { buildHello, serverNameExtension } from '../listeners/client-hello.fixture.ts';
import {
  everything,
  firstLine,
  openAgent,
  openAuthority,
  openDoor,
  rawClient,
  type TestDoor,
} from '../listeners/front-door.fixture.ts';
import { standsStill } from '../stands-still.fixture.ts';

let authority: LocalAuthority;
before(async () => {
  authority = await openAuthority();
});

const group = groupDocument('bkdtg_1', { app: 'web' });
const edge = edgeDocument('edgtls_1', ['a.example.com'], { backend: backedBy('bkdtg_1') });
const hello = buildHello({ extensions: [serverNameExtension('a.example.com')] });

/** Past the hello a passed-through connection is any bytes: the upstream repeats them. */
function echo(stream: MuxStream): void {
  const duplex = toDuplex(stream);
  duplex.on('error', () => {});
  duplex.pipe(duplex);
}

async function openClient(t: TestContext, { port }: TestDoor, from?: string): Promise<net.Socket> {
  const socket = rawClient(t, port, from);
  socket.write(hello);
  await readExactly(socket, hello.length);
  return socket;
}

async function readExactly(socket: net.Socket, length: number): Promise<Buffer> {
  for (;;) {
    const bytes = socket.read(length) as Buffer | null;
    if (bytes !== null) return bytes;
    await once(socket, 'readable');
  }
}

test('TLS passes through to the upstream, whose certificate the client sees', async (t) => {
  const issued = await authority.issue('a.example.com' as Hostname);
  const upstream = tls.createServer({ cert: issued.certificatePem, key: issued.privateKeyPem }, (socket) => {
    socket.on('error', () => {});
    socket.end(`upstream ${socket.remoteAddress}\n`);
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  t.after(() => upstream.close());
  const door = await openDoor(t, { authority, documents: [group, edge] });
  const agent = await openAgent(t, (stream) => {
    const dialled = net.connect((upstream.address() as net.AddressInfo).port, '127.0.0.1');
    dialled.on('error', () => {});
    const proxied = toDuplex(stream);
    proxied.on('error', () => {});
    dialled.pipe(proxied).pipe(dialled);
  });
  door.tunnels.push(agent.tunnel);
  const socket = door.connect('a.example.com');
  assert.equal(await firstLine(socket), 'upstream 127.0.0.1');
  assert.equal(
    socket.getPeerCertificate().serialNumber,
    new X509Certificate(issued.certificatePem).serialNumber,
  );
  const [header] = agent.headers;
  assert.match(header!.ClientAddr, /^127\.0\.0\.1:\d+$/);
  assert.deepEqual(
    { ...header, ClientAddr: '' },
    { Id: 'bind-1', ClientAddr: '', Proto: 'tls', EdgeType: '2', PassthroughTLS: true, TakesCauses: true },
  );
  assert.equal(door.handed.length, 0);
});

test('the first bytes are not lost or changed, and each side can end before the other', async (t) => {
  const door = await openDoor(t, { authority, documents: [group, edge] });
  const streams: MuxStream[] = [];
  const agent = await openAgent(t, (stream) => {
    streams.push(stream);
    echo(stream);
  });
  door.tunnels.push(agent.tunnel);
  const client = rawClient(t, door.port);
  client.write(hello.subarray(0, 30));
  await once(client, 'connect');
  client.write(hello.subarray(30));
  client.end('and the rest');
  // The client has ended; what was sent before still comes back.
  assert.equal((await everything(client)).toString('latin1'), `${hello.toString('latin1')}and the rest`);

  const other = await openClient(t, door);
  streams[1]!.end();
  assert.deepEqual(await everything(other), Buffer.alloc(0));
  const received: Buffer[] = [];
  const ended = Promise.withResolvers<void>();
  streams[1]!.handler = {
    data: (chunk) => void received.push(Buffer.from(chunk)),
    end: ended.resolve,
    drain() {},
    close() {},
  };
  other.end('after the upstream ended');
  await ended.promise;
  assert.equal(Buffer.concat(received).toString(), 'after the upstream ended');
  await until(() => door.connections.size === 0);
});

test('one address cannot use up the streams of an agent with connections that pass through', async (t) => {
  const door = await openDoor(t, { authority, documents: [group, edge], streamsOfAgent: 4 });
  const agent = await openAgent(t, echo);
  door.tunnels.push(agent.tunnel);
  const [first] = [await openClient(t, door), await openClient(t, door)];
  const third = rawClient(t, door.port);
  third.write(hello);
  assert.equal((await everything(third)).length, 0);
  await openClient(t, door, '127.0.0.2');
  const closed = once(first, 'close');
  first.end();
  first.resume();
  await closed;
  await until(() => door.connections.size === 2);
  await openClient(t, door);
});

test('a visitor that never reads what is sent does not hold the stream for ever', async (t) => {
  const door = await openDoor(t, { authority, documents: [group, edge], limits: { stallMs: 50 } });
  const bulk = randomBytes(1 << 20);
  const over = Promise.withResolvers<ErrorCode>();
  const agent = await openAgent(t, (stream) => {
    const more = (): void => {
      while (!stream.closed && stream.write(bulk));
    };
    stream.handler = { data() {}, end() {}, drain: more, close: over.resolve };
    more();
  });
  door.tunnels.push(agent.tunnel);
  rawClient(t, door.port).write(hello);
  assert.equal(await over.promise, ErrorCode.streamCancelled);
  await until(() => door.connections.size === 0);
});

/** A door with short bounds, whose service repeats what comes and keeps its side open. */
async function keptOpen(t: TestContext) {
  const door = await openDoor(t, { authority, documents: [group, edge], limits: { halfClosedMs: 50 } });
  const streams: MuxStream[] = [];
  const agent = await openAgent(t, (stream) => {
    streams.push(stream);
    stream.handler = { ...noopHandler, data: (chunk) => void stream.write(Buffer.from(chunk)) };
  });
  door.tunnels.push(agent.tunnel);
  const visitors = async (count: number): Promise<net.Socket[]> => {
    const clients: net.Socket[] = [];
    for (let i = 0; i < count; i += 1) {
      const client = await openClient(t, door);
      client.on('error', () => {});
      clients.push(client);
    }
    return clients;
  };
  const nothingIsLeft = async (count: number): Promise<void> => {
    await until(() => door.connections.size === 0 && agent.session.streamCount === 0);
    assert.equal(agent.tunnel.outstanding, 0);
    assert.equal(door.observed.length, count);
  };
  return { door, streams, visitors, nothingIsLeft };
}

test('a connection that the service has ended, and its visitor keeps in silence, ends and leaves nothing', async (t) => {
  const { streams, visitors, nothingIsLeft } = await keptOpen(t);
  await visitors(12);
  for (const stream of streams) stream.end();
  await nothingIsLeft(12);
});

test('of visitors that have ended and wait in silence an address may have eight, until their kernel is gone', async (t) => {
  const { door, streams, visitors, nothingIsLeft } = await keptOpen(t);
  const clients = await visitors(12);
  for (const client of clients) client.end();
  await until(() => door.connections.size === 8);
  const waiting = clients.filter(({ readableEnded, destroyed }) => !readableEnded && !destroyed);
  assert.equal(waiting.length, 8);
  const [first] = waiting;
  for (const stream of streams) stream.write(Buffer.from('late'));
  assert.equal((await readExactly(first!, 4)).toString(), 'late');
  for (const client of waiting) client.resetAndDestroy();
  await nothingIsLeft(12);
});

const losses: readonly (readonly [string, boolean, boolean, string])[] = [
  ['before it said anything', false, false, 'upstreamUnreachable'],
  ['after it said something', true, false, 'upstreamClosed'],
  ["with its agent's session, before it said anything", false, true, 'upstreamClosed'],
];
for (const [when, hasSpoken, withSession, error] of losses) {
  test(`a connection that is lost at the service ${when} is recorded as ${error}`, async (t) => {
    const door = await openDoor(t, { authority, documents: [group, edge] });
    const streams: MuxStream[] = [];
    const agent = await openAgent(t, (stream) => {
      streams.push(stream);
      if (hasSpoken) echo(stream);
      else stream.handler = noopHandler;
    });
    door.tunnels.push(agent.tunnel);
    const client = rawClient(t, door.port);
    client.on('error', () => {});
    client.write(hello);
    if (hasSpoken) await readExactly(client, hello.length);
    await until(() => streams.length === 1);
    if (withSession) agent.lose();
    else streams[0]!.reset(ErrorCode.streamReset);
    await until(() => door.observed.length === 1);
    assert.equal(door.observed[0]!.error, error);
  });
}

test('an upstream that never reads what is sent does not hold the connection for ever', async (t) => {
  const door = await openDoor(t, { authority, documents: [group, edge], limits: { stallMs: 50 } });
  const agent = await openAgent(t, (stream) => {
    stream.handler = noopHandler;
    stream.pause();
  });
  door.tunnels.push(agent.tunnel);
  const client = rawClient(t, door.port);
  client.write(Buffer.concat([hello, randomBytes(1 << 20)]));
  assert.equal((await everything(client)).length, 0);
  await until(() => door.connections.size === 0);
});

test('a slow reader slows the sender down, and nothing is lost', async (t) => {
  const door = await openDoor(t, { authority, documents: [group, edge] });
  const bulk = randomBytes(1 << 20);
  const total = 48;
  let sent = 0;
  const agent = await openAgent(t, (stream) => {
    const more = (): void => {
      while (sent < total && stream.write(bulk)) sent += 1;
      if (sent === total) stream.end();
    };
    stream.handler = {
      data() {},
      end() {},
      drain() {
        sent += 1;
        more();
      },
      close() {},
    };
    more();
  });
  door.tunnels.push(agent.tunnel);
  const client = rawClient(t, door.port);
  client.write(hello);
  client.pause();
  await standsStill(() => sent);
  assert.ok(sent < total / 2, `${sent} MiB were taken for a client that reads none`);
  const digest = createHash('sha256');
  let length = 0;
  client.on('data', (chunk: Buffer) => {
    digest.update(chunk);
    length += chunk.length;
  });
  client.resume();
  await once(client, 'end');
  const expected = createHash('sha256');
  for (let index = 0; index < total; index += 1) expected.update(bulk);
  assert.equal(length, total << 20);
  assert.equal(digest.digest('hex'), expected.digest('hex'));
});

test('a slow upstream slows the client down, and nothing is lost', async (t) => {
  const door = await openDoor(t, { authority, documents: [group, edge] });
  const opened = Promise.withResolvers<MuxStream>();
  const agent = await openAgent(t, (stream) => {
    stream.handler = noopHandler;
    stream.pause();
    opened.resolve(stream);
  });
  door.tunnels.push(agent.tunnel);
  const client = rawClient(t, door.port);
  client.write(hello);
  const stream = await opened.promise;
  const piece = Buffer.alloc(1 << 16, 'x');
  // Far more than the stream's window and the sockets' buffers hold. It cannot all leave without a reader.
  const pieces = 1024;
  let left = 0;
  for (let index = 0; index < pieces; index += 1) {
    client.write(piece, () => {
      left += 1;
    });
  }
  client.end();
  await until(() => left >= 8);
  assert.ok(left < pieces);
  let length = 0;
  const ended = Promise.withResolvers<void>();
  stream.handler = {
    data: (chunk) => {
      length += chunk.length;
    },
    end: ended.resolve,
    drain() {},
    close() {},
  };
  stream.resume();
  await ended.promise;
  assert.equal(length, hello.length + pieces * piece.length);
});

test('an agent that answered and then refuses ends the connection: no other one hears what the first has heard', async (t) => {
  const door = await openDoor(t, { authority, documents: [group, edge] });
  const heard = Promise.withResolvers<MuxStream>();
  const first = await openAgent(t, (stream) => {
    stream.write(Buffer.from('answer'));
    heard.resolve(stream);
  });
  const second = await openAgent(t, echo);
  door.tunnels.push(first.tunnel, second.tunnel);
  const client = rawClient(t, door.port);
  client.write(hello);
  assert.equal((await readExactly(client, 6)).toString(), 'answer');
  (await heard.promise).reset(ErrorCode.streamRefused);
  assert.equal((await everything(client)).length, 0);
  assert.equal(second.headers.length, 0);
});

test('an agent that refuses hands the connection to the next one, hello and all', async (t) => {
  const door = await openDoor(t, { authority, documents: [group, edge] });
  let refused = 0;
  const refusing = await openAgent(t, (stream) => {
    refused += 1;
    stream.reset(refused % 2 === 0 ? ErrorCode.streamRefused : ErrorCode.acceptQueueFull);
  });
  const accepting = await openAgent(t, echo);
  const offline = await openAgent(t, () => assert.fail('an offline tunnel was used'));
  offline.tunnel.goOffline();
  door.tunnels.push(offline.tunnel, refusing.tunnel, accepting.tunnel);
  for (let index = 0; index < 6; index += 1) {
    const client = await openClient(t, door);
    client.write('more');
    assert.equal((await readExactly(client, 4)).toString(), 'more');
  }
  assert.ok(refused > 0);
});

test('connections are spread over the tunnels of a group', async (t) => {
  const door = await openDoor(t, { authority, documents: [group, edge] });
  const agents = [await openAgent(t, echo), await openAgent(t, echo), await openAgent(t, echo)];
  door.tunnels.push(...agents.map(({ tunnel }) => tunnel));
  for (let index = 0; index < 9; index += 1) await openClient(t, door);
  assert.deepEqual(
    agents.map(({ headers }) => headers.length),
    [3, 3, 3],
  );
});

test('without a tunnel, or with a backend or module that cannot serve, the connection is closed', async (t) => {
  const response = responseDocument('bkdhr_1', 'hello');
  const restricted = edgeDocument('edgtls_3', ['c.example.com'], {
    backend: backedBy('bkdtg_1'),
    ip_restriction: { enabled: true, ip_policy_ids: ['ipp_1'] },
  });
  const fixed = edgeDocument('edgtls_2', ['b.example.com'], { backend: backedBy('bkdhr_1') });
  const door = await openDoor(t, { authority, documents: [group, response, edge, fixed, restricted] });
  const refused = async (hostname: string): Promise<void> => {
    const client = rawClient(t, door.port);
    client.write(buildHello({ extensions: [serverNameExtension(hostname)] }));
    assert.equal((await everything(client)).length, 0, hostname);
  };
  await refused('a.example.com');
  const refusing = await openAgent(t, (stream) => stream.reset(ErrorCode.streamRefused));
  door.tunnels.push(refusing.tunnel);
  for (const hostname of ['a.example.com', 'b.example.com', 'c.example.com']) await refused(hostname);
  assert.equal(refusing.headers.length, 1);
});

test('an edge that is deleted or changed loses its live connections, and the others keep theirs', async (t) => {
  const other = edgeDocument('edgtls_2', ['b.example.com', '*.example.com'], {
    backend: backedBy('bkdtg_1'),
  });
  const door = await openDoor(t, { authority, documents: [group, edge, other] });
  door.tunnels.push((await openAgent(t, echo)).tunnel);
  const first = await openClient(t, door);
  const kept = rawClient(t, door.port);
  const hidden = buildHello({ extensions: [serverNameExtension('b.example.com')] });
  kept.write(hidden);
  await readExactly(kept, hidden.length);
  const renamed = edgeDocument('edgtls_1', ['a.example.com'], {
    backend: backedBy('bkdtg_1'),
    description: 'renamed',
  });
  door.table.apply([put(renamed)]);
  first.write('still here');
  await readExactly(first, 10);
  door.table.apply([
    put(edgeDocument('edgtls_1', ['a.example.com'], { backend: { enabled: false, backend_id: 'bkdtg_1' } })),
  ]);
  await everything(first);
  door.table.apply([put(renamed)]);
  const second = await openClient(t, door);
  door.table.apply([gone(renamed)]);
  await everything(second);
  kept.write('alive');
  assert.equal((await readExactly(kept, 5)).toString(), 'alive');
  // The wildcard takes the name over, and gives it back to an exact one.
  const third = await openClient(t, door);
  door.table.apply([put(renamed)]);
  await everything(third);
});

test('a tunnel that goes offline takes its own connections with it', async (t) => {
  const door = await openDoor(t, { authority, documents: [group, edge] });
  const agents = [await openAgent(t, echo), await openAgent(t, echo)];
  door.tunnels.push(...agents.map(({ tunnel }) => tunnel));
  const [first, second] = [await openClient(t, door), await openClient(t, door)];
  agents[0]!.tunnel.goOffline();
  await everything(first);
  second.write('alive');
  assert.equal((await readExactly(second, 5)).toString(), 'alive');
});

test('the reset of a visitor is reported to the agent', async (t) => {
  const door = await openDoor(t, { authority, documents: [group, edge] });
  const closed = Promise.withResolvers<ErrorCode>();
  const agent = await openAgent(t, (stream) => {
    stream.handler = {
      data: (chunk) => void stream.write(Buffer.from(chunk)),
      end() {},
      drain() {},
      close: closed.resolve,
    };
  });
  door.tunnels.push(agent.tunnel);
  const client = await openClient(t, door);
  client.resetAndDestroy();
  assert.notEqual(await closed.promise, ErrorCode.none);
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { on, once } from 'node:events';
import net from 'node:net';
import { before, test } from 'node:test';
import tls from 'node:tls';
import fc from 'fast-check';
import { freePorts } from '../../../../../test/harness/free-ports.ts';
import { missingPrograms } from '../../../../../test/harness/missing.ts';
import { propertyRuns } from '../../../../../test/harness/property-runs.ts';
import { inTime } from '../../../../../test/harness/until.ts';
import {
  asRecords,
  buildHello,
  extension,
  type HelloParts,
  helloBody,
  serverNameExtension,
} from './client-hello.fixture.ts';
import { Alert, type ClientHello, inspectClientHello, maxHelloBytes } from './client-hello.ts';

type Inspected =
  | Exclude<ClientHello, { status: 'ok' }>
  | Omit<Extract<ClientHello, { status: 'ok' }>, 'offer'>;

/** Returns the inspection without the offer, which is for fingerprints. */
function inspected(bytes: Buffer): Inspected {
  const hello = inspectClientHello(bytes);
  if (hello.status !== 'ok') return hello;
  const { offer: _, ...rest } = hello;
  return rest;
}

/** A program that connects from `localPort` to a port of this machine. */
type ClientProgram = (port: number, localPort: number) => { stop(): void };

/** The first flight of a real client, as it left the socket. */
async function capture(connect: ClientProgram): Promise<Buffer> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const [localPort] = (await freePorts(1)) as [number];
  const connections = on(server, 'connection') as AsyncIterable<[net.Socket]>;
  const client = connect((server.address() as net.AddressInfo).port, localPort);
  const socket = await inTime(connectionFrom(localPort, connections), () => 'the client');
  let bytes = Buffer.alloc(0);
  while (inspected(bytes).status === 'need-more') {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    bytes = Buffer.concat([bytes, chunk]);
  }
  client.stop();
  socket.destroy();
  server.close();
  return bytes;
}

/** Waits for the client's connection, and ignores others. */
async function connectionFrom(
  localPort: number,
  connections: AsyncIterable<[net.Socket]>,
): Promise<net.Socket> {
  for await (const [socket] of connections) {
    socket.on('error', () => {});
    if (socket.remotePort === localPort) return socket;
    socket.destroy();
  }
  throw new Error('the server was closed');
}

function nodeClient(options: tls.ConnectionOptions): ClientProgram {
  return (port, localPort) => {
    const tcp = net.connect({ host: '127.0.0.1', port, localPort });
    const socket = tls.connect({ socket: tcp, rejectUnauthorized: false, ...options });
    socket.on('error', () => {});
    return { stop: () => void socket.destroy() };
  };
}

function opensslClient(...args: string[]): ClientProgram {
  return (port, localPort) => {
    const ends = ['-bind', `127.0.0.1:${localPort}`, '-connect', `127.0.0.1:${port}`];
    const child = spawn('openssl', ['s_client', ...ends, ...args], { stdio: 'ignore' });
    return { stop: () => void child.kill('SIGKILL') };
  };
}

/** Takes the handshake message out of a first flight of one record. */
function message(flight: Buffer): Buffer {
  return flight.subarray(5, 5 + flight.readUInt16BE(3));
}

const real: {
  readonly flight: Buffer;
  readonly serverName: string | null;
  readonly alpn: readonly string[];
}[] = [];

before(async () => {
  real.push(
    {
      flight: await capture(nodeClient({ servername: 'a.example.com', ALPNProtocols: ['h2', 'http/1.1'] })),
      serverName: 'a.example.com',
      alpn: ['h2', 'http/1.1'],
    },
    {
      flight: await capture(nodeClient({ servername: 'old.example.com', maxVersion: 'TLSv1.2' })),
      serverName: 'old.example.com',
      alpn: [],
    },
    { flight: await capture(nodeClient({})), serverName: null, alpn: [] },
  );
  real.push({
    flight: await capture(nodeClient({ servername: 'pq.example.com', ecdhCurve: 'X25519MLKEM768' })),
    serverName: 'pq.example.com',
    alpn: [],
  });
});

test('names and protocols of real clients are read', () => {
  for (const { flight, serverName, alpn } of real) {
    assert.deepEqual(inspected(flight), { status: 'ok', serverName, alpn, ticketKey: '' });
  }
});

test('so are those of openssl', { skip: missingPrograms('openssl') }, async () => {
  const named = await capture(opensslClient('-servername', 'b.example.com', '-alpn', 'http/1.1'));
  const expected = { status: 'ok', serverName: 'b.example.com', alpn: ['http/1.1'], ticketKey: '' };
  assert.deepEqual(inspected(named), expected);
  const unnamed = await capture(opensslClient('-noservername', '-tls1_2'));
  assert.deepEqual(inspected(unnamed), { status: 'ok', serverName: null, alpn: [], ticketKey: '' });
});

test('every shorter prefix of a hello asks for more', () => {
  for (const { flight } of real) {
    for (let length = 0; length < flight.length; length += 1) {
      assert.deepEqual(inspected(flight.subarray(0, length)), { status: 'need-more' });
    }
  }
});

test('a hello split over any records, cut anywhere, gives the same name', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.array(fc.integer({ min: 1, max: 700 }), { maxLength: 60 }),
      fc.nat(),
      (pick, sizes, cut) => {
        const { flight, serverName, alpn } = real[pick % real.length]!;
        const split = asRecords(message(flight), sizes);
        assert.deepEqual(inspected(split), { status: 'ok', serverName, alpn, ticketKey: '' });
        assert.deepEqual(inspected(split.subarray(0, cut % split.length)), { status: 'need-more' });
        // Later records, such as early data, are not read.
        assert.deepEqual(inspected(Buffer.concat([split, Buffer.from('anything')])), {
          status: 'ok',
          serverName,
          alpn,
          ticketKey: '',
        });
      },
    ),
  );
  for (const records of [2, 3, 20]) {
    const { flight, serverName } = real[0]!;
    const whole = message(flight);
    const sizes = Array.from({ length: records }, () => Math.ceil(whole.length / records));
    const read = inspected(asRecords(whole, sizes));
    assert.equal(read.status === 'ok' && read.serverName, serverName);
  }
});

test('mutated bytes never throw and never give a name with bytes that no name has', () => {
  const edit = fc.record({
    at: fc.nat(),
    value: fc.integer({ min: 0, max: 255 }),
    kind: fc.constantFrom('set', 'drop', 'add'),
  });
  fc.assert(
    fc.property(
      fc.nat(),
      fc.array(edit, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      (pick, edits, fixLengths) => {
        const bytes = [...message(real[pick % real.length]!.flight)];
        for (const { at, value, kind } of edits)
          bytes.splice(at % bytes.length, kind === 'add' ? 0 : 1, ...(kind === 'drop' ? [] : [value]));
        if (fixLengths) bytes.splice(1, 3, 0, (bytes.length - 4) >> 8, (bytes.length - 4) & 255);
        const read = inspected(asRecords(Buffer.from(bytes), []));
        if (read.status === 'ok' && read.serverName !== null) assert.match(read.serverName, /^[\x21-\x7e]+$/);
      },
    ),
    { numRuns: propertyRuns(3000) },
  );
});

test('noise never throws', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void inspected(Buffer.from(bytes))));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      inspected(asRecords(Buffer.concat([Buffer.from([1, 0, 0, bytes.length]), bytes]), []));
    }),
  );
});

function hello(parts: HelloParts): Inspected {
  return inspected(buildHello(parts));
}

test('what is no TLS is refused at its first byte', () => {
  for (const text of [
    'GET / HTTP/1.1\r\n',
    'SSH-2.0-x\r\n',
    '\0',
    '\x80\x2e\x01\x03\x01',
    '\x15\x03\x01\x00\x02\x02\x28',
    '\x17',
  ]) {
    assert.deepEqual(inspected(Buffer.from(text, 'latin1').subarray(0, 1)), {
      status: 'invalid',
      alert: Alert.unexpectedMessage,
    });
  }
  assert.deepEqual(inspected(Buffer.from([22, 2])), {
    status: 'invalid',
    alert: Alert.protocolVersion,
  });
});

test('two names, an empty name and a broken list are refused', () => {
  const name = (text: string, type = 0): Buffer =>
    Buffer.concat([Buffer.from([type, text.length >> 8, text.length & 255]), Buffer.from(text, 'latin1')]);
  const list = (...entries: Buffer[]): Buffer => {
    const joined = Buffer.concat(entries);
    return extension(0, Buffer.concat([Buffer.from([joined.length >> 8, joined.length & 255]), joined]));
  };
  const { illegalParameter, decodeError } = Alert;
  for (const [extensions, alert] of [
    [[list(name('a.example.com'), name('b.example.com'))], illegalParameter],
    [[list(name('a.example.com'), name('x', 7))], illegalParameter],
    [[list(name('x', 7), name('a.example.com'))], illegalParameter],
    [[list(name('a.example.com')), list(name('b.example.com'))], illegalParameter],
    [[extension(5, Buffer.from([1])), extension(5, Buffer.from([1]))], illegalParameter],
    [[list(name('a\0.example.com'))], illegalParameter],
    [[list(name('a b'))], illegalParameter],
    [[list(name('\xff\xfe'))], illegalParameter],
    [[list(name('caf\xc3\xa9.example.com'))], illegalParameter],
    [[list(name(''))], decodeError],
    [[list()], decodeError],
    [[extension(0, Buffer.alloc(0))], decodeError],
    [[extension(0, Buffer.from([0, 9, 0, 0, 9, 65]))], decodeError],
    [[extension(0, Buffer.concat([Buffer.from([0, 4]), name('a'), Buffer.from([1])]))], decodeError],
    [[extension(16, Buffer.from([0, 1, 0]))], decodeError],
    [[extension(16, Buffer.from([0, 0]))], decodeError],
    [[Buffer.from([0])], decodeError],
    [[Buffer.from([0, 0, 0, 200, 1])], decodeError],
  ] as const) {
    assert.deepEqual(hello({ extensions }), { status: 'invalid', alert });
  }
});

test('lengths that do not fit their container are refused', () => {
  const { decodeError, unexpectedMessage, protocolVersion, recordOverflow } = Alert;
  const good = helloBody({ extensions: [serverNameExtension('a.example.com')] });
  const wrap = (body: Buffer, length = body.length): Buffer =>
    asRecords(Buffer.concat([Buffer.from([1, length >> 16, (length >> 8) & 255, length & 255]), body]), []);
  const cut = good.subarray(0, good.length - 1);
  assert.equal(inspected(wrap(good)).status, 'ok');
  for (const [bytes, alert] of [
    [wrap(cut), decodeError],
    [wrap(Buffer.concat([good, Buffer.from([0])])), decodeError],
    [wrap(good, good.length - 1), unexpectedMessage],
    [wrap(Buffer.alloc(0)), decodeError],
    [wrap(good.subarray(0, 20)), decodeError],
    [wrap(Buffer.concat([Buffer.from([2]), good.subarray(1)])), protocolVersion],
    [asRecords(Buffer.from([2, 0, 0, 1, 0]), []), unexpectedMessage],
    [Buffer.from([22, 3, 1, 0, 0]), decodeError],
    [Buffer.from([22, 3, 1, 0x40, 1]), recordOverflow],
    [Buffer.concat([asRecords(good.subarray(0, 1), []).fill(1, 5), Buffer.from([23])]), unexpectedMessage],
  ] as const) {
    assert.deepEqual(inspected(bytes), { status: 'invalid', alert });
  }
  assert.deepEqual(hello({ ciphers: Buffer.alloc(3) }), { status: 'invalid', alert: decodeError });
  assert.deepEqual(hello({ sessionId: Buffer.alloc(33) }), { status: 'invalid', alert: decodeError });
});

test('a hello without extensions has no name', () => {
  assert.deepEqual(hello({ extensions: null }), { status: 'ok', serverName: null, alpn: [], ticketKey: '' });
  assert.deepEqual(hello({ extensions: [] }), { status: 'ok', serverName: null, alpn: [], ticketKey: '' });
});

test('large hellos are read up to the bound and refused by their header beyond it', () => {
  const name = serverNameExtension('a.example.com');
  const padded = (bytes: number): Buffer => {
    const rest = helloBody({ extensions: [extension(21, Buffer.alloc(0)), name] }).length;
    return buildHello({ extensions: [extension(21, Buffer.alloc(bytes - rest)), name] });
  };
  for (const bytes of [1500, 4096, 16_380, 16_381, 20_000, maxHelloBytes]) {
    assert.deepEqual(
      inspected(padded(bytes)),
      { status: 'ok', serverName: 'a.example.com', alpn: [], ticketKey: '' },
      String(bytes),
    );
  }
  for (const bytes of [maxHelloBytes + 1, 65_000]) {
    assert.deepEqual(inspected(padded(bytes)), { status: 'invalid', alert: Alert.decodeError });
    assert.deepEqual(inspected(padded(bytes).subarray(0, 9)), {
      status: 'invalid',
      alert: Alert.decodeError,
    });
  }
});

test('more records than any client makes are refused', () => {
  const whole = buildHello({
    extensions: [serverNameExtension('a.example.com'), extension(21, Buffer.alloc(500))],
  });
  const ones = Array.from({ length: 600 }, () => 1);
  assert.deepEqual(inspected(asRecords(message(whole), ones)), {
    status: 'invalid',
    alert: Alert.decodeError,
  });
});

test('names that are special to the language are only names', () => {
  for (const text of ['__proto__', 'constructor', 'hasOwnProperty', 'x'.repeat(10_000)]) {
    assert.deepEqual(hello({ extensions: [serverNameExtension(text)] }), {
      status: 'ok',
      serverName: text,
      alpn: [],
      ticketKey: '',
    });
  }
});

test('a session ticket tells the name of its key, whatever else is wrong with it', () => {
  const name = serverNameExtension('a.example.com');
  const keyOf = (...extensions: readonly Buffer[]): string | null => {
    const read = hello({ extensions: [name, ...extensions] });
    return read.status === 'ok' ? read.ticketKey : null;
  };
  const ticket = Buffer.from(`sixteen bytes...${'x'.repeat(64)}`);
  const identity = Buffer.concat([
    Buffer.from([0, ticket.length + 6, 0, ticket.length]),
    ticket,
    Buffer.alloc(4),
  ]);
  assert.equal(keyOf(extension(35, ticket)), 'sixteen bytes...');
  assert.equal(keyOf(extension(35, Buffer.alloc(0)), extension(41, identity)), 'sixteen bytes...');
  for (const short of [extension(35, ticket.subarray(0, 15)), extension(41, Buffer.from([0, 9, 0, 7, 1]))])
    assert.equal(keyOf(short), '');
});

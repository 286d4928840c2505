/** Malicious and broken messages of clients: the connection ends, and nothing else. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ErrorCode, noopHandler } from '@underpass/wire';
import fc from 'fast-check';
import { until } from '../../../../test/harness/until.ts';
import {
  boolean,
  fingerprint,
  generateSigningKey,
  openSigningKey,
  type SigningKey,
  string,
  uint32,
} from '../pki/ssh/index.ts';
import { windowBytes } from './channel.ts';
import type { ForwardRequest } from './connection.ts';
import { Message } from './numbers.ts';
import { permissive, running, serve, type TestServer } from './openssh.fixture.ts';
import { RawClient } from './raw-client.fixture.ts';
import { LARGE_BYTES } from './rekey-budget.ts';
import type { SessionChannel } from './session-channel.ts';

let server: TestServer;
let key: SigningKey;
let other: SigningKey;
const proven: string[] = [];
const channels: SessionChannel[] = [];
const forwards: ForwardRequest[] = [];
const failures: unknown[] = [];

before(async () => {
  [key, other] = (await Promise.all([1, 2].map(() => generateSigningKey({ type: 'ed25519' })))).map(
    openSigningKey,
  ) as [SigningKey, SigningKey];
  server = await serve(() =>
    permissive({
      ...running((_command, channel) => {
        channels.push(channel);
        return null;
      }),
      prove: async ({ key: shown }) => {
        proven.push(fingerprint(shown));
        return null;
      },
      forward: (request, answer) => {
        forwards.push(request);
        answer(null);
      },
      failed: (error) => failures.push(error),
    }),
  );
});
after(async () => {
  await server.stop();
  assert.deepEqual(failures, []);
});

/** Others are served all the same. */
async function assertAlive(): Promise<void> {
  const client = await RawClient.authenticated(server.port, key);
  client.socket.destroy();
}

const far = uint32(0xffff_ffff);

describe('before there are keys', () => {
  const beginnings: readonly (readonly [string, Buffer])[] = [
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['TLS', Buffer.from('16030100c8010000', 'hex')],
    ['an older version', Buffer.from('SSH-1.99-x\r\n')],
    ['no program', Buffer.from('SSH-2.0-\r\n')],
    ['a line without end', Buffer.from(`SSH-2.0-${'x'.repeat(300)}`)],
    ['a packet of four gigabytes', Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), far])],
    ['a packet of nothing', Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), uint32(0), Buffer.alloc(16)])],
    [
      'a packet that is all padding',
      Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), uint32(12), Buffer.alloc(12, 255)]),
    ],
  ];
  for (const [what, bytes] of beginnings) {
    it(`${what} ends the connection`, async () => {
      const client = await RawClient.connect(server.port);
      client.socket.write(bytes);
      await client.closed();
      await assertAlive();
    });
  }

  const messages: readonly (readonly [string, readonly Buffer[]])[] = [
    ['a message that says nothing', [Buffer.of(Message.ignore), string('')]],
    ['a request for a service', [Buffer.of(Message.serviceRequest), string('ssh-userauth')]],
    ['a channel', [Buffer.of(Message.channelOpen), string('session'), uint32(0), far, far]],
    ['new keys', [Buffer.of(Message.newKeys)]],
    ['half of a key exchange', [Buffer.of(Message.kexEcdhInit), string(Buffer.alloc(32, 9))]],
    [
      'no algorithm in common',
      [Buffer.of(Message.kexInit), Buffer.alloc(16), ...Array(10).fill(string('x')), Buffer.alloc(5)],
    ],
  ];
  for (const [what, parts] of messages) {
    it(`${what} ends the connection`, async () => {
      const client = await RawClient.connect(server.port);
      client.socket.write('SSH-2.0-x\r\n');
      await client.message(Message.kexInit);
      client.send(...parts);
      assert.notEqual(await client.closed(), '');
    });
    it(`${what} between KEXINIT and the new keys ends the connection`, async () => {
      const client = await RawClient.connect(server.port);
      client.socket.write('SSH-2.0-x\r\n');
      client.send(RawClient.kexInit());
      if (parts[0]?.[0] === Message.kexEcdhInit)
        client.send(Buffer.of(Message.kexEcdhInit), string(Buffer.alloc(32)));
      else client.send(...parts);
      assert.notEqual(await client.closed(), '');
    });
  }
});

it('keys are changed after a while, also when nothing is sent', async () => {
  const hurried = await serve(permissive, { msPerKey: 20 });
  try {
    const client = await RawClient.connect(hurried.port);
    client.socket.write('SSH-2.0-Raw\r\n');
    // After the first exchange the server requests each one.
    for (let times = 0; times < 4; times++) await client.exchange();
    client.socket.destroy();
  } finally {
    await hurried.stop();
  }
});

it('keys are changed after so many packets, in either direction', async () => {
  const hurried = await serve(permissive, { packetsPerKey: 20 });
  try {
    for (const isClientLoud of [true, false]) {
      const client = await RawClient.authenticated(hurried.port, key);
      const quiet = [Buffer.of(Message.ignore), string('')];
      // Each of these has a response.
      const answered = [Buffer.of(Message.globalRequest), string('unknown'), boolean(true)];
      for (let sent = 0; sent < 20; sent++) client.send(...(isClientLoud ? quiet : answered));
      await client.exchange();
      await client.openSession();
      client.socket.destroy();
    }
  } finally {
    await hurried.stop();
  }
});

describe('before the login', () => {
  it('a channel ends the connection', async () => {
    const client = await RawClient.withKeys(server.port);
    client.send(Buffer.of(Message.channelOpen), string('session'), uint32(0), uint32(1), uint32(1));
    assert.match(await client.closed(), /before its time/);
  });

  it('an offered key without a signature logs in no user', async () => {
    const client = await RawClient.withKeys(server.port);
    proven.length = 0;
    client.offer(key);
    await client.message(Message.userauthPkOk);
    client.login(other);
    await client.message(Message.userauthSuccess);
    assert.deepEqual(proven, [fingerprint(other.publicKey)]);
  });

  it('a signature by another key than the one that is shown proves nothing', async () => {
    const client = await RawClient.withKeys(server.port);
    proven.length = 0;
    client.login(other, key);
    await client.message(Message.userauthFailure);
    assert.deepEqual(proven, []);
  });

  it('a signature under another name than its own proves nothing', async () => {
    const client = await RawClient.withKeys(server.port);
    proven.length = 0;
    for (const name of ['ssh-rsa', 'rsa-sha2-512', 'ecdsa-sha2-nistp256', 'none', '__proto__']) {
      client.login(key, key, 'x', name);
      await client.message(Message.userauthFailure);
    }
    assert.deepEqual(proven, []);
  });

  it('attempts end, whatever they are', async () => {
    const client = await RawClient.withKeys(server.port);
    const words = ['x', 'ssh-connection', 'password'].map((text) => string(text));
    const guess = [Buffer.of(Message.userauthRequest), ...words, boolean(false), string('guess')];
    for (let count = 0; count < 64; count++) {
      client.send(...guess);
      await client.message(Message.userauthFailure);
    }
    client.send(...guess);
    assert.match(await client.closed(), /too many requests/);
  });

  it('attempts do not pile up while the first ones are looked at', async () => {
    const client = await RawClient.withKeys(server.port);
    for (let count = 0; count < 8; count++) client.offer(key);
    assert.match(await client.closed(), /too many requests/);
  });

  it('another service ends the connection', async () => {
    const client = await RawClient.withKeys(server.port);
    client.send(Buffer.of(Message.userauthRequest), ...['x', 'other', 'none'].map((text) => string(text)));
    assert.match(await client.closed(), /no service other/);
  });
});

describe('of a client that is in', () => {
  const malformed: readonly (readonly [string, readonly Buffer[]])[] = [
    [
      'a forward that is longer than its message',
      [Buffer.of(Message.globalRequest), string('tcpip-forward'), boolean(true), far],
    ],
    ['a global request that is longer than its message', [Buffer.of(Message.globalRequest), far]],
    ['a channel that is longer than its message', [Buffer.of(Message.channelOpen), far]],
    ['a channel without its window', [Buffer.of(Message.channelOpen), string('session'), uint32(0)]],
    ['data that is longer than its message', [Buffer.of(Message.channelData), uint32(0), far]],
    ['a request that is longer than its message', [Buffer.of(Message.channelRequest), uint32(0), far]],
    [
      'a command that is longer than its message',
      [Buffer.of(Message.channelRequest), uint32(0), string('exec'), boolean(true), far],
    ],
    [
      'a variable that is longer than its message',
      [Buffer.of(Message.channelRequest), uint32(0), string('env'), boolean(true), far],
    ],
    [
      'a terminal that is longer than its message',
      [Buffer.of(Message.channelRequest), uint32(0), string('pty-req'), boolean(true), far],
    ],
    ['a message without content', [Buffer.of(Message.channelData)]],
    ['data for a channel that is not there', [Buffer.of(Message.channelData), uint32(77), string('x')]],
    ['a message that there is not', [Buffer.of(255)]],
  ];
  for (const [what, parts] of malformed) {
    it(`${what} ends its connection alone`, async () => {
      const client = await RawClient.authenticated(server.port, key);
      await client.openSession();
      client.send(...parts);
      assert.notEqual(await client.closed(), '');
      await assertAlive();
    });
  }

  it('more data than the window ends its connection', async () => {
    const client = await RawClient.authenticated(server.port, key);
    const id = await client.openSession();
    client.send(Buffer.of(Message.channelRequest), uint32(id), string('exec'), boolean(true), string('x'));
    await client.message(Message.channelSuccess);
    channels.at(-1)?.pause();
    const piece = Buffer.alloc(32_000);
    for (let sent = 0; sent <= windowBytes; sent += piece.length)
      client.send(Buffer.of(Message.channelData), uint32(id), string(piece));
    assert.match(await client.closed(), /more than its window/);
  });

  it('thousands of channels that are refused leave nothing behind', async () => {
    const client = await RawClient.authenticated(server.port, key);
    const count = 10_000;
    for (let sent = 0; sent < count; sent++)
      client.send(Buffer.of(Message.channelOpen), string('direct-tcpip'), uint32(sent), uint32(1), uint32(1));
    const refused = () => client.received.filter(([type]) => type === Message.channelOpenFailure).length;
    await until(() => refused() === count);
    // The id of the next channel shows that none was counted.
    assert.equal(await client.openSession(), 0);
  });

  it('no more channels are open than the bound', async () => {
    const client = await RawClient.authenticated(server.port, key);
    for (let sent = 0; sent < 1000; sent++)
      client.send(Buffer.of(Message.channelOpen), string('session'), uint32(sent), uint32(1), uint32(4096));
    const of = (wanted: number) => client.received.filter(([type]) => type === wanted).length;
    await until(() => of(Message.channelOpenFailure) + of(Message.channelOpenConfirmation) === 1000);
    assert.equal(of(Message.channelOpenConfirmation), 16);
  });

  it('one that reads nothing is not read from, so that what it is to be answered stays bounded', async () => {
    const client = await RawClient.authenticated(server.port, key);
    client.socket.pause();
    const connection = server.sockets.at(-1);
    assert.ok(connection !== undefined);
    // It is refused in words that repeat it.
    const type = string('x'.repeat(30_000));
    let most = 0;
    for (let sent = 0; sent < 3000 && !connection.isPaused(); sent++) {
      client.send(Buffer.of(Message.channelOpen), type, uint32(sent), uint32(1), uint32(1));
      await new Promise((done) => setImmediate(done));
      most = Math.max(most, connection.writableLength);
    }
    assert.ok(connection.isPaused(), `${most} bytes are unsent, and it is still read from`);
    assert.ok(most < 2 * 1024 * 1024, `${most} bytes`);
    client.socket.destroy();
  });

  it('one that reads nothing is not read from either where each answer is a byte, and it gets all when it reads', async () => {
    const client = await RawClient.authenticated(server.port, key);
    client.socket.pause();
    const connection = server.sockets.at(-1);
    assert.ok(connection !== undefined);
    const filler = string('x'.repeat(20_000));
    const isFull = () => connection.writableNeedDrain;
    // Until the kernel takes no more.
    for (let sent = 0; sent < 3000 && !isFull(); sent++) {
      client.send(Buffer.of(Message.channelOpen), filler, uint32(sent), uint32(1), uint32(1));
      await new Promise((done) => setImmediate(done));
    }
    let asked = 0;
    const name = string('unknown');
    for (; asked < 20_000 && !connection.isPaused(); asked++) {
      client.send(Buffer.of(Message.globalRequest), name, boolean(true));
      if (asked % 16 === 0) await new Promise((done) => setImmediate(done));
    }
    assert.ok(connection.isPaused(), `${asked} answers wait, and it is still read from`);
    client.socket.resume();
    const failures = () => client.received.filter(([type]) => type === Message.requestFailure).length;
    await until(() => failures() === asked, 'all answers');
    client.socket.destroy();
  });

  it('one that reads nothing stops whoever writes to it', async () => {
    const client = await RawClient.authenticated(server.port, key);
    const id = await client.openSession(0x7fff_ffff);
    client.send(Buffer.of(Message.channelRequest), uint32(id), string('exec'), boolean(true), string('x'));
    await client.message(Message.channelSuccess);
    client.socket.pause();
    const channel = channels.at(-1);
    assert.ok(channel !== undefined);
    const piece = Buffer.alloc(64 * 1024);
    let drained = 0;
    channel.handler = { data() {}, end() {}, close() {}, drain: () => drained++ };
    await until(() => !channel.write(piece));
    client.socket.resume();
    await until(() => drained === 1, 'room again');
    client.socket.destroy();
  });

  it('one that begins to change keys and never ends it stops whoever writes to it', async () => {
    const client = await RawClient.authenticated(server.port, key);
    const id = await client.openSession();
    client.send(Buffer.of(Message.channelRequest), uint32(id), string('exec'), boolean(true), string('x'));
    await client.message(Message.channelSuccess);
    client.send(RawClient.kexInit());
    await client.message(Message.kexInit);
    const channel = channels.at(-1);
    assert.equal(channel?.write(Buffer.alloc(10)), false);
    client.send(Buffer.of(Message.channelData), uint32(id), string('x'));
    assert.match(await client.closed(), /middle of a key exchange/);
  });

  it('one that changes keys over and over is disconnected, and one that sends something in between is not', async () => {
    const often = await RawClient.authenticated(server.port, key);
    const exchanges = async (): Promise<number> => {
      for (let count = 0; count < 100; count += 1) await often.exchange(true).catch(() => {});
      return 100;
    };
    await Promise.race([often.closed(), exchanges()]);
    assert.match(await often.closed(), /keys are exchanged too often: exchange them after at least 256 KiB/);
    const honest = await RawClient.authenticated(server.port, key);
    const ignored = Buffer.alloc(30_000);
    for (let count = 0; count < 20; count += 1) {
      for (let sent = 0; sent < LARGE_BYTES; sent += ignored.length)
        honest.send(Buffer.of(Message.ignore), string(ignored));
      await honest.exchange(true);
    }
    await honest.openSession();
    honest.socket.destroy();
  });

  it('nothing that came behind the end of a connection is acted upon, and its channels hear of the end', async () => {
    const client = await RawClient.authenticated(server.port, key);
    const before = channels.length;
    const id = await client.openSession();
    const exec = [string('exec'), boolean(false), string('x')];
    client.send(Buffer.of(Message.channelRequest), uint32(id), ...exec);
    await until(() => channels.length === before + 1);
    const closed: number[] = [];
    channels[before]!.handler = { ...noopHandler, close: (code) => closed.push(code) };
    const forward = (port: number): void => {
      const request = [string('tcpip-forward'), boolean(true), string(''), uint32(port)];
      client.send(Buffer.of(Message.globalRequest), ...request);
    };
    // In one piece, so that all of it is read together.
    client.socket.cork();
    forward(1);
    client.send(Buffer.of(Message.disconnect), uint32(11), string(''), string(''));
    forward(2);
    client.socket.uncork();
    await client.closed();
    assert.deepEqual(
      forwards.map(({ port }) => port),
      [1],
    );
    assert.deepEqual(closed, [ErrorCode.sessionClosed]);
  });

  it('unexpected bytes end at most their own connection', async () => {
    const type = fc.constantFrom(...Object.values(Message));
    const payload = fc.tuple(type, fc.uint8Array({ maxLength: 64 }));
    await fc.assert(
      fc.asyncProperty(fc.array(payload, { minLength: 1, maxLength: 8 }), async (payloads) => {
        const client = await RawClient.authenticated(server.port, key);
        for (const [first, rest] of payloads) client.send(Buffer.of(first), Buffer.from(rest));
        client.socket.end();
        await client.closed();
      }),
      { numRuns: 60 },
    );
    await assertAlive();
  });
});

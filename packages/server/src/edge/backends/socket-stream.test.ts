import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { ErrorCode } from '@underpass/wire';
import { freePorts } from '../../../../../test/harness/free-ports.ts';
import { resettingServer } from '../../../../../test/harness/resetting-server.ts';
import { until } from '../../../../../test/harness/until.ts';
import type { Cidr } from '../../core/ip/cidr.ts';
import { parseCidr } from '../../core/ip/cidr.ts';
import { keptChain } from '../../pki/kept-chain.fixture.ts';
import type { ByteStream } from '../sites/site.ts';
import { Dialler, type DiallerOptions } from './dialler.ts';

const loopback = [parseCidr('127.0.0.0/8') as Cidr];

/** A server of which each connection goes to `serve`, and its port. */
async function listen(t: TestContext, serve: (socket: Socket) => void): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => {});
    t.after(() => socket.destroy());
    serve(socket);
  }).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Dials a stream to there, and records the events of its handler. */
function dial(
  port: number,
  options: Partial<DiallerOptions> & { readonly host?: string; readonly isTls?: boolean } = {},
): { stream: ByteStream; heard: string[] } {
  const { host = '127.0.0.1', isTls = false, ...more } = options;
  const dialler = new Dialler({ allowPrivate: loopback, ...more });
  const stream = dialler.dial({ host, port, isTls, account: '' });
  assert.ok(stream !== null);
  return { stream, heard: listenTo(stream) };
}

function listenTo(stream: ByteStream): string[] {
  const heard: string[] = [];
  stream.handler = {
    data: (chunk) => heard.push(chunk.toString()),
    end: () => heard.push('END'),
    drain: () => heard.push('DRAIN'),
    close: (code) => heard.push(`CLOSE ${code}`),
  };
  return heard;
}

test('what is written before the connection is made waits for it, and either side ends by itself', async (t) => {
  let received = '';
  const port = await listen(t, (socket) => {
    socket.write('first');
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    socket.on('end', () => socket.end('last'));
  });
  const { stream, heard } = dial(port);
  assert.equal(stream.writableNeedDrain, true);
  assert.equal(stream.write(Buffer.from('a')), false);
  assert.equal(stream.write(Buffer.from('b')), false);
  await until(() => heard.includes('DRAIN') && heard.includes('first') && received === 'ab');
  assert.equal(stream.write(Buffer.from('c')), true);
  stream.end();
  assert.equal(stream.closed, false);
  await until(() => stream.closed);
  assert.equal(received, 'abc');
  assert.deepEqual(heard.slice(-3), ['last', 'END', `CLOSE ${ErrorCode.none}`]);
});

test('a paused stream reports nothing, not even an end', async (t) => {
  const accepted = Promise.withResolvers<Socket>();
  const { stream, heard } = dial(await listen(t, accepted.resolve));
  stream.pause();
  stream.write(Buffer.from('x'));
  const socket = await accepted.promise;
  socket.end('bytes');
  await once(socket, 'finish');
  await until(() => heard.includes('DRAIN'));
  assert.deepEqual(heard, ['DRAIN']);
  stream.resume();
  await until(() => heard.includes('END'));
  assert.deepEqual(heard, ['DRAIN', 'bytes', 'END']);
  stream.reset(ErrorCode.streamCancelled);
});

test('a reset is one for the other side, too', async (t) => {
  const broken = Promise.withResolvers<NodeJS.ErrnoException>();
  const port = await listen(t, (socket) => void socket.on('error', broken.resolve).resume());
  const { stream, heard } = dial(port);
  stream.write(Buffer.from('x'));
  await until(() => heard.includes('DRAIN'));
  stream.reset(ErrorCode.streamCancelled);
  stream.reset(ErrorCode.streamCancelled);
  assert.deepEqual(heard, ['DRAIN', `CLOSE ${ErrorCode.streamCancelled}`]);
  assert.equal((await broken.promise).code, 'ECONNRESET');
});

test('one that is reset by the other side was made, and is no refusal', async (t) => {
  const port = await listen(t, (socket) => void socket.once('data', () => socket.resetAndDestroy()));
  const { stream, heard } = dial(port);
  stream.write(Buffer.from('x'));
  await until(() => stream.closed);
  assert.deepEqual([heard, stream.failure], [['DRAIN', `CLOSE ${ErrorCode.streamReset}`], 'upstreamClosed']);
});

/** Adds a root by which diallers verify servers, until the end of the test. */
function trust(t: TestContext, root: string): void {
  const trusted = getCACertificates('default');
  t.after(() => setDefaultCACertificates(trusted));
  setDefaultCACertificates([...trusted, root]);
}

for (const isTls of [false, true])
  test(`what came before a reset is told although a write failed since, and its end is none${isTls ? ', with TLS, too' : ''}`, async (t) => {
    const { key, leaf, intermediate, root } = keptChain('localhost');
    if (isTls) trust(t, root);
    const server = await resettingServer(t, isTls ? { key, cert: leaf + intermediate } : null);
    const { stream, heard } = dial(server.port, {
      host: 'localhost',
      isTls,
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    const told = stream.handler;
    let takesMore: boolean | null = null;
    const data = (chunk: Buffer): void => {
      takesMore = !stream.writableNeedDrain;
      told.data(chunk);
    };
    stream.handler = { ...told, data };
    stream.write(Buffer.from('x'));
    await until(() => heard.includes('DRAIN'));
    // TLS writes what waited for it a little later.
    await new Promise((turned) => setImmediate(turned));
    server.standStill();
    stream.write(Buffer.from('y'));
    await until(() => stream.closed);
    assert.deepEqual(
      [heard, stream.failure],
      [['DRAIN', 'answer', `CLOSE ${ErrorCode.streamReset}`], 'upstreamClosed'],
    );
    // With TLS, response bytes may arrive before the write fails.
    if (!isTls) assert.equal(takesMore, false);
  });

test('a peer that has ended its direction and reads no more loses no data', async (t) => {
  const accepted = Promise.withResolvers<Socket>();
  const { stream, heard } = dial(await listen(t, accepted.resolve));
  const socket = await accepted.promise;
  socket.end('everything');
  await until(() => heard.includes('END'));
  const gone = once(socket, 'close');
  socket.destroy();
  await gone;
  for (let i = 0; i < 20; i += 1) {
    stream.write(Buffer.alloc(1024));
    await new Promise(setImmediate);
  }
  assert.equal(stream.closed, false);
  stream.end();
  await until(() => stream.closed);
  assert.deepEqual(
    heard.filter((one) => one !== 'DRAIN'),
    ['everything', 'END', `CLOSE ${ErrorCode.none}`],
  );
});

test('without a listener nothing was forwarded, and the reason is known', async (t) => {
  const [port] = (await freePorts(1)) as [number];
  const silent = await listen(t, () => {});
  const cases = [
    { port, failure: 'upstreamDialFailed', cause: 'refused' },
    { port: silent, isTls: true, dialMs: 20, failure: 'upstreamDialTimeout', cause: 'timeout' },
    {
      port: await listen(t, (socket) => socket.end('no TLS')),
      isTls: true,
      failure: 'upstreamTlsFailed',
      cause: 'tls',
    },
    { port: silent, allowPrivate: [], failure: 'upstreamAddressRefused' },
    { port: silent, host: 'localhost', allowPrivate: [], failure: 'upstreamAddressRefused' },
    { port: silent, host: '::1', failure: 'upstreamAddressRefused' },
    {
      port: silent,
      host: 'a.example',
      resolve: () => Promise.reject(new Error()),
      failure: 'upstreamDialFailed',
      cause: 'failed',
    },
    {
      port: silent,
      host: 'a.example',
      resolve: () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' })),
      failure: 'upstreamDialFailed',
      cause: 'name',
    },
    {
      port: silent,
      host: 'a.example',
      resolve: () => Promise.resolve([]),
      failure: 'upstreamAddressRefused',
    },
  ] as const;
  for (const { port: to, failure, ...more } of cases) {
    const { cause, ...options } = { cause: undefined, ...more };
    const { stream, heard } = dial(to, options);
    stream.write(Buffer.from('x'));
    await until(() => stream.closed);
    const { failure: found, dialFault } = stream;
    assert.deepEqual(
      [heard, found, dialFault?.cause],
      [[`CLOSE ${ErrorCode.streamRefused}`], failure, cause],
    );
  }
});

test('of several addresses only those are dialled that may be', async (t) => {
  let visits = 0;
  const port = await listen(t, (socket) => {
    visits += 1;
    socket.end(socket.localAddress ?? '');
  });
  const resolve = () =>
    Promise.resolve([
      { address: '::1', family: 6 },
      { address: '::ffff:127.0.0.9', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ]);
  const allowPrivate = [parseCidr('127.0.0.1/32') as Cidr];
  const { stream, heard } = dial(port, { host: 'two.example', resolve, allowPrivate });
  await until(() => heard.includes('END'));
  assert.deepEqual([heard[0], visits], ['127.0.0.1', 1]);
  stream.end();
});

/** Returns an address that accepts connections at this port until its queue is full, and then stays silent. */
async function silentAddress(t: TestContext, address: string, port: number): Promise<void> {
  const script = `require('node:net').createServer().listen({ host: '${address}', port: ${port}, backlog: 1 }, () => {
    process.stdout.write('listening', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  // The queue holds one more than its configured length.
  for (let queued = 0; queued < 2; queued += 1) {
    const socket = connect({ host: address, port });
    socket.on('error', () => {});
    t.after(() => socket.destroy());
    await once(socket, 'connect');
  }
}

test('an address that never answers keeps nobody from the next one', async (t) => {
  const port = await listen(t, (socket) => socket.end(socket.localAddress ?? ''));
  await silentAddress(t, '127.0.0.2', port);
  const alone = dial(port, { host: '127.0.0.2', dialMs: 20 });
  await until(() => alone.stream.closed);
  assert.equal(alone.stream.failure, 'upstreamDialTimeout');
  const resolve = () =>
    Promise.resolve(['127.0.0.2', '127.0.0.1'].map((address) => ({ address, family: 4 })));
  const { stream, heard } = dial(port, { host: 'two.example', resolve, attemptMs: 20 });
  await until(() => heard.includes('END'));
  assert.equal(heard[0], '127.0.0.1');
  stream.end();
});

test('a name is resolved for each connection, and what it leads to now is judged', async (t) => {
  const port = await listen(t, (socket) => socket.end('hello'));
  const answers = ['127.0.0.1', '10.0.0.1'];
  const resolve = () => Promise.resolve([{ address: answers.shift()!, family: 4 }]);
  const dialler = new Dialler({ allowPrivate: loopback, resolve });
  const place = { host: 'rebinds.example', port, isTls: false, account: '' };
  const first = dialler.dial(place)!;
  const heard = listenTo(first);
  await until(() => heard.includes('END'));
  first.end();
  const second = dialler.dial(place)!;
  await until(() => second.closed);
  assert.equal(second.failure, 'upstreamAddressRefused');
});

test('a port of the service itself is dialled for everybody but visitors of TCP edges', async (t) => {
  const port = await listen(t, (socket) => socket.end('hello'));
  const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  const ownPorts = { includes: (_: unknown, one: number) => one === port };
  const dialler = new Dialler({ allowPrivate: loopback, resolve, ownPorts });
  for (const host of ['127.0.0.1', 'itself.example']) {
    const place = { host, port, isTls: false, account: '' };
    const stream = dialler.dial(place)!;
    const heard = listenTo(stream);
    await until(() => heard.includes('END'));
    stream.end();
    const back = dialler.dial({ ...place, fromPort: true })!;
    await until(() => back.closed);
    assert.equal(back.failure, 'upstreamLeadsBack');
  }
});

test('no more are open than may be, and one that closed makes room', async (t) => {
  const port = await listen(t, () => {});
  const dialler = new Dialler({ allowPrivate: loopback, limit: 1 });
  const place = { host: '127.0.0.1', port, isTls: false, account: '' };
  const first = dialler.dial(place)!;
  assert.equal(dialler.dial(place), null);
  first.reset(ErrorCode.streamCancelled);
  let second: ByteStream | null = null;
  await until(() => {
    second ??= dialler.dial(place);
    return second !== null;
  });
  second!.reset(ErrorCode.streamCancelled);
});

test('a handler that throws loses its stream alone', async (t) => {
  t.mock.method(process, 'emitWarning', () => {});
  const { stream } = dial(await listen(t, (socket) => void socket.write('x')));
  let code = -1;
  stream.handler = {
    data: () => assert.fail(),
    end() {},
    drain() {},
    close: (given) => {
      code = given;
    },
  };
  await until(() => stream.closed);
  assert.equal(code, ErrorCode.internal);
});

test('a server that does not read costs no more by single bytes', async (t) => {
  const { stream, heard } = dial(await listen(t, (socket) => socket.pause()));
  stream.write(Buffer.from('x'));
  await until(() => heard.includes('DRAIN'));
  let pieces = 1;
  while (stream.write(Buffer.from('x')) && pieces < 1000) pieces++;
  assert.ok(pieces < 100, `${pieces} pieces`);
  assert.equal(stream.writableNeedDrain, true);
  await until(() => heard.filter((what) => what === 'DRAIN').length === 2);
  stream.reset(ErrorCode.streamCancelled);
});

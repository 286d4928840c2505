import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import packet from 'dns-packet';
import { closing, freePorts, until } from '../../../../test/harness/index.ts';
import { missingPrograms } from '../../../../test/harness/missing.ts';
import type { Hostname } from '../core/names/hostname.ts';
import { ListenError } from '../system/listen.ts';
import { DnsListener } from './dns-listener.ts';
import { DnsResolver } from './resolver.ts';
import type { DnsOutcome } from './respond.ts';

const skip = missingPrograms('dig');

const zone = 'acme.service.example' as Hostname;
const nameServer = 'connect.service.example' as Hostname;
const log = { info() {}, warn() {} };
const run = promisify(execFile);

async function start(t: TestContext, { connections = 8, host = '127.0.0.1' } = {}) {
  const outcomes: DnsOutcome[] = [];
  const texts = new Map([[`abc.${zone}`, ['one', 'two']]]);
  const clock = { now: 0 };
  // One that the system gives to connections may be free for TCP alone.
  const [port] = (await freePorts(1)) as [number];
  const listener = await DnsListener.start({
    address: { host, port },
    zone: { name: zone, nameServer, texts },
    connections,
    now: () => clock.now,
    observe: (outcome) => outcomes.push(outcome),
    log,
  });
  t.after(() => listener.stop());
  return { listener, outcomes, texts, clock };
}

/** Returns the output of `dig`, with the header, the question and all sections. */
async function dig(port: number, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('dig', [
    '@127.0.0.1',
    '-p',
    String(port),
    '+noall',
    '+comments',
    '+answer',
    '+authority',
    ...args,
  ]);
  return stdout;
}

function query(name = `abc.${zone}`): Buffer {
  return packet.encode({ type: 'query', id: 1, flags: 0, questions: [{ name, type: 'TXT' }] });
}

function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

async function open(t: TestContext, { port }: DnsListener): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {});
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

async function openUdp(t: TestContext, address = '127.0.0.1'): Promise<UdpSocket> {
  const socket = createSocket('udp4');
  t.after(() => socket.close());
  socket.bind(0, address);
  await once(socket, 'listening');
  return socket;
}

test('dig gets texts, which it asks for again over TCP', { skip: skip }, async (t) => {
  const { listener, outcomes } = await start(t);
  const answer = await dig(listener.port, `ABC.${zone}`, 'TXT');
  assert.match(answer, /status: NOERROR/);
  assert.match(answer, /flags: qr aa rd;/, 'authoritative, without recursion');
  assert.match(answer, /\tIN\tTXT\t"one"\n.*\tIN\tTXT\t"two"\n/);
  assert.deepEqual(outcomes, ['truncated', 'answered']);
});

test('the zone has its start and its name server, and says what is not there', { skip: skip }, async (t) => {
  const { listener } = await start(t);
  const ask = (...args: string[]) => dig(listener.port, '+tcp', ...args);
  assert.match(
    await ask(zone, 'SOA'),
    /SOA\tconnect\.service\.example\. hostmaster\.acme\.service\.example\. 1 /,
  );
  assert.match(await ask(zone, 'NS'), /\tNS\tconnect\.service\.example\./);
  assert.match(await ask(zone, 'TXT'), /NOERROR[\s\S]*ANSWER: 0, AUTHORITY: 1[\s\S]*\tSOA\t/);
  assert.match(await ask(`abc.${zone}`, 'A'), /NOERROR[\s\S]*ANSWER: 0, AUTHORITY: 1[\s\S]*\tSOA\t/);
  assert.match(await ask(`nobody.${zone}`, 'TXT'), /NXDOMAIN[\s\S]*ANSWER: 0, AUTHORITY: 1[\s\S]*\tSOA\t/);
  assert.match(await ask(`abc.${zone}`, 'ANY'), /\tTXT\t"one"/);
});

test('nothing else is answered: other zones, other classes, transfers', { skip: skip }, async (t) => {
  const { listener } = await start(t);
  const refused = async (...args: string[]) =>
    assert.match(await dig(listener.port, ...args), /status: REFUSED[\s\S]*ANSWER: 0, AUTHORITY: 0/);
  await refused('service.example', 'SOA');
  await refused('example.com', 'A');
  await refused(`x${zone}`, 'TXT');
  await refused('.', 'NS');
  await refused('version.bind', 'CH', 'TXT');
  const transfer = await run('dig', ['@127.0.0.1', '-p', String(listener.port), zone, 'AXFR']);
  assert.match(transfer.stdout, /Transfer failed/);
});

test('dig of old, without extensions, gets no answer larger than it asked for, and one over TCP', {
  skip: skip,
}, async (t) => {
  const { listener, outcomes } = await start(t);
  const udp = await dig(listener.port, '+noedns', '+ignore', `abc.${zone}`, 'TXT');
  assert.match(udp, /flags: qr aa tc rd;[\s\S]*ANSWER: 0/);
  assert.deepEqual(outcomes, ['truncated']);
  assert.match(await dig(listener.port, '+noedns', `abc.${zone}`, 'TXT'), /"one"/);
});

test('a resolver finds a text by itself', async (t) => {
  const { listener } = await start(t);
  const resolver = new DnsResolver([`127.0.0.1:${listener.port}`]);
  assert.deepEqual(await resolver.texts(`abc.${zone}`), ['one', 'two']);
  assert.deepEqual(await resolver.texts(`nobody.${zone}`), []);
});

test('every address of the machine is listened on over both', { skip: skip }, async (t) => {
  const { listener } = await start(t, { host: '::' });
  assert.match(await dig(listener.port, `abc.${zone}`, 'TXT'), /"one"/);
});

test('a port that another process has is refused, and nothing is listened on', async (t) => {
  const holder = createSocket('udp4');
  t.after(() => holder.close());
  const [port] = (await freePorts(1)) as [number];
  holder.bind(port, '127.0.0.1');
  await once(holder, 'listening');
  const address = { host: '127.0.0.1', port };
  const rest = {
    zone: { name: zone, nameServer, texts: new Map() },
    connections: 8,
    now: () => 0,
    observe() {},
    log,
  };
  await assert.rejects(DnsListener.start({ address, ...rest }), (error) => {
    assert.ok(error instanceof ListenError);
    assert.match(error.message, /another process already listens there/);
    return true;
  });
  const server = createServer();
  t.after(() => server.close());
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
});

test('malformed packets over UDP end nothing, and the next question is answered', {
  skip: skip,
}, async (t) => {
  const { listener, outcomes } = await start(t);
  const socket = await openUdp(t);
  const whole = query();
  for (let length = 0; length < whole.length; length++)
    socket.send(whole.subarray(0, length), listener.port, '127.0.0.1');
  await until(() => outcomes.length === whole.length);
  assert.deepEqual(new Set(outcomes), new Set(['malformed']));
  assert.match(await dig(listener.port, `abc.${zone}`, 'TXT'), /"one"/);
});

test('a flood over UDP is dropped beyond what a source may ask, and questions over TCP are answered meanwhile', {
  skip: skip,
}, async (t) => {
  const { listener, outcomes, clock } = await start(t);
  const socket = await openUdp(t);
  const sendAll = async (count: number) => {
    for (let sent = 0; sent < count; sent += 50) {
      const before = outcomes.length;
      for (let at = 0; at < 50; at++) socket.send(query(), listener.port, '127.0.0.1');
      await until(() => outcomes.length === before + 50);
    }
  };
  await sendAll(500);
  assert.equal(outcomes.filter((outcome) => outcome === 'dropped').length, 100);
  assert.match(await dig(listener.port, '+tcp', `abc.${zone}`, 'TXT'), /"one"/);
  clock.now += 1000;
  await sendAll(50);
  assert.equal(outcomes.at(-1), 'truncated');
});

/** A name server at an address of this machine, which returns over TCP after a truncated response. */
async function resolve(t: TestContext, port: number, localAddress: string): Promise<readonly string[]> {
  const udp = await openUdp(t, localAddress);
  udp.send(query(), port, '127.0.0.1');
  const [answer] = (await once(udp, 'message')) as [Buffer];
  assert.ok(answer.length <= query().length);
  const first = packet.decode(answer);
  if (!first.flag_tc) return textsOf(first);
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  t.after(() => socket.destroy());
  socket.end(framed(query()));
  const pieces: Buffer[] = [];
  for await (const piece of socket) pieces.push(piece);
  return textsOf(packet.decode(Buffer.concat(pieces).subarray(2)));
}

function textsOf({ answers = [] }: packet.Packet): readonly string[] {
  return answers.flatMap((answer) => (answer.type === 'TXT' ? String(answer.data) : []));
}

test('in a flood over UDP from many addresses, name servers are referred to TCP and have their own share there', async (t) => {
  const { listener, outcomes } = await start(t, { connections: 64 });
  const flood = await Promise.all(Array.from({ length: 60 }, (_, at) => openUdp(t, `127.1.${at}.1`)));
  const ask = async (rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      const before = outcomes.length;
      for (const socket of flood) socket.send(query(), listener.port, '127.0.0.1');
      await until(() => outcomes.length === before + flood.length);
    }
  };
  await ask(50);
  assert.deepEqual(new Set(outcomes), new Set(['truncated']), 'none is dropped');
  const resolvers = Array.from({ length: 40 }, (_, at) => `127.2.${at}.1`);
  for (const address of resolvers)
    assert.deepEqual(await resolve(t, listener.port, address), ['one', 'two'], address);
  // With a constant clock, all shares but theirs are used up.
  await ask(300);
  for (const address of resolvers)
    assert.deepEqual(await resolve(t, listener.port, address), ['one', 'two'], address);
  for (const address of skip ? [] : ['127.4.0.1', '127.4.1.1', '127.2.0.1'])
    assert.match(await dig(listener.port, '-b', address, '+noedns', `abc.${zone}`, 'TXT'), /"one"/, address);
});

test('questions that come in pieces, or many at once, over one connection are all answered', async (t) => {
  const { listener } = await start(t);
  const socket = await open(t, listener);
  const bytes = Buffer.concat([1, 2, 3].map(() => framed(query())));
  for (const byte of bytes) socket.write(Buffer.from([byte]));
  socket.end(bytes);
  const pieces: Buffer[] = [];
  for await (const piece of socket) pieces.push(piece);
  const answers = Buffer.concat(pieces);
  const length = answers.readUInt16BE(0) + 2;
  assert.equal(answers.length, 6 * length);
});

test('a question larger than any is, and bytes that are none, end their connection', async (t) => {
  const { listener } = await start(t);
  const large = await open(t, listener);
  large.write(Buffer.from([0xff, 0xff]));
  await closing(large);
  const noise = await open(t, listener);
  noise.write(framed(Buffer.alloc(4)));
  await closing(noise);
});

test('when connections run out, the one that asked longest ago gives way', async (t) => {
  const { listener } = await start(t, { connections: 3 });
  const [first, second, third] = [await open(t, listener), await open(t, listener), await open(t, listener)];
  assert.ok(first && second && third);
  first.write(framed(query()));
  await once(first, 'data');
  const closed = closing(second);
  const fourth = await open(t, listener);
  await closed;
  fourth.write(framed(query()));
  await once(fourth, 'data');
  first.write(framed(query()));
  await once(first, 'data');
});

test('a source with too many connections gets no more of them', async (t) => {
  const { listener } = await start(t, { connections: 64 });
  for (let count = 0; count < 16; count++) await open(t, listener);
  const surplus = await open(t, listener);
  await closing(surplus);
});

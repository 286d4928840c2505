import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { call, ErrorCode, type MuxStream, type StreamType } from '@underpass/wire';
import pino from 'pino';
import { eventually, Relay } from '../../../../test/harness/index.ts';
import { UNGREETED } from './limits.ts';
import {
  clientOver,
  down,
  echo,
  nodeOf,
  onOtherMachine,
  openAuthority,
  overHop,
  overTls,
  startAcceptor,
  startLinks,
  times,
  toSocket,
  up,
} from './links.fixture.ts';
import type { LinkNode } from './node-facts.ts';
import { LinkStream, type Peer } from './peers.ts';

const quiet = { data: () => {}, end: () => {}, drain: () => {}, close: () => {} };

test('daemons on one machine open streams to each other, and call each other', async (context) => {
  const one = await startLinks(context, 1);
  const two = await startLinks(context, 2);
  one.links.follow([two.node]);
  two.links.follow([one.node]);
  two.links.serve(LinkStream.hop, echo);
  one.links.answer(LinkStream.ask, (body, from) => ({ body, from }));
  await up(one.links, 2);
  await up(two.links, 1);
  assert.equal(await overHop(one.links, 2, 'hello'), 'hello');
  assert.deepEqual(await two.links.get(1)?.call(LinkStream.ask, { a: 1 }), { body: { a: 1 }, from: 2 });
  const { isOnThisMachine, region } = one.links.get(2) as Peer;
  assert.deepEqual([isOnThisMachine, region], [true, 'eu']);
  await assert.rejects(async () => one.links.get(2)?.call(LinkStream.visits, {}), /streamRefused/);
});

test('daemons on two machines do the same over TLS', async (context) => {
  const authority = await openAuthority(context);
  const one = await startLinks(context, 1, overTls(authority));
  const two = await startLinks(context, 2, overTls(authority));
  one.links.follow([onOtherMachine(two.node)]);
  two.links.follow([onOtherMachine(one.node)]);
  two.links.serve(LinkStream.hop, echo);
  await up(one.links, 2);
  await up(two.links, 1);
  const long = 'x'.repeat(1_000_000);
  assert.equal(await overHop(one.links, 2, long), long);
  assert.equal(one.links.get(2)?.isOnThisMachine, false);
});

test('a link that was cut comes back, and both is notified', async (context) => {
  const authority = await openAuthority(context);
  const one = await startLinks(context, 1);
  const two = await startLinks(context, 2, overTls(authority));
  const port = Number(two.node.link.address?.split(':').at(-1));
  const relay = await Relay.start({ port, delayMs: () => 0 });
  context.after(() => relay.stop());
  const states: boolean[] = [];
  const other = await startLinks(context, 3, overTls(authority));
  other.links.onChange((peer) => states.push(peer.isUp));
  other.links.follow([nodeOf(2, { address: `127.0.0.1:${relay.port}` }), one.node]);
  await up(other.links, 2);
  await up(other.links, 1);
  relay.lead(null);
  relay.cut();
  await down(other.links, 2);
  assert.equal(other.links.get(1)?.isUp, true);
  relay.lead(port);
  await up(other.links, 2);
  assert.deepEqual(states, [true, true, false, true]);
});

test('a dead daemon is no peer, and its links are closed', async (context) => {
  const one = await startLinks(context, 1);
  const two = await startLinks(context, 2);
  one.links.follow([two.node]);
  two.links.follow([one.node]);
  await up(one.links, 2);
  await up(two.links, 1);
  const gone: number[] = [];
  one.links.onChange((peer) => gone.push(peer.incarnation));
  one.links.follow([]);
  assert.deepEqual([one.links.get(2), [...one.links.all()], gone], [undefined, [], [2]]);
  assert.equal(two.links.get(1)?.isUp, true);
  const states: boolean[] = [];
  two.links.onChange((peer) => states.push(peer.isUp));
  one.links.follow([]);
  await eventually(() => assert.equal(states[0], false));
});

test('a daemon with a new incarnation greets with it', async (context) => {
  const one = await startLinks(context, 1);
  const two = await startLinks(context, 2);
  const from: number[] = [];
  two.links.answer(LinkStream.ask, (_body, sender) => from.push(sender));
  one.links.follow([two.node]);
  await up(one.links, 2);
  const states: boolean[] = [];
  one.links.onChange((peer) => states.push(peer.isUp));
  one.links.joined(3);
  await eventually(() => assert.deepEqual(states, [false, true]));
  await one.links.get(2)?.call(LinkStream.ask, {});
  assert.deepEqual(from, [3]);
});

test('a daemon of another incarnation at the address is not used', async (context) => {
  const one = await startLinks(context, 1);
  const acceptor = await startAcceptor(context, { version: 1, oldest: 1, incarnation: 7 });
  one.links.follow([nodeOf(2, { socket: acceptor.path })]);
  await eventually(() => assert.ok(acceptor.connections() > 2));
  assert.equal(one.links.get(2)?.isUp, false);
});

for (const [name, versions] of [
  ['old', { version: 0, oldest: 0 }],
  ['new', { version: 9, oldest: 9 }],
] as const)
  test(`a daemon with a version that is too ${name} is not used, and logged once`, async (context) => {
    const lines: string[] = [];
    const one = await startLinks(context, 1, { log: pino({}, { write: (line) => lines.push(line) }) });
    const acceptor = await startAcceptor(context, { ...versions, incarnation: 2 });
    one.links.follow([nodeOf(2, { socket: acceptor.path })]);
    await eventually(() => assert.equal(lines.length, 1));
    assert.match(lines[0] ?? '', /upgrade/);
    one.links.follow([nodeOf(2, { socket: acceptor.path })]);
    assert.deepEqual([one.links.get(2)?.isUp, acceptor.connections()], [false, 1]);

    one.links.answer(LinkStream.ask, () => 'served');
    const { session } = clientOver(context, toSocket(one.node));
    const answer = await call(session, LinkStream.hello, { ...versions, incarnation: 2 });
    assert.deepEqual(answer, { version: 1, oldest: 1, incarnation: 1 });
    await assert.rejects(call(session, LinkStream.ask, {}), /streamRefused/);
  });

test('a connection without a hello can do nothing, and is closed', async (context) => {
  const one = await startLinks(context, 1, { times: { ...times, helloMs: 200 } });
  one.links.answer(LinkStream.ask, () => assert.fail('it was served'));
  const { session, codes } = clientOver(context, toSocket(one.node));
  await assert.rejects(call(session, LinkStream.ask, {}), /streamRefused/);
  await eventually(() => assert.equal(codes.length, 1));
});

test('a hello of another form ends the connection', async (context) => {
  const one = await startLinks(context, 1);
  for (const body of [{}, [], { version: 1, oldest: 1, incarnation: '2' }]) {
    const { session, codes } = clientOver(context, toSocket(one.node));
    await call(session, LinkStream.hello, body).catch(() => {});
    await eventually(() => assert.deepEqual(codes, ['not a valid hello']));
  }
});

test('many connections without a hello do not keep a daemon out', async (context) => {
  const one = await startLinks(context, 1);
  const two = await startLinks(context, 2);
  const idle: Socket[] = [];
  for (let n = 0; n < UNGREETED + 10; n += 1) {
    const socket = toSocket(one.node);
    context.after(() => socket.destroy());
    idle.push(socket.on('error', () => {}).resume());
    await once(socket, 'connect');
  }
  two.links.follow([one.node]);
  await up(two.links, 1);
  await eventually(() => assert.equal(idle.filter(({ destroyed }) => !destroyed).length, UNGREETED - 1));
});

test('a link that is away for long is logged once, with the reason and its return', async (context) => {
  const lines: string[] = [];
  const logged = { log: pino({}, { write: (line) => lines.push(line) }), times: { ...times, reportMs: 100 } };
  const one = await startLinks(context, 1, logged);
  const two = await startLinks(context, 2);
  const { socket } = two.node.link;
  await two.links.stop();
  one.links.follow([two.node]);
  await eventually(() => assert.equal(lines.length, 1));
  assert.match(lines[0] ?? '', /"level":40.*"other":"n".*ENOENT|no socket/);
  assert.ok(socket !== null);
  mkdirSync(dirname(socket), { mode: 0o700 });
  const acceptor = await startAcceptor(context, { version: 1, oldest: 1, incarnation: 2 });
  renameSync(acceptor.path, socket);
  context.after(() => rmSync(dirname(socket), { recursive: true, force: true }));
  await up(one.links, 2);
  assert.equal(lines.length, 2);
  assert.match(lines[1] ?? '', /"level":30.*is up/);
});

test('a silent daemon is noticed', async (context) => {
  const silentMs = 300;
  const one = await startLinks(context, 1, { times: { ...times, silentMs } });
  const acceptor = await startAcceptor(context, { version: 1, oldest: 1, incarnation: 2 });
  one.links.follow([nodeOf(2, { socket: acceptor.path })]);
  await eventually(() => assert.ok(acceptor.connections() >= 2));

  const { session, codes } = clientOver(context, toSocket(one.node));
  await call(session, LinkStream.hello, { version: 1, oldest: 1, incarnation: 4 });
  await eventually(() => assert.match(codes[0] ?? '', /nothing came for/));
});

test('a visitor that reads nothing does not stop others', async (context) => {
  const one = await startLinks(context, 1);
  const two = await startLinks(context, 2);
  two.links.serve(LinkStream.hop, echo);
  one.links.follow([two.node]);
  await up(one.links, 2);
  const full: MuxStream[] = [];
  for (let n = 0; n < 50; n += 1) {
    const stream = one.links.get(2)?.open(LinkStream.hop, quiet, Buffer.from('x'));
    assert.ok(stream);
    stream.pause();
    while (stream.write(Buffer.alloc(10_000)));
    full.push(stream);
  }
  const long = 'y'.repeat(1_000_000);
  assert.equal(await overHop(one.links, 2, long), long);
  for (const stream of full) stream.reset(ErrorCode.streamCancelled);
});

test('the first bytes of a hop may be longer than a narrow window', async (context) => {
  const one = await startLinks(context, 1);
  const two = await startLinks(context, 2);
  two.links.serve(LinkStream.hop, echo);
  one.links.follow([two.node]);
  await up(one.links, 2);
  const long = 'z'.repeat(100_000);
  assert.equal(await overHop(one.links, 2, long), long);
});

test('a daemon that stops says so, and leaves no socket', async (context) => {
  const one = await startLinks(context, 1);
  const two = await startLinks(context, 2);
  one.links.follow([two.node]);
  await up(one.links, 2);
  const { session, codes } = clientOver(context, toSocket(two.node));
  await call(session, LinkStream.hello, { version: 1, oldest: 1, incarnation: 4 });
  const { socket } = two.node.link;
  assert.ok(socket !== null && existsSync(socket));
  await two.links.stop();
  assert.deepEqual(codes, ['this daemon is stopping']);
  assert.equal(existsSync(dirname(socket)), false);
  await down(one.links, 2);
  assert.equal(session.open(LinkStream.hop as StreamType, quiet), null);
});

test('without a certificate there are links on this machine', async (context) => {
  const listen = { host: '127.0.0.1', port: 0 };
  const two = await startLinks(context, 2, { listen });
  const one = await startLinks(context, 1);
  const node: LinkNode = two.node;
  one.links.follow([node]);
  await up(one.links, 2);
  assert.match(node.link.address ?? '', /^127\.0\.0\.1:\d+$/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErrorCode } from './codes.ts';
import { echoHeartbeat, startHeartbeat } from './heartbeat.ts';
import { data, fin, rawPair, rst, sessionPair, syn, until } from './test-peers.fixture.ts';

test('a peer that echoes is alive, beat after beat', async (t) => {
  const { client, server } = await sessionPair(t, { accept: (_type, stream) => echoHeartbeat(stream) });
  const beats: number[] = [];
  let dead = 0;
  const heartbeat = startHeartbeat(client.session, {
    intervalMs: 2,
    toleranceMs: 60_000,
    dead: () => dead++,
    beat: (ms) => beats.push(ms),
  });
  await until(() => beats.length >= 5);
  assert.ok(beats.every((ms) => ms >= 0));
  heartbeat.stop();
  heartbeat.stop();
  await until(() => client.session.streamCount + server.session.streamCount === 0);
  assert.equal(dead, 0);
});

test('each beat is one frame with four new bytes', async (t) => {
  const { peer, session } = await rawPair(t);
  startHeartbeat(session, { intervalMs: 1, toleranceMs: 60_000, dead: () => assert.fail('dead') });
  const beats: string[] = [];
  for (let i = 0; i < 4; i++) {
    await until(() => peer.frames.length > i);
    const body = peer.frames[i]!.body;
    const bytes = i === 0 ? body.subarray(4) : body;
    assert.equal(bytes.length, 4);
    beats.push(bytes.toString('hex'));
    // An echo may arrive in two parts.
    peer.send(data(2, bytes.subarray(0, 1)), data(2, bytes.subarray(1)));
  }
  assert.equal(peer.frames[0]!.body.readUInt32BE(0), 0xffffffff);
  assert.equal(new Set(beats).size, 4);
});

test('a peer that does not echo is dead, once', async (t) => {
  const { peer, session } = await rawPair(t);
  let dead = 0;
  startHeartbeat(session, { intervalMs: 1, toleranceMs: 20, dead: () => dead++ });
  await until(() => dead === 1);
  await until(() => peer.resets(2).length === 1);
  assert.equal(session.isClosed, false);
  assert.equal(dead, 1);
});

test('a peer that stops to echo is dead', async (t) => {
  const { peer, session } = await rawPair(t);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let dead = 0;
  let beats = 0;
  startHeartbeat(session, {
    ...{ intervalMs: 10_000, toleranceMs: 15_000 },
    ...{ dead: () => dead++, beat: () => beats++ },
  });
  await until(() => peer.frames.length === 1);
  peer.send(data(2, peer.frames[0]!.body.subarray(4)));
  await until(() => beats === 1);
  t.mock.timers.tick(10_000);
  await until(() => peer.frames.length === 2);
  t.mock.timers.tick(15_000);
  await until(() => dead === 1);
  await until(() => peer.resets(2).length === 1);
  // The type of the stream and two beats.
  assert.equal(peer.received(2).length, 3 * 4);
});

test('a wrong echo, an echo too many, a closed heartbeat: dead', async (t) => {
  const replies = [
    (bytes: Buffer) => [data(2, Buffer.from(bytes.map((byte) => byte ^ 1)))],
    (bytes: Buffer) => [data(2, bytes), data(2, bytes)],
    () => [fin(2)],
    () => [rst(2, ErrorCode.streamRefused)],
  ];
  for (const reply of replies) {
    const { peer, session } = await rawPair(t);
    let dead = 0;
    startHeartbeat(session, { intervalMs: 60_000, toleranceMs: 60_000, dead: () => dead++ });
    await until(() => peer.frames.length === 1);
    peer.send(...reply(peer.frames[0]!.body.subarray(4)));
    await until(() => dead === 1);
    assert.equal(session.isClosed, false);
  }
});

test('a beat out of turn is a beat like any other, and none while one is on its way', async (t) => {
  const { peer, session } = await rawPair(t);
  const options = { intervalMs: 60_000, toleranceMs: 60_000, dead: () => assert.fail('dead') };
  let beats = 0;
  const heartbeat = startHeartbeat(session, { ...options, beat: () => beats++ });
  heartbeat.beat();
  await until(() => peer.frames.length === 1);
  peer.send(data(2, peer.frames[0]!.body.subarray(4)));
  await until(() => beats === 1);
  for (let time = 0; time < 2; time++) heartbeat.beat();
  await until(() => peer.frames.length === 2);
  peer.send(data(2, peer.frames[1]!.body));
  await until(() => beats === 2);
  heartbeat.stop();
  heartbeat.beat();
  await until(() => peer.resets(2).length === 1);
  assert.equal(peer.frames.filter(({ type }) => type === 1).length, 2);
});

test('a peer that does not echo a beat out of turn is dead', async (t) => {
  const { peer, session } = await rawPair(t);
  let dead = 0;
  const heartbeat = startHeartbeat(session, {
    ...{ intervalMs: 60_000, toleranceMs: 1_000 },
    dead: () => dead++,
  });
  await until(() => peer.frames.length === 1);
  peer.send(data(2, peer.frames[0]!.body.subarray(4)));
  await until(() => {
    heartbeat.beat();
    return dead === 1;
  });
});

test('the end of the session is not a missed heartbeat', async (t) => {
  const { session } = await rawPair(t);
  let dead = 0;
  startHeartbeat(session, { intervalMs: 1, toleranceMs: 60_000, dead: () => dead++ });
  session.goAway(ErrorCode.none);
  startHeartbeat(session, { intervalMs: 1, toleranceMs: 60_000, dead: () => dead++ });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(dead, 0);
});

test('the other side keeps nothing: who sends more than a few beats before it reads their echoes loses the stream', async (t) => {
  const { peer, session } = await rawPair(t, { accept: (_type, stream) => echoHeartbeat(stream) });
  peer.send(syn(1, 0xffffffff), data(1, Buffer.alloc(64)));
  await until(() => peer.received(1).length === 64);
  peer.send(data(1, Buffer.alloc(65)));
  await until(() => peer.resets(1).length === 1);
  assert.deepEqual(peer.resets(1), [ErrorCode.enhanceYourCalm]);
  assert.equal(session.isClosed, false);
});

test('a peer that reads its echoes may beat for ever, and one that does not is not waited for', async (t) => {
  const { peer, session, near } = await rawPair(t, { accept: (_type, stream) => echoHeartbeat(stream) });
  peer.send(syn(1, 0xffffffff));
  for (let beat = 1; beat <= 100; beat++) {
    peer.send(data(1, Buffer.alloc(4)));
    await until(() => peer.received(1).length === 4 * beat);
  }
  peer.socket.pause();
  while (session.streamCount > 0) {
    for (let count = 0; count < 1000; count++) peer.send(data(1, Buffer.alloc(4)));
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(near.writableLength < 262_144);
});

test('the other side echoes whatever comes, and closes when the beats end', async (t) => {
  const { peer, session } = await rawPair(t, { accept: (_type, stream) => echoHeartbeat(stream) });
  peer.send(
    syn(1, 0xffffffff),
    data(1, Buffer.from('abcd')),
    data(1, Buffer.from('ef')),
    data(1, Buffer.from('gh'), 1),
  );
  await until(() => session.streamCount === 0 && (peer.frames.at(-1)?.flags ?? 0) === 1);
  assert.equal(peer.received(1).toString(), 'abcdefgh');
});

/** Limits in time and memory for connections of SSH clients, before and after their login. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { until } from '../../../../../test/harness/until.ts';
import { Reader, string, uint32 } from '../../pki/ssh/index.ts';
import { Message } from '../../ssh/numbers.ts';
import { RawClient } from '../../ssh/raw-client.fixture.ts';
import type { IngressLimits } from '../limits.ts';
import { requestCommand, requestForward, type Started, startGateway } from './gateway.fixture.ts';

const stops: (() => Promise<void>)[] = [];
after(async () => {
  for (const stop of stops) await stop();
});

async function start(limits: Partial<IngressLimits>): Promise<Started> {
  const started = await startGateway({ limits });
  stops.push(started.stop);
  return started;
}

describe('before a login', () => {
  test('silence ends, and so does talk that comes to nothing', async () => {
    const { port } = await start({ authMs: 2_000 });
    const silent = await RawClient.connect(port);
    const talking = await RawClient.withKeys(port);
    const talk = setInterval(() => talking.send(Buffer.of(Message.ignore), string('still here')), 20);
    assert.match(await talking.closed().finally(() => clearInterval(talk)), /No Auth request arrived/);
    await silent.closed();
  });

  test('of too many connections from a source the oldest one goes', async () => {
    const { port, key } = await start({ unauthenticatedPerSource: 2 });
    const [first, second] = [await RawClient.withKeys(port), await RawClient.withKeys(port)];
    const third = await RawClient.authenticated(port, key);
    assert.match(await first.closed(), /too many others are not authenticated/);
    assert.ok(!second.isClosed);
    third.socket.destroy();
  });
});

describe('after it', () => {
  test('a client says in time what it forwards, and as what', async () => {
    const { port, key } = await start({ sshRequestMs: 1_000 });
    const nothing = await RawClient.authenticated(port, key);
    const half = await RawClient.authenticated(port, key);
    requestForward(half, 'tcpip-forward', '', 80);
    await half.openSession();
    assert.match(await nothing.closed(), /No forwarded port came in 1 s.*1112/);
    const complaint = await half.message(Message.channelExtendedData);
    assert.match(complaint.toString('latin1'), /No command came in 1 s.*1111/);
    half.socket.destroy();
  });

  test('a client that gives no sign of life is dropped, and its name is free for its credential', async () => {
    const { port, key, world } = await start({ sshKeepaliveMs: 500 });
    const alive = await RawClient.authenticated(port, key);
    const keepAlive = setInterval(() => alive.send(Buffer.of(Message.requestFailure)), 10);
    try {
      const dead = await RawClient.authenticated(port, key);
      assert.equal(world.ingress.counts.sessions, 2);
      await dead.closed();
      await until(() => world.ingress.counts.sessions === 1);
      assert.ok(!alive.isClosed);
    } finally {
      clearInterval(keepAlive);
      alive.socket.destroy();
    }
  });

  test('a client has one session and one port, and takes back its own alone', async () => {
    const { port, key, world } = await start({});
    const [mine, theirs] = [
      await RawClient.authenticated(port, key),
      await RawClient.authenticated(port, key),
    ];
    for (const client of [mine, theirs]) {
      requestForward(client, 'tcpip-forward', 'x', 0);
      requestCommand(client, await client.openSession(), 'http');
    }
    // The name cannot be bound, and both sides are notified.
    await mine.message(Message.requestFailure);
    await theirs.message(Message.requestFailure);
    const other = await RawClient.authenticated(port, key);
    requestForward(other, 'tcpip-forward', '', 0);
    const answered = new Reader((await other.message(Message.requestSuccess)).subarray(1)).uint32();
    requestCommand(other, await other.openSession(), 'http');
    await until(() => world.ingress.counts.tunnels === 1);
    other.send(Buffer.of(Message.channelOpen), string('session'), uint32(1), uint32(4096), uint32(4096));
    const refusal = new Reader((await other.message(Message.channelOpenFailure)).subarray(9));
    assert.match(refusal.text(), /has a session already.*1104/);
    requestForward(theirs, 'cancel-tcpip-forward', 'x', answered);
    await theirs.message(Message.requestFailure);
    requestForward(other, 'cancel-tcpip-forward', 'x', answered);
    await other.message(Message.requestFailure);
    assert.equal(world.ingress.counts.tunnels, 1);
    requestForward(other, 'cancel-tcpip-forward', '', answered);
    await other.message(Message.requestSuccess);
    assert.match(await other.closed(), /has taken its forwarded port back/);
    assert.equal(world.ingress.counts.tunnels, 0);
  });

  test('a credential has so many sessions and no more', async () => {
    const { port, key } = await start({ sessionsPerCredential: 1 });
    const first = await RawClient.authenticated(port, key);
    const second = await RawClient.withKeys(port);
    second.login(key);
    const banner = new Reader((await second.message(Message.userauthBanner)).subarray(1));
    assert.match(banner.text(), /has 1 agent sessions online, which is the limit/);
    await second.message(Message.userauthFailure);
    first.socket.destroy();
  });
});

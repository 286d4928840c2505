/** What connections of SSH clients may take of time and room before and after they have logged in. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { pino } from 'pino';
import { until } from '../../../../../test/harness/until.ts';
import {
  boolean,
  fingerprint,
  formatPublicKey,
  generateSigningKey,
  openSigningKey,
  Reader,
  type SigningKey,
  string,
  uint32,
} from '../../pki/ssh/index.ts';
import { Message } from '../../ssh/numbers.ts';
import { makeHostKey } from '../../ssh/openssh.fixture.ts';
import { RawClient } from '../../ssh/raw-client.fixture.ts';
import { World } from '../ingress.fixture.ts';
import type { IngressLimits } from '../limits.ts';
import { SshGateway } from './gateway.ts';

const stops: (() => Promise<void>)[] = [];
after(async () => {
  for (const stop of stops) await stop();
});

interface Started {
  readonly port: number;
  readonly key: SigningKey;
  readonly world: World;
}

/** A gateway with one credential. */
async function start(limits: Partial<IngressLimits>): Promise<Started> {
  const world = await World.create({ limits });
  const key = openSigningKey(await generateSigningKey({ type: 'ed25519' }));
  const account = await world.account();
  const user = { name: 'u', email: 'u@example.com', role: 'admin', active: true };
  const owner_id = await world.insert('user', 'usr', account, user);
  await world.insert('ssh_credential', 'sshcr', account, {
    ...{ description: '', metadata: '', acl: [], owner_id },
    public_key: formatPublicKey(key.publicKey),
    fingerprint: fingerprint(key.publicKey),
  });
  const gateway = await SshGateway.start({
    address: { host: '127.0.0.1', port: 0 },
    hostKeys: [await makeHostKey()],
    ingress: world.ingress,
    connections: 100,
    log: pino({ level: 'silent' }),
  });
  stops.push(async () => {
    gateway.stop();
    await world.stop();
  });
  return { port: gateway.port, key, world };
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
    half.send(
      Buffer.of(Message.globalRequest),
      string('tcpip-forward'),
      boolean(true),
      string(''),
      uint32(80),
    );
    assert.match(await nothing.closed(), /No forwarded port came in 1 s.*1112/);
    assert.match(await half.closed(), /No command came in 1 s.*1111/);
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
    const ask = (client: RawClient, name: string, at: number) =>
      client.send(Buffer.of(Message.globalRequest), string(name), boolean(true), string('x'), uint32(at));
    for (const client of [mine, theirs]) {
      ask(client, 'tcpip-forward', 0);
      const id = await client.openSession();
      client.send(
        Buffer.of(Message.channelRequest),
        uint32(id),
        string('exec'),
        boolean(true),
        string('http'),
      );
    }
    // The name is not one that can be bound, and both are told.
    await mine.message(Message.requestFailure);
    await theirs.message(Message.requestFailure);
    const other = await RawClient.authenticated(port, key);
    other.send(
      Buffer.of(Message.globalRequest),
      string('tcpip-forward'),
      boolean(true),
      string(''),
      uint32(0),
    );
    const id = await other.openSession();
    other.send(Buffer.of(Message.channelRequest), uint32(id), string('exec'), boolean(true), string('http'));
    const answered = new Reader((await other.message(Message.requestSuccess)).subarray(1)).uint32();
    assert.equal(world.ingress.counts.tunnels, 1);
    other.send(Buffer.of(Message.channelOpen), string('session'), uint32(1), uint32(4096), uint32(4096));
    const refusal = new Reader((await other.message(Message.channelOpenFailure)).subarray(9));
    assert.match(refusal.text(), /has a session already.*1104/);
    ask(theirs, 'cancel-tcpip-forward', answered);
    await theirs.message(Message.requestFailure);
    ask(other, 'cancel-tcpip-forward', answered);
    await other.message(Message.requestFailure);
    assert.equal(world.ingress.counts.tunnels, 1);
    const cancel = [string('cancel-tcpip-forward'), boolean(true), string(''), uint32(answered)];
    other.send(Buffer.of(Message.globalRequest), ...cancel);
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

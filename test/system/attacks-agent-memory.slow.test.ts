/** Attacks on the daemon's memory by agents: what is sent in part, what is never read, and connections that prove nothing. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  call,
  echoHeartbeat,
  field,
  MuxSession,
  type MuxStream,
  noopHandler,
  StreamType,
} from '@underpass/wire';
import { Platform, until } from '../harness/index.ts';
import { Resident, residentMissing } from '../harness/resident.ts';

const NAME = 'connect.underpass.localhost';
/** MB of garbage that an attack may leave; each attack here was worth more. */
const SLACK = 200;

interface Attacked {
  readonly platform: Platform;
  /** An agent's side of a connection; authenticated with `token`. */
  connect(token?: string): Promise<MuxSession>;
  /** Waits until everything was worked through, and answers by how many MB the daemon grew at its peak. */
  grown(): Promise<number>;
}

/** A daemon of its own: memory that is free again stays resident. */
async function attack(t: TestContext): Promise<Attacked> {
  const platform = await Platform.start({ args: ['--log-level', 'warn'] });
  t.after(() => platform.stop());
  const resident = new Resident(platform.daemon.pid);
  const connect = async (token?: string): Promise<MuxSession> => {
    const socket = await platform.client.tls(NAME);
    t.after(() => socket.destroy());
    const session = new MuxSession(socket, {
      role: 'client',
      accept: (type, stream) => (type === StreamType.heartbeat ? echoHeartbeat(stream) : stream.reset(5)),
      closed: () => {},
    });
    if (token === undefined) return session;
    const request = { Version: ['3'], Extra: { Authtoken: token } };
    assert.equal(field(await call(session, StreamType.auth, request), 'Error'), '');
    return session;
  };
  // The cost of the first agent is not counted.
  (await connect(platform.bootstrap.authtoken)).goAway(0);
  await resident.start();
  return {
    platform,
    connect,
    async grown() {
      await resident.rest();
      return resident.grown;
    },
  };
}

/** Begins a request and never ends it. */
function halfSend(session: MuxSession, type: StreamType, bytes: number): MuxStream | null {
  const stream = session.open(type, noopHandler, Buffer.from('{"Id":"'));
  stream?.write(Buffer.alloc(bytes, 'x'));
  return stream;
}

const skip = residentMissing;

test('heartbeats before Auth, without end and without a reader of their echoes, are not kept', {
  skip,
}, async (t) => {
  const { connect, grown } = await attack(t);
  for (let count = 0; count < 8; count++) {
    const session = await connect();
    for (let stream = 0; stream < 480; stream++)
      session.open(StreamType.heartbeat, noopHandler)?.write(Buffer.alloc(262_000));
  }
  const mb = await grown();
  assert.ok(mb < SLACK, `${mb} MB`);
});

test('Auth requests that never end are not kept', { skip }, async (t) => {
  const { connect, grown } = await attack(t);
  for (let count = 0; count < 300; count++) halfSend(await connect(), StreamType.auth, 900_000);
  const mb = await grown();
  assert.ok(mb < SLACK, `${mb} MB`);
});

test('requests that never end are kept up to a bound, and the rest is told so', { skip }, async (t) => {
  const { connect, grown, platform } = await attack(t);
  const { authtoken } = platform.bootstrap;
  const told: string[] = [];
  const session = await connect(authtoken);
  for (let request = 0; request < 450; request++) {
    const stream = halfSend(session, StreamType.bind, 900_000);
    if (stream !== null)
      stream.handler = { ...noopHandler, data: (chunk) => told.push(chunk.toString('utf8')) };
  }
  const other = await connect(authtoken);
  const bound = await call(other, StreamType.bind, { Proto: 'https' });
  assert.equal(field(bound, 'Error'), '', 'an agent that behaves notices nothing');
  const mb = await grown();
  assert.ok(mb < SLACK, `${mb} MB`);
  await until(() => told.length > 400, 'most requests are given up');
  for (const text of told) assert.match(JSON.parse(text).Error, /\n\nERR_SERVICE_60323$/);
});

test('requests that never end are bounded over all sessions, too', { skip }, async (t) => {
  const { connect, grown, platform } = await attack(t);
  for (let count = 0; count < 60; count++) {
    const session = await connect(platform.bootstrap.authtoken);
    for (let request = 0; request < 8; request++) halfSend(session, StreamType.bind, 900_000);
  }
  const mb = await grown();
  // 64 MiB of them.
  assert.ok(mb < 64 + SLACK, `${mb} MB`);
});

test('answers that are never read are kept up to a bound', { skip }, async (t) => {
  const { connect, grown, platform } = await attack(t);
  for (let count = 0; count < 3; count++) {
    const session = await connect(platform.bootstrap.authtoken);
    for (let request = 0; request < 250; request++) {
      // Answered with what was sent, on a stream whose window is never opened again.
      const stream = session.open(StreamType.bind, noopHandler);
      stream?.pause();
      const body = { Id: String(request), Proto: 'https', Opts: { Novelty: 'x'.repeat(700_000) } };
      stream?.write(Buffer.from(JSON.stringify(body)));
    }
  }
  const mb = await grown();
  assert.ok(mb < SLACK, `${mb} MB`);
});

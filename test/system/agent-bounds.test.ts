/**
 * Limits for an agent before its Auth, at a daemon with default options, with handmade frames (agent protocol,
 * section 9).
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { encodeFrame, Flag, type Frame, FrameReader, FrameType, uint32 } from '../agents/frames.ts';
import { StreamType } from '../agents/index.ts';
import { eventually, Platform } from '../harness/index.ts';

/** Codes of resets. */
const REFUSED = 5;
const ENHANCE_YOUR_CALM = 10;
const STREAMS = 8;
const AUTH_BYTES = 32 * 1024;
const beat = Buffer.from('beat');

let platform: Platform;

before(async () => {
  platform = await Platform.shared();
});
after(() => platform.stop());

class RawAgent {
  readonly socket: TLSSocket;
  readonly received: Frame[] = [];

  constructor(socket: TLSSocket) {
    this.socket = socket;
    const reader = new FrameReader();
    socket.on('data', (chunk: Buffer) => this.received.push(...reader.push(chunk))).on('error', () => {});
  }

  static async connect(): Promise<RawAgent> {
    return new RawAgent(await platform.client.tls(`connect.${platform.bootstrap.domain}`));
  }

  data(streamId: number, body: Buffer, flags = 0): void {
    this.socket.write(encodeFrame({ type: FrameType.data, flags, streamId, body }));
  }

  open(streamId: number, type: number, first: Buffer = Buffer.alloc(0)): void {
    this.data(streamId, Buffer.concat([uint32(type), first]), Flag.syn);
  }

  of(streamId: number, type: number): readonly Frame[] {
    return this.received.filter((frame) => frame.streamId === streamId && frame.type === type);
  }

  text(streamId: number): string {
    return Buffer.concat(this.of(streamId, FrameType.data).map(({ body }) => body)).toString();
  }

  codeOfReset(streamId: number): number | undefined {
    return this.of(streamId, FrameType.rst)[0]?.body.readUInt32BE();
  }

  /** Returns the credit of a stream. */
  credit(streamId: number): number {
    return this.of(streamId, FrameType.wndinc).reduce((sum, { body }) => sum + body.readUInt32BE(), 0);
  }

  async close(): Promise<void> {
    this.socket.end();
    await once(this.socket, 'close');
  }
}

test(`there are ${STREAMS} streams, the next one is refused, and the others go on, also where one has ended`, async () => {
  const agent = await RawAgent.connect();
  const ids = Array.from({ length: STREAMS }, (_, place) => 2 * place + 1);
  for (const id of ids) agent.open(id, StreamType.heartbeat, beat);
  agent.open(101, StreamType.heartbeat, beat);
  agent.open(103, StreamType.srvInfo, Buffer.from('{}'));
  await eventually(() => {
    for (const id of ids) assert.equal(agent.text(id), 'beat');
    assert.deepEqual([agent.codeOfReset(101), agent.codeOfReset(103)], [REFUSED, REFUSED]);
  });
  agent.data(1, Buffer.alloc(0), Flag.fin);
  await eventually(() =>
    assert.ok(agent.of(1, FrameType.data).some(({ flags }) => (flags & Flag.fin) !== 0)),
  );
  agent.open(105, StreamType.srvInfo, Buffer.from('{}'));
  await eventually(() => assert.equal(JSON.parse(agent.text(105)).Region, 'us'));
  await agent.close();
});

test(`an Auth of more than ${AUTH_BYTES} bytes ends its stream, with no window given back for what nobody keeps, and no other is taken`, async () => {
  const agent = await RawAgent.connect();
  agent.open(1, StreamType.auth, Buffer.from(`{"Extra":{"Metadata":"${'x'.repeat(AUTH_BYTES)}`));
  await eventually(() => assert.notEqual(agent.codeOfReset(1), undefined));
  assert.ok(agent.credit(1) <= AUTH_BYTES + 64);
  const auth = { Version: ['3', '2'], Extra: { Authtoken: platform.bootstrap.authtoken } };
  agent.open(3, StreamType.auth, Buffer.from(JSON.stringify(auth)));
  await eventually(() => assert.match(JSON.parse(agent.text(3)).Error, /ERR_SERVICE_60309$/));
  await agent.close();

  const fresh = await RawAgent.connect();
  fresh.open(1, StreamType.auth, Buffer.from(JSON.stringify(auth)));
  await eventually(() => assert.equal(JSON.parse(fresh.text(1)).Error, ''));
  await fresh.close();
});

test('heartbeats whose echoes are not taken end their stream, with no window given back for what was not read', async () => {
  const agent = await RawAgent.connect();
  agent.open(1, StreamType.heartbeat);
  agent.data(1, Buffer.alloc(64 * 1024));
  await eventually(() => assert.equal(agent.codeOfReset(1), ENHANCE_YOUR_CALM));
  assert.ok(agent.credit(1) <= agent.text(1).length);
  agent.open(3, StreamType.heartbeat, beat);
  await eventually(() => assert.equal(agent.text(3), 'beat'));
  await agent.close();
});

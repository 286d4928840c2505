import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { ErrorCode, noopHandler, type StreamHandler } from '@underpass/wire';
import type { ByteStream } from '../online/online.ts';
import { FreshStream } from './fresh-stream.ts';
import {
  domain,
  pattern,
  type TestAgent,
  type TestCredential,
  until,
  visitor,
  World,
} from './ingress.fixture.ts';

/** The owner's side of a stream, which records its calls. */
class Owner implements StreamHandler {
  text = '';
  ends = 0;
  drains = 0;
  readonly codes: ErrorCode[] = [];

  data(chunk: Buffer): void {
    this.text += chunk.toString('latin1');
  }

  end(): void {
    this.ends += 1;
  }

  drain(): void {
    this.drains += 1;
  }

  close(code: ErrorCode): void {
    this.codes.push(code);
  }
}

/** A stream whose other end is the test. */
class Scripted implements ByteStream {
  handler: StreamHandler = noopHandler;
  closed = false;
  hasRoom = true;
  hasEnded = false;
  isPaused = false;
  length = 0;

  get writableNeedDrain(): boolean {
    return !this.hasRoom;
  }

  write(chunk: Uint8Array): boolean {
    this.length += chunk.length;
    return this.hasRoom;
  }

  end(): void {
    this.hasEnded = true;
  }

  reset(code: ErrorCode): void {
    if (this.closed) return;
    this.closed = true;
    this.handler.close(code);
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }
}

test('between two attempts a writer is held back beyond what is kept, and let go on when it is sent', async () => {
  for (const hasRoom of [true, false]) {
    const first = new Scripted();
    const second = new Scripted();
    second.hasRoom = hasRoom;
    const opened = [second];
    const stream = new FreshStream({ stream: first, open: () => opened.pop() ?? null, isFresh: () => true });
    const owner = new Owner();
    stream.handler = owner;
    first.handler.end();
    assert.ok(first.closed);
    const chunk = Buffer.alloc(40_000);
    assert.deepEqual([stream.write(chunk), stream.writableNeedDrain], [true, false]);
    assert.deepEqual([stream.write(chunk), stream.writableNeedDrain], [false, true]);
    stream.end();
    stream.pause();
    await until(() => second.hasEnded, 'the next attempt');
    assert.deepEqual([second.length, second.isPaused], [80_000, true]);
    stream.resume();
    assert.equal(second.isPaused, false);
    // Without room there, its own word comes when there is some.
    assert.equal(owner.drains, hasRoom ? 1 : 0);
    second.handler.drain();
    assert.equal(owner.drains, hasRoom ? 2 : 1);
    second.handler.end();
    assert.equal(owner.ends, 1, 'more was sent than is kept');
  }
});

test('an agent that takes no stream any more counts as one that did not begin', async () => {
  const first = new Scripted();
  const stream = new FreshStream({ stream: first, open: () => null, isFresh: () => true });
  const owner = new Owner();
  stream.handler = owner;
  first.handler.end();
  await until(() => owner.codes.length === 1, 'the end');
  assert.deepEqual([owner.codes, owner.ends, stream.closed], [[ErrorCode.streamRefused], 0, true]);
});

describe('a stream that meets a tunnel which its agent does not know yet', () => {
  let world: World;
  let credential: TestCredential;
  let agent: TestAgent;
  let now = 0;
  let bound = 0;

  before(async () => {
    world = await World.create({ uptime: () => now });
    credential = await world.credential(await world.account());
    agent = await world.login(credential);
  });
  beforeEach(() => {
    agent.proxied.length = 0;
    agent.turnsAway = 0;
  });
  after(() => world.stop());

  async function open(): Promise<{ stream: ByteStream; owner: Owner }> {
    bound += 1;
    await agent.bind({ Subdomain: `fresh${bound}` });
    const stream = world.ingress.online.byName(pattern(`fresh${bound}.${domain}`))?.open(visitor);
    assert.ok(stream);
    const owner = new Owner();
    stream.handler = owner;
    return { stream, owner };
  }

  test('is opened again with what was sent, until the agent takes it', async () => {
    agent.turnsAway = 3;
    const { stream, owner } = await open();
    stream.write(Buffer.from('he'));
    stream.write(Buffer.from('llo'));
    stream.end();
    await until(() => owner.ends === 1, 'the answer');
    assert.deepEqual([owner.text, agent.proxied.length], ['hello', 4]);
    await until(() => owner.codes.length === 1, 'the end');
    assert.deepEqual(owner.codes, [ErrorCode.none]);
    assert.ok(stream.closed);
  });

  test('takes what is written and held between two attempts', async () => {
    agent.turnsAway = 1;
    const { stream, owner } = await open();
    await until(() => agent.proxied.length === 1 && agent.turnsAway === 0, 'the first attempt');
    stream.write(Buffer.from('late'));
    await until(() => agent.proxied.length === 2, 'the second attempt');
    stream.end();
    await until(() => owner.ends === 1, 'the answer');
    assert.equal(owner.text, 'late');
  });

  test('is not tried again once a byte came, or once more was sent than is kept', async () => {
    const { stream, owner } = await open();
    stream.write(Buffer.from('x'));
    await until(() => owner.text === 'x', 'the echo');
    stream.end();
    await until(() => owner.codes.length === 1, 'the end');
    assert.equal(agent.proxied.length, 1);

    agent.turnsAway = 1;
    const big = await open();
    big.stream.write(Buffer.alloc(70_000));
    await until(() => big.owner.ends === 1, 'the end without a byte');
    assert.deepEqual([big.owner.text, agent.proxied.length], ['', 2]);
    big.stream.reset(ErrorCode.streamCancelled);
    assert.deepEqual(big.owner.codes, [ErrorCode.streamCancelled]);
  });

  test('is given up when the time is over, when its tunnel goes and when its owner cancels it', async () => {
    agent.turnsAway = Number.POSITIVE_INFINITY;
    const over = await open();
    await until(() => agent.proxied.length > 2, 'attempts');
    now += 2_000;
    await until(() => over.owner.ends === 1, 'the end is told');
    over.stream.end();
    await until(() => over.owner.codes.length === 1, 'the end of both');
    assert.deepEqual(over.owner.codes, [ErrorCode.none]);

    const cancelled = await open();
    const attempts = agent.proxied.length;
    await until(() => agent.proxied.length > attempts, 'an attempt');
    cancelled.stream.reset(ErrorCode.streamCancelled);
    cancelled.stream.reset(ErrorCode.streamCancelled);
    assert.deepEqual(cancelled.owner.codes, [ErrorCode.streamCancelled]);

    const gone = await open();
    agent.socket.destroy();
    await until(() => gone.owner.codes.length === 1, 'the end');
    assert.equal(gone.owner.ends, 0);
    agent = await world.login(credential);
  });

  test('is an ordinary one when the tunnel is not new', async () => {
    await agent.bind({ Subdomain: 'old' });
    now += 1_000;
    agent.turnsAway = 1;
    const stream = world.ingress.online.byName(pattern(`old.${domain}`))?.open(visitor);
    assert.ok(stream);
    let ended = false;
    stream.handler = { ...noopHandler, end: () => (ended = true) };
    await until(() => ended, 'the end');
    assert.equal(agent.proxied.length, 1);
  });
});

/** Streams of another daemon over a real link, to the tunnel of a fake agent. */
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { duplexPair } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { ErrorCode, MuxSession, type MuxStream, noopHandler, StreamType } from '@underpass/wire';
import { until } from '../../../../../test/harness/until.ts';
import { dialFault } from '../../errors/dial-fault.ts';
import { LinkStream } from '../../link/peers.ts';
import { encodeHopHeader } from '../../online/hop.ts';
import type { ByteStream, ProxyConnection, TunnelHandle } from '../../online/online.ts';
import { tunnelAt } from '../../online/tunnels.fixture.ts';
import { ArrivedHops } from './arrived-hops.ts';
import { SourceShares } from './source-shares.ts';
import { Streams } from './streams.ts';

const connection: ProxyConnection = {
  ...{ clientAddr: '192.0.2.1:1', serverAddr: '192.0.2.2:443' },
  ...{ proto: 'https', edgeType: '0', passthroughTls: false },
};
const NUMBER = 7;
const FROM = 99;

/** Two ends of a mux session: streams that `near` opens arrive at `accept`. */
function sessions(context: TestContext, accept: (stream: MuxStream) => void): MuxSession {
  const [one, other] = duplexPair();
  const closed = (): void => {};
  const far = new MuxSession(other, { role: 'server', accept: (_, stream) => accept(stream), closed });
  const near = new MuxSession(one, { role: 'client', accept: () => {}, closed });
  context.after(() => {
    near.goAway(ErrorCode.none);
    far.goAway(ErrorCode.none);
  });
  return near;
}

interface Seen {
  readonly stream: MuxStream;
  text: string;
  hasEnded: boolean;
  code: ErrorCode | null;
}

function watch(stream: MuxStream): Seen {
  const seen: Seen = { stream, text: '', hasEnded: false, code: null };
  stream.handler = {
    data: (chunk) => {
      seen.text += chunk.toString();
    },
    end: () => {
      seen.hasEnded = true;
    },
    drain: () => {},
    close: (code) => {
      seen.code = code;
    },
  };
  return seen;
}

function world(context: TestContext, other: Partial<TunnelHandle> = {}, shares = new SourceShares()) {
  const atAgent: Seen[] = [];
  const agent = sessions(context, (stream) => atAgent.push(watch(stream)));
  const gone = new AbortController();
  let expected = 0;
  const tunnel = Object.assign(
    tunnelAt('a.example.com', {
      closed: gone.signal,
      open: () => agent.open(StreamType.proxy, noopHandler),
      expectAnswer: () => {
        expected += 1;
      },
    }),
    other,
  );
  const asked: number[][] = [];
  const streams = new Streams(shares, { idleStreams: 4, idleStreamMs: 60_000 });
  const hops = new ArrivedHops({
    streams,
    tunnelOf: (number) => (number === NUMBER ? tunnel : undefined),
    giveBack: (_, incarnations) => asked.push([...incarnations]),
  });
  const link = sessions(context, (stream) => hops.accept(stream, FROM));
  const visit = (
    header: { readonly number?: number; readonly hasOthers?: boolean; readonly takesCauses?: boolean } = {},
  ): Seen => {
    const first = encodeHopHeader({ number: NUMBER, connection, hasOthers: false, ...header });
    return watch(link.open(LinkStream.hop, noopHandler, first, true)!);
  };
  return { visit, atAgent, tunnel, gone, asked, shares, hops, expected: () => expected };
}

/** A visitor whose request has arrived at the agent. */
async function requested({ visit, atAgent }: ReturnType<typeof world>, text: string) {
  const visitor = visit();
  visitor.stream.write(Buffer.from(text));
  await until(() => atAgent.at(-1)?.text === text, 'the request arrives');
  return { visitor, agent: atAgent.at(-1)! };
}

test('bytes and ends pass both ways, and the share of the address is given back', async (context) => {
  const one = world(context);
  const { visitor, agent } = await requested(one, 'request');
  assert.deepEqual([one.tunnel.outstanding, one.hops.size], [1, 1]);
  agent.stream.write(Buffer.from('response'));
  agent.stream.end();
  visitor.stream.end();
  await until(() => visitor.code === ErrorCode.none && agent.code === ErrorCode.none, 'both ends');
  assert.equal(visitor.text, 'response');
  assert.deepEqual([one.tunnel.outstanding, one.hops.size], [0, 0]);
  assert.deepEqual(one.shares.inUse, { sessions: 0, sources: 0 });
});

test('a number that is no tunnel here is refused before a byte passes', async (context) => {
  const { visit, atAgent } = world(context);
  const visitor = visit({ number: 8 });
  await until(() => visitor.code !== null, 'the refusal');
  assert.equal(visitor.code, ErrorCode.streamRefused);
  assert.equal(atAgent.length, 0);
});

test('a silent agent gets no visitor that another one may serve', async (context) => {
  const { visit, atAgent } = world(context, { isSuspect: true });
  const visitor = visit({ hasOthers: true });
  await until(() => visitor.code !== null, 'the refusal');
  assert.equal(visitor.code, ErrorCode.acceptQueueFull);
  visit({ hasOthers: false });
  await until(() => atAgent.length === 1, 'the one without a choice arrives');
});

test("the agent's reset arrives with its code, and a visitor who leaves ends the agent's stream", async (context) => {
  const one = world(context);
  const first = await requested(one, 'one');
  first.agent.stream.reset(ErrorCode.upstreamUnreached);
  await until(() => first.visitor.code !== null, 'the code');
  assert.equal(first.visitor.code, ErrorCode.upstreamUnreached);
  const second = await requested(one, 'two');
  second.visitor.stream.reset(ErrorCode.streamCancelled);
  await until(() => second.agent.code !== null, 'the end of the stream');
  assert.equal(one.tunnel.outstanding, 0);
});

test('causes go to a daemon that knows them, and others get the code without one', async (context) => {
  const { visit, atAgent } = world(context);
  for (const [takesCauses, code] of [
    [true, ErrorCode.upstreamTlsFailed],
    [false, ErrorCode.upstreamUnreached],
  ] as const) {
    const before = atAgent.length;
    const visitor = visit({ takesCauses });
    visitor.stream.write(Buffer.from('x'));
    await until(() => atAgent.length > before, 'the stream at the agent');
    atAgent.at(-1)!.stream.reset(ErrorCode.upstreamTlsFailed);
    await until(() => visitor.code !== null, 'the code');
    assert.equal(visitor.code, code);
  }
  // As a client of SSH refuses a channel.
  const { near, refuse } = refusing();
  const other = world(context, { open: () => near });
  const visitor = other.visit({ takesCauses: true });
  visitor.stream.write(Buffer.from('x'));
  await until(() => other.tunnel.outstanding === 1, 'the channel');
  refuse();
  await until(() => visitor.code !== null, 'the code of the channel');
  assert.equal(visitor.code, ErrorCode.upstreamRefused);
});

/** A stream that ends with a fault of its own. */
function refusing(): { near: ByteStream; refuse: () => void } {
  const near: ByteStream = {
    ...{ handler: noopHandler, closed: false, writableNeedDrain: false },
    ...{ write: () => true, end() {}, reset() {}, pause() {}, resume() {} },
    dialFault: dialFault('refused'),
  };
  return { near, refuse: () => near.handler.close(ErrorCode.streamRefused) };
}

test('a fenced tunnel gets no new stream, and nothing more on an open one', async (context) => {
  const one = world(context);
  const { visitor, agent } = await requested(one, 'one');
  agent.stream.write(Buffer.from('answer'));
  await until(() => visitor.text === 'answer', 'the answer');
  Object.assign(one.tunnel, { isFenced: true, open: () => null });
  visitor.stream.write(Buffer.from('two'));
  await until(() => visitor.code !== null, 'the refusal');
  assert.equal(visitor.code, ErrorCode.streamRefused);
  const next = one.visit();
  await until(() => next.code !== null, 'the next refusal');
  assert.equal(agent.text, 'one');
});

test('requests under way outlive their tunnel for its time, and a new one on a kept stream does not', async (context) => {
  const one = world(context, { finishMs: 60_000 });
  const answered = await requested(one, 'one');
  answered.agent.stream.write(Buffer.from('answer'));
  await until(() => answered.visitor.text === 'answer', 'the answer');
  const under = await requested(one, 'under way');
  one.gone.abort();
  answered.visitor.stream.write(Buffer.from('two'));
  await until(() => answered.visitor.code !== null, 'the refusal');
  assert.equal(answered.visitor.code, ErrorCode.streamRefused);
  assert.equal(answered.agent.text, 'one');
  under.visitor.stream.write(Buffer.from(', more'));
  await until(() => under.agent.text === 'under way, more', 'the rest');
  under.agent.stream.write(Buffer.from('late'));
  await until(() => under.visitor.text === 'late', 'the late answer');
});

test('without time to finish the end of a tunnel ends its streams', async (context) => {
  const one = world(context);
  const { visitor, agent } = await requested(one, 'one');
  one.gone.abort();
  await until(() => visitor.code !== null && agent.code !== null, 'the end');
});

test('each request on a kept stream expects an answer of the agent', async (context) => {
  const one = world(context);
  const { visitor, agent } = await requested(one, 'one');
  agent.stream.write(Buffer.from('answer'));
  await until(() => visitor.text === 'answer', 'the answer');
  const before = one.expected();
  visitor.stream.write(Buffer.from('two'));
  await until(() => agent.text === 'onetwo', 'the next request');
  assert.equal(one.expected(), before + 1);
});

test('daemons with streams of a full session are asked once to give some back', async (context) => {
  const one = world(context, {}, new SourceShares(2));
  await requested(one, 'one');
  const refused = [one.visit(), one.visit()];
  await until(() => refused.every(({ code }) => code !== null), 'the refusals');
  assert.deepEqual(one.asked, [[FROM]]);
});

test('a body goes on when the agent has taken its beginning, and a slow reader on either side stops the other', async (context) => {
  const one = world(context);
  const size = 4 * 1024 * 1024;
  const visitor = one.visit();
  visitor.stream.write(Buffer.alloc(size, 'x'));
  await until(() => one.atAgent.at(-1)?.text.length === size, 'the whole body');
  const agent = one.atAgent.at(-1)!;
  visitor.stream.pause();
  const answer = Buffer.alloc(size, 'y');
  assert.equal(agent.stream.write(answer), false);
  visitor.stream.resume();
  await until(() => visitor.text.length === size, 'the whole answer');
});

test('of 1,000 visitors who came and left in any way nothing is kept', async (context) => {
  const one = world(context);
  const arrived = async (): Promise<MuxStream> => {
    await until(() => one.hops.size === 1 && one.atAgent.at(-1)?.text === 'x', 'the request arrives');
    return one.atAgent.at(-1)!.stream;
  };
  const leaving: readonly ((visitor: Seen) => Promise<void> | void)[] = [
    ({ stream }) => stream.reset(ErrorCode.streamCancelled),
    async ({ stream }) => {
      stream.end();
      (await arrived()).end();
    },
    async () => (await arrived()).reset(ErrorCode.streamReset),
    async ({ stream }) => {
      await arrived();
      stream.reset(ErrorCode.streamCancelled);
    },
  ];
  for (let count = 0; count < 1_000; count += 1) {
    one.atAgent.length = 0;
    const visitor = one.visit(count % 5 === 4 ? { number: 8 } : {});
    visitor.stream.write(Buffer.from('x'));
    await leaving[count % 5]?.(visitor);
    await until(() => visitor.code !== null && one.hops.size === 0, 'the end');
  }
  assert.deepEqual(one.shares.inUse, { sessions: 0, sources: 0 });
  assert.equal(one.tunnel.outstanding, 0);
  assert.equal(one.hops.sessions, 0);
  assert.equal(getEventListeners(one.gone.signal, 'abort').length, 0);
});

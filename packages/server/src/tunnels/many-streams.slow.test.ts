/** A session with as many streams as our agent accepts, and unread bytes: both sides keep a bounded number of them. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ErrorCode, MuxSession, type MuxStream, noopHandler, StreamType } from '@underpass/wire';
import { socketPair } from '../../../../test/harness/socket-pair.ts';
import { until } from '../../../../test/harness/until.ts';
import { MuxCarrier } from './mux-carrier.ts';

const STREAMS = 16_384;
const WINDOW = 262_144;
/** 480 full windows and 15,904 narrow ones are 245; what they lie in is larger. With full windows alone it would be 4,096. */
const MOST_MIB = 512;
const header = { Id: 'b', ClientAddr: '192.0.2.1:1', Proto: 'tcp', EdgeType: '1', PassthroughTLS: false };
const body = Buffer.alloc(WINDOW, 'x');

async function start(t: TestContext) {
  const [near, far] = await socketPair(t);
  const served: MuxStream[] = [];
  const agent = new MuxSession(far, {
    role: 'client',
    maxStreams: STREAMS,
    closed() {},
    accept: (type, stream) => {
      if (type === StreamType.proxyNarrow) agent.narrow(stream);
      stream.pause();
      stream.handler = noopHandler;
      served.push(stream);
    },
  });
  const daemon = new MuxSession(near, { role: 'server', openLimit: STREAMS, closed() {}, accept() {} });
  const silence = { isSuspect: false, expect() {} };
  const parts = { mux: daemon, silence, errorPrefix: '', registerMs: 0, hidesDials: true, uptime: () => 0 };
  const carrier = new MuxCarrier({ ...parts, capacity: STREAMS, reports: null });
  const opened = Array.from({ length: STREAMS }, () => carrier.open(header)!);
  assert.equal(carrier.open(header), null);
  for (const stream of opened) stream.pause();
  await until(() => served.length === STREAMS);
  return { agent, daemon, opened, served };
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Resident memory after garbage collection. */
function mib(): number {
  collect();
  return process.memoryUsage().arrayBuffers / 1_048_576;
}

for (const [who, sides] of [
  ['visitors who read nothing', ({ served, agent, daemon }: Started) => [served, agent, daemon] as const],
  ['services that read nothing', ({ opened, agent, daemon }: Started) => [opened, daemon, agent] as const],
] as const)
  test(`${STREAMS} streams for ${who} keep less than ${MOST_MIB} MiB, and nothing when they are over`, async (t) => {
    const started = await start(t);
    const [writers, from, to] = sides(started);
    const before = mib();
    for (const stream of writers) stream.write(body);
    let [received, still] = [0, 0];
    await until(() => {
      still = to.received === received && received > 0 ? still + 1 : 0;
      received = to.received;
      return still > 100;
    });
    const kept = mib() - before;
    t.diagnostic(`${Math.round(kept)} MiB`);
    assert.ok(kept < MOST_MIB, `${kept} MiB`);
    assert.equal(to.wideCount <= 480, true);
    from.goAway(ErrorCode.none);
    await until(() => to.streamCount === 0 && from.streamCount === 0);
    assert.deepEqual([to.wideCount, from.wideCount], [0, 0]);
  });

type Started = Awaited<ReturnType<typeof start>>;

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../../../test/harness/until.ts';
import { type Bed, byHand, get, openBed } from '../http/bed.fixture.ts';

const OK = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');

/** Has `count` visitors ask at once, so that as many upstream connections are used, and answers them. */
async function askAtOnce(bed: Bed, waiting: (() => void)[], count: number): Promise<void> {
  const clients = await Promise.all(Array.from({ length: count }, () => bed.connect()));
  for (const client of clients) client.send(get());
  await until(() => waiting.length === count);
  for (const answer of waiting.splice(0)) answer();
  for (const client of clients) assert.equal((await client.answer()).body, 'ok');
}

function onRequest(waiting: (() => void)[]) {
  return byHand((stream) => waiting.push(() => stream.write(OK)));
}

test('as many upstream connections are kept idle as the limit says, and used again', async (t) => {
  const waiting: (() => void)[] = [];
  const bed = await openBed(t, onRequest(waiting), { limits: { idleStreams: 3 } });
  const { agentSession, opened } = bed.agents[0]!;
  await askAtOnce(bed, waiting, 5);
  assert.equal(opened.length, 5);
  await until(() => agentSession.streamCount === 3);
  await askAtOnce(bed, waiting, 3);
  assert.equal(opened.length, 5);
});

test('upstream connections idle for long are closed', async (t) => {
  const waiting: (() => void)[] = [];
  const bed = await openBed(t, onRequest(waiting));
  const { agentSession } = bed.agents[0]!;
  await askAtOnce(bed, waiting, 4);
  bed.pass(59_000);
  await askAtOnce(bed, waiting, 1);
  assert.equal(agentSession.streamCount, 4);
  bed.pass(2_000);
  await until(() => agentSession.streamCount === 1);
});

test('a tunnel that goes offline takes its idle connections with it, and a new one starts with none', async (t) => {
  const waiting: (() => void)[] = [];
  const bed = await openBed(t, onRequest(waiting));
  await askAtOnce(bed, waiting, 2);
  const [old] = bed.agents;
  old!.goOffline();
  await until(() => old!.tunnel.closed.aborted);
  const { tunnel, opened } = await bed.agent(onRequest(waiting));
  const [name, target] = [...bed.targets][0]!;
  bed.targets.set(name, { ...target, backend: { kind: 'tunnel', tunnel } });
  await askAtOnce(bed, waiting, 1);
  assert.equal(opened.length, 1);
});

/** Connections of bytes that find no stream wait for their turn, and leave nothing behind. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type net from 'node:net';
import { before, type TestContext, test } from 'node:test';
import { ErrorCode, type MuxStream, noopHandler } from '@underpass/wire';
import { until } from '../../../../../test/harness/until.ts';
import type { LocalAuthority } from '../../pki/local-authority.ts';
import { backedBy, edgeDocument, gone, groupDocument, put } from '../documents.fixture.ts';
import { buildHello, serverNameExtension } from '../listeners/client-hello.fixture.ts';
import {
  everything,
  openAgent,
  openAuthority,
  openDoor,
  rawClient,
} from '../listeners/front-door.fixture.ts';

let authority: LocalAuthority;
before(async () => {
  authority = await openAuthority();
});

const group = groupDocument('bkdtg_1', { app: 'web' });
const edge = edgeDocument('edgtls_1', ['a.example.com'], { backend: backedBy('bkdtg_1') });
const hello = buildHello({ extensions: [serverNameExtension('a.example.com')] });
/** Offset after the headers of record and message, and the version. */
const RANDOM_AT = 11;

/** No two have the same random bytes, as those of a loop would have. */
function anotherHello(): Buffer {
  const another = Buffer.from(hello);
  randomBytes(32).copy(another, RANDOM_AT);
  return another;
}

/** A door whose only agent has room for one connection of an address. */
async function start(t: TestContext, waitMs: number) {
  const door = await openDoor(t, { authority, documents: [group, edge], streamsOfAgent: 2, waitMs });
  const streams: MuxStream[] = [];
  const heard: string[] = [];
  const agent = await openAgent(t, (stream) => {
    const at = streams.push(stream) - 1;
    stream.acknowledge();
    heard.push('');
    const data = (chunk: Buffer): void => {
      heard[at] += chunk.toString('latin1');
    };
    stream.handler = { ...noopHandler, data };
  });
  door.tunnels.push(agent.tunnel);
  const open = (): net.Socket => {
    const client = rawClient(t, door.port);
    client.on('error', () => {});
    client.write(anotherHello());
    return client;
  };
  const first = open();
  await until(() => streams.length === 1);
  return { door, streams, heard, agent, open, first };
}

test('a connection that finds no stream waits for one, and what it sent meanwhile arrives', async (t) => {
  const { door, streams, heard, open, first } = await start(t, 60_000);
  const waits = open();
  const body = 'x'.repeat(200_000);
  await until(() => door.streams.waiting === 1);
  waits.end(body);
  first.resetAndDestroy();
  await until(() => heard[1]?.length === hello.length + body.length);
  assert.ok(heard[1]!.endsWith(body));
  streams[1]!.end();
  assert.equal((await everything(waits)).length, 0);
  await until(() => door.pipes.size === 0);
  assert.equal(door.streams.waiting, 0);
});

test('one that finds none in time is closed, and leaves nothing', async (t) => {
  const { door, open } = await start(t, 50);
  assert.equal((await everything(open())).length, 0);
  await until(() => door.observed.length === 1);
  assert.equal(door.observed[0]!.error, 'tunnelBusyForSource');
  assert.deepEqual([door.streams.waiting, door.pipes.size], [0, 1]);
});

test('one that waits leaves with its visitor, with its site and with its tunnel', async (t) => {
  const { door, agent, streams, open } = await start(t, 60_000);
  const leaving = Array.from({ length: 20 }, open);
  await until(() => door.streams.waiting === 20);
  for (const socket of leaving) socket.resetAndDestroy();
  await until(() => door.streams.waiting === 0);
  assert.equal(door.pipes.size, 1);

  const forbidden = open();
  await until(() => door.streams.waiting === 1);
  door.table.apply([gone(edge)]);
  await everything(forbidden);
  assert.deepEqual([door.streams.waiting, door.pipes.size], [0, 0]);

  door.table.apply([put(edge)]);
  open();
  await until(() => streams.length === 2);
  const orphan = open();
  await until(() => door.streams.waiting === 1);
  door.tunnels.splice(0);
  agent.tunnel.goOffline();
  await everything(orphan);
  await until(() => door.pipes.size === 0);
  assert.equal(door.streams.waiting, 0);
});

test('an agent that refuses a stream at first, as one does whose queue is full, serves it a moment later', async (t) => {
  const door = await openDoor(t, { authority, documents: [group, edge], waitMs: 60_000 });
  const refused = new Set<string>();
  const agent = await openAgent(t, (stream, { ClientAddr }) => {
    stream.handler = noopHandler;
    if (refused.has(ClientAddr)) stream.end();
    else stream.reset(refused.size % 2 === 0 ? ErrorCode.acceptQueueFull : ErrorCode.streamRefused);
    refused.add(ClientAddr);
  });
  door.tunnels.push(agent.tunnel);
  const clients = Array.from({ length: 100 }, () => rawClient(t, door.port));
  for (const client of clients) client.end(anotherHello());
  await Promise.all(clients.map(everything));
  await until(() => door.observed.length === 100 && door.pipes.size === 0);
  assert.deepEqual(new Set(door.observed.map(({ error }) => error)), new Set([null]));
  assert.equal(door.streams.waiting, 0);
});

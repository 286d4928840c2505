/**
 * Heaps of daemon and agent during a large transfer through a tunnel.
 * Invariant: the transfer causes no full collections.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { Platform, type RunningAgent } from '../harness/index.ts';

const MIB = 1024 * 1024;
const PIECE = Buffer.alloc(MIB);
const PIECES = 512;
/** V8 may do so once for reasons of its own; it did so four times and more for that of buffers outside the heap. */
const AT_MOST = 1;
const FULL_COLLECTION = /Mark-Compact/;
/** Both are started by their first line, with its flags. */
const traced =
  "--import=data:text/javascript,import('node:v8').then((v8)=>v8.setFlagsFromString('--trace-gc'))".replaceAll(
    "'",
    '%22',
  );

/** Sends the same bytes on every connection. */
const service = createServer(async (socket) => {
  socket.on('error', () => {});
  for (let sent = 0; sent < PIECES; sent++) if (!socket.write(PIECE)) await once(socket, 'drain');
  socket.end();
});
let platform: Platform;
let agent: RunningAgent;
before(async () => {
  platform = await Platform.start({ through: ['env', `NODE_OPTIONS=${traced}`] });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  agent = await platform.agent(['tcp', String(port)], { env: { NODE_OPTIONS: traced } });
});
after(async () => {
  service.close();
  await platform.stop();
});

test('half a GiB through a tunnel does not have daemon and agent collect their whole heaps', async () => {
  const visitor = connect(Number(new URL(agent.url).port), '127.0.0.1');
  let received = 0;
  visitor.on('data', (chunk: Buffer) => {
    received += chunk.length;
  });
  await once(visitor, 'end');
  assert.equal(received, PIECES * MIB);
  for (const { lines } of [platform.daemon, agent.process]) {
    assert.ok(
      lines.some((line) => line.includes('Scavenge')),
      'collections are told',
    );
    const full = lines.filter((line) => FULL_COLLECTION.test(line));
    assert.ok(full.length <= AT_MOST, full.join('\n'));
  }
});

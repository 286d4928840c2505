/** Thousands of visitors with open connections through one agent, and what they cost on both sides. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { eventually, Platform } from '../harness/index.ts';
import { Resident, residentMissing } from '../harness/resident.ts';

const ADDRESSES = 16;
const OF_EACH = 500;
const VISITORS = ADDRESSES * OF_EACH;
/** KiB that a connection may cost the daemon, or the agent. */
const MOST_KIB = 64;

test(`${VISITORS} connections through one agent are open together, and cost little`, {
  skip: residentMissing,
}, async (t) => {
  const local = new Set<Socket>();
  const upstream = createServer((socket) => {
    local.add(socket);
    socket.on('error', () => {}).once('close', () => local.delete(socket));
    socket.pipe(socket);
  });
  upstream.listen(0, '127.0.0.1', 4096);
  await once(upstream, 'listening');
  const platform = await Platform.start({ args: ['--log-level', 'warn'] });
  t.after(async () => {
    await platform.stop();
    upstream.close();
  });
  const agent = await platform.agent(['tcp', String((upstream.address() as { port: number }).port)]);
  const port = Number(new URL(agent.url).port);
  const grown = [platform.daemon.pid, agent.process.pid].map((pid) => new Resident(pid));
  for (const resident of grown) await resident.start();
  const sockets: Socket[] = [];
  const open = async (localAddress: string): Promise<void> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    sockets.push(socket);
    const closed = once(socket, 'close').then(() => []);
    socket.write('x');
    const [answer] = await Promise.race([once(socket, 'data'), closed]);
    assert.equal(String(answer), 'x');
  };
  for (let round = 0; round < OF_EACH; round += 10)
    await Promise.all(
      Array.from({ length: 10 * ADDRESSES }, (_, at) => open(`127.0.0.${(at % ADDRESSES) + 1}`)),
    );
  assert.equal(local.size, VISITORS);
  for (const [at, who] of ['daemon', 'agent'].entries()) {
    const kib = (grown[at]!.grown * 1024) / VISITORS;
    t.diagnostic(`${who}: ${kib.toFixed(1)} KiB a connection`);
    assert.ok(kib < MOST_KIB, `${who}: ${kib} KiB a connection`);
  }
  for (const socket of sockets) socket.resetAndDestroy();
  await eventually(() => assert.equal(local.size, 0));
});

/** A server that says something and resets the connection, in a thread of its own, so that its client can stand still until then. */
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';

const script = `
  const { parentPort, workerData } = require('node:worker_threads');
  const server = require('node:net').createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.write('answer', () => socket.resetAndDestroy()));
    socket.on('close', () => {
      Atomics.store(workerData, 0, 1);
      Atomics.notify(workerData, 0);
    });
  }).listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

export interface ResettingServer {
  readonly port: number;
  /** Stops everything here until a connection, of which something came, is answered with `answer` and reset. */
  standStill(): void;
}

export async function resettingServer(t: TestContext): Promise<ResettingServer> {
  const isOver = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(script, { eval: true, workerData: isOver });
  t.after(() => worker.terminate());
  const [port] = (await once(worker, 'message')) as [number];
  return { port, standStill: () => void Atomics.wait(isOver, 0, 0) };
}

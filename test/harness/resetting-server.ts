/**
 * A server, with or without TLS, that sends bytes and resets the connection. It runs in its own thread, so that its
 * client can block until then.
 */
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { Worker } from 'node:worker_threads';

const script = `
  const { readFileSync } = require('node:fs');
  const { parentPort, workerData } = require('node:worker_threads');
  const at = (port) => '0100007F:' + port.toString(16).toUpperCase().padStart(4, '0');
  /**
   * Returns true if the client's system takes the connection for one that is there: a busy one gets the reset later.
   * Of Linux: proc(5).
   */
  const isThere = (port) => {
    try {
      return readFileSync('/proc/net/tcp', 'latin1').includes(at(port) + ' ' + at(server.address().port));
    } catch {
      return false;
    }
  };
  const tellWhenGone = (port) => {
    if (isThere(port)) return void setImmediate(tellWhenGone, port);
    Atomics.store(workerData.isOver, 0, 1);
    Atomics.notify(workerData.isOver, 0);
  };
  const { tls } = workerData;
  const server = require('node:net').createServer((socket) => {
    const { remotePort } = socket;
    socket.on('error', () => {});
    const inside = tls === null ? socket : new (require('node:tls').TLSSocket)(socket, { ...tls, isServer: true });
    inside.on('error', () => {});
    inside.once('data', () => inside.write('answer', () => socket.resetAndDestroy()));
    socket.on('close', () => tellWhenGone(remotePort));
  }).listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

export interface ResettingServer {
  readonly port: number;
  /** Stops everything here until a connection, of which something came, is answered with `answer` and reset. */
  standStill(): void;
}

export async function resettingServer(
  t: TestContext,
  tls: { readonly key: string; readonly cert: string } | null = null,
): Promise<ResettingServer> {
  const isOver = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(script, { eval: true, workerData: { isOver, tls } });
  t.after(() => worker.terminate());
  const [port] = (await once(worker, 'message')) as [number];
  return { port, standStill: () => void Atomics.wait(isOver, 0, 0) };
}

/** The load driver for machines without wrk, as a process of its own. Argument: JSON of target and load. Prints an Outcome. */
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Load, Outcome } from './driver.ts';
import type { Target } from './peers/peer.ts';

const { target, load } = JSON.parse(process.argv[2] ?? '') as { target: Target; load: Load };
let n = 0;

function nextRequest(): string {
  n += 1;
  const body = load.body?.replace('{n}', String(n)) ?? '';
  return [
    `${load.method ?? 'GET'} ${load.paths[n % load.paths.length]} HTTP/1.1`,
    `host: ${target.host}:${target.port}`,
    ...Object.entries(target.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
    '',
    body,
  ].join('\r\n');
}

let requests = 0;
let errors = 0;
let stopping = false;
const latencies: number[] = [];
const started = performance.now();
const sockets = Array.from({ length: load.connections }, open);
setTimeout(() => {
  stopping = true;
  for (const socket of sockets) socket.destroy();
  const seconds = (performance.now() - started) / 1000;
  const p99Ms = latencies.sort((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? 0;
  const outcome: Outcome = { requests, requestsPerSecond: requests / seconds, errors, p99Ms };
  console.log(JSON.stringify(outcome));
}, load.seconds * 1000);

function open(): Socket {
  let sentAt = 0;
  const send = (): void => {
    sentAt = performance.now();
    socket.write(nextRequest());
  };
  const address = { host: target.address ?? '127.0.0.1', port: target.port, noDelay: true };
  const socket: Socket =
    target.scheme === 'https'
      ? connectTls({ ...address, servername: target.host, rejectUnauthorized: false }, send)
      : connectTcp(address, send);
  let pending = '';
  socket.on('data', (chunk) => {
    pending += chunk.toString('latin1');
    const headEnd = pending.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(pending.slice(0, headEnd))?.[1] ?? 0);
    if (pending.length < headEnd + 4 + length) return;
    if (!/^HTTP\/1.1 2/.test(pending)) errors++;
    pending = '';
    requests++;
    latencies.push(performance.now() - sentAt);
    send();
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    if (!stopping) errors++;
  });
  return socket;
}

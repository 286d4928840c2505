/**
 * The yardstick for a TCP tunnel: two bare Node processes with TLS between them, which `pipe` and do nothing else. For each connection of a
 * visitor there is one of TLS, so no frames and no flow control of their own. Arguments: certificate, key, port of the upstream.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { daemonFlags } from './children.ts';

/** TLS connections that wait for a visitor: more than a suite opens at a time. */
const READY = 128;
const FAR_END = '--far-end';

const [first = '', second = '', third = ''] = process.argv.slice(2);
if (first === FAR_END) for (let at = 0; at < READY; at++) dialNear(Number(second), Number(third));
else void listenNear({ cert: readFileSync(first), key: readFileSync(second) }, third);

/** The end that visitors connect to. */
async function listenNear(own: { cert: Buffer; key: Buffer }, upstreamPort: string): Promise<void> {
  const ready: TLSSocket[] = [];
  const waiting: Socket[] = [];
  const far = createTlsServer(own, (socket) => {
    socket.on('error', () => {});
    const visitor = waiting.shift();
    if (visitor === undefined) ready.push(socket);
    else link(visitor, socket);
  });
  const visitors = createServer({ noDelay: true }, (visitor) => {
    const socket = ready.shift();
    if (socket === undefined) waiting.push(visitor);
    else link(visitor, socket);
  });
  const child = startFar(await listening(far), upstreamPort);
  process.on('SIGTERM', () => {
    child.kill();
    process.exit();
  });
  far.on('secureConnection', () => {
    if (ready.length === READY && !visitors.listening)
      void listening(visitors).then((port) => console.log(`port ${port}`));
  });
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

function startFar(nearPort: number, upstreamPort: string): ChildProcess {
  const file = new URL(import.meta.url).pathname;
  const args = [...daemonFlags(), file, FAR_END, String(nearPort), upstreamPort];
  return spawn(process.execPath, args, { stdio: 'inherit' });
}

/** The end that dials the upstream, with the first bytes that come. */
function dialNear(nearPort: number, upstreamPort: number): void {
  const near = connectTls({ port: nearPort, host: '127.0.0.1', rejectUnauthorized: false });
  near.once('readable', () => link(near, connect({ port: upstreamPort, host: '127.0.0.1', noDelay: true })));
  near.on('error', () => {});
  near.on('close', () => dialNear(nearPort, upstreamPort));
}

function link(one: Duplex, other: Duplex): void {
  one.pipe(other);
  other.pipe(one);
  one.on('error', () => other.destroy());
  other.on('error', () => one.destroy());
}

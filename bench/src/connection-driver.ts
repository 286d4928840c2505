/**
 * Makes one TLS connection after another, each for one request, as a process of its own. Argument: JSON of a `ConnectionLoad`. Prints
 * an `Outcome` of connections; one that was to be resumed and was not is an error.
 */
import { connect, createSecureContext } from 'node:tls';
import type { Target } from './peers/peer.ts';

export interface ConnectionLoad {
  readonly target: Target;
  readonly path: string;
  /** At a time. */
  readonly connections: number;
  readonly seconds: number;
  /** All with the session of a first one. */
  readonly resumed: boolean;
  /** The certificate that each of them shows, and its key, in PEM; absent: none. */
  readonly identity?: { readonly cert: string; readonly key: string };
}

export interface ConnectionOutcome {
  readonly connections: number;
  readonly perSecond: number;
  readonly errors: number;
}

const { target, path, connections, seconds, resumed, identity } = JSON.parse(
  process.argv[2] ?? '',
) as ConnectionLoad;
const request = `GET ${path} HTTP/1.1\r\nhost: ${target.host}:${target.port}\r\nconnection: close\r\n\r\n`;
const shared = {
  host: '127.0.0.1',
  port: target.port,
  servername: target.host,
  rejectUnauthorized: false,
  secureContext: createSecureContext(identity),
};
const session = resumed ? await firstSession() : null;
const startedAt = performance.now();
const endsAt = startedAt + seconds * 1000;
let answered = 0;
let errors = 0;
await Promise.all(Array.from({ length: connections }, repeat));
const outcome: ConnectionOutcome = {
  connections: answered,
  perSecond: answered / ((performance.now() - startedAt) / 1000),
  errors,
};
console.log(JSON.stringify(outcome));

async function repeat(): Promise<void> {
  while (performance.now() < endsAt) {
    if (await visit()) answered += 1;
    else errors += 1;
  }
}

function visit(): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(session === null ? shared : { ...shared, session }, () => socket.write(request));
    let isRight = false;
    socket.once('data', (chunk: Buffer) => {
      isRight = chunk.includes(' 200 ') && socket.isSessionReused() === resumed;
    });
    socket.on('error', () => {});
    socket.on('close', () => done(isRight));
  });
}

/** With TLS 1.3 it comes behind the handshake. */
function firstSession(): Promise<Buffer> {
  return new Promise((done, failed) => {
    const socket = connect(shared, () => socket.write(request));
    let session: Buffer | null = null;
    socket.on('session', (given: Buffer) => {
      session = given;
    });
    socket.on('error', failed);
    socket.resume();
    socket.on('close', () => {
      if (session === null) failed(new Error(`${target.host} gives no sessions`));
      else done(session);
    });
  });
}

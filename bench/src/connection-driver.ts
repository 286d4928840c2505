/**
 * Makes one TLS connection after another, each for one request, as a process of its own. Argument: JSON of a `ConnectionLoad`. Prints
 * an `Outcome` of connections; one that was to be resumed and was not is an error.
 */
import { connect, createSecureContext } from 'node:tls';
import type { Target } from './peers/peer.ts';

export interface ConnectionLoad {
  /** `{n}` in its host is for each connection any number below `names`. */
  readonly target: Target;
  readonly names?: number;
  readonly path: string;
  /** Connections at a time. */
  readonly connections: number;
  readonly seconds: number;
  /** It goes on beyond its seconds until so many were made; absent: it does not. */
  readonly least?: number;
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

const {
  target,
  path,
  connections,
  seconds,
  resumed,
  identity,
  names = 1,
  least = 0,
} = JSON.parse(process.argv[2] ?? '') as ConnectionLoad;
const shared = {
  host: '127.0.0.1',
  port: target.port,
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

function anyHost(): string {
  return target.host.replace('{n}', String(Math.floor(Math.random() * names)));
}

function request(host: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: ${host}:${target.port}\r\nconnection: close\r\n\r\n`;
}

async function repeat(): Promise<void> {
  while (performance.now() < endsAt || answered + errors < least) {
    if (await visit()) answered += 1;
    else errors += 1;
  }
}

function visit(): Promise<boolean> {
  return new Promise((done) => {
    const host = anyHost();
    const named = { ...shared, servername: host };
    const socket = connect(session === null ? named : { ...named, session }, () =>
      socket.write(request(host)),
    );
    let isRight = false;
    socket.once('data', (chunk: Buffer) => {
      isRight = chunk.includes(' 200 ') && socket.isSessionReused() === resumed;
    });
    socket.on('error', () => {});
    socket.on('close', () => done(isRight));
  });
}

/** Resolves with the first TLS session ticket. In TLS 1.3 it arrives after the handshake. */
function firstSession(): Promise<Buffer> {
  return new Promise((done, failed) => {
    const host = anyHost();
    const socket = connect({ ...shared, servername: host }, () => socket.write(request(host)));
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

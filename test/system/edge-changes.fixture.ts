/**
 * Open connections of each kind, and one upstream that serves them all.
 * Invariant: bytes from before the check do not count as a sign of life.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { Client, inTime, type Platform } from '../harness/index.ts';
import { selfSigned } from '../harness/make-certificate.ts';

/** An upgraded connection, an answer that does not end, one over HTTP/2, TLS that passes through, bytes out of TLS, a TCP port. */
export type LineKind = 'websocket' | 'stream' | 'http2' | 'passed' | 'bytes' | 'tcp';

/** Echoes what comes, in TLS or not; a request is upgraded, or gets an answer without an end. */
export class EndlessUpstream {
  readonly ca: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #streaming = new Set<Duplex>();

  private constructor(key: string, ca: string) {
    this.ca = ca;
    const secured = createTlsServer({ key, cert: ca }, (socket) => this.#serve(socket));
    secured.on('tlsClientError', () => {});
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => this.#sockets.delete(socket));
      socket.once('data', (chunk: Buffer) => {
        socket.pause();
        socket.unshift(chunk);
        const isHandshake = chunk[0] === 0x16;
        if (isHandshake) secured.emit('connection', socket);
        else this.#serve(socket);
      });
    });
  }

  static async start(): Promise<EndlessUpstream> {
    const { pem, key } = selfSigned('*.underpass.localhost');
    const upstream = new EndlessUpstream(key, pem);
    upstream.#server.listen(0, '127.0.0.1');
    await once(upstream.#server, 'listening');
    return upstream;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Goes out as a chunk of each answer that is under way. */
  say(text: string): void {
    for (const socket of this.#streaming) socket.write(`${text.length.toString(16)}\r\n${text}\r\n`);
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #serve(socket: Duplex): void {
    socket.on('error', () => {});
    socket.once('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      if (!text.startsWith('GET ')) socket.write(chunk);
      if (text.startsWith('GET /stream')) {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
        this.#streaming.add(socket);
        socket.on('close', () => this.#streaming.delete(socket));
        socket.resume();
        return;
      }
      if (text.startsWith('GET '))
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      socket.pipe(socket);
    });
    socket.resume();
  }
}

/** Destination of a visitor: a name of the front door, a port, or a name at the port for plain HTTP. */
export type Where = string | number | PlainPlace;

export interface PlainPlace {
  readonly name: string;
  readonly port: number;
}

const upgrade =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

export class Line {
  readonly kind: LineKind;
  readonly #socket: Duplex;
  readonly #upstream: EndlessUpstream;
  readonly #closed: Promise<void>;
  #heard = '';
  #isClosed = false;
  #wake: () => void = () => {};

  private constructor(kind: LineKind, socket: Duplex, upstream: EndlessUpstream) {
    this.kind = kind;
    this.#socket = socket;
    this.#upstream = upstream;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed = promise;
    // A reset is an end, too.
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#isClosed = true;
      this.#wake();
      resolve();
    });
    socket.on('data', (chunk: Buffer) => {
      this.#heard += chunk.toString('latin1');
      this.#wake();
    });
  }

  /** Resolves when it carries bytes both ways; of a stream, back. */
  static async open(
    kind: LineKind,
    platform: Platform,
    upstream: EndlessUpstream,
    where: Where,
  ): Promise<Line> {
    const line = new Line(kind, await dial(kind, platform, upstream, where), upstream);
    if (kind === 'websocket') await line.#request('/websocket', where, upgrade, ' 101 ');
    if (kind === 'stream') await line.#request('/stream', where, '', ' 200 ');
    await line.lives();
    return line;
  }

  /** Rejects when it does not carry bytes of this very moment. */
  async lives(): Promise<void> {
    const text = randomUUID();
    if (this.kind === 'stream' || this.kind === 'http2') this.#upstream.say(text);
    else this.#socket.write(text);
    await this.#hears(text);
    this.#heard = '';
  }

  /** Resolves when the edge has ended it. */
  over(): Promise<void> {
    return inTime(this.#closed, () => `the end of a connection (${this.kind})`);
  }

  close(): void {
    this.#socket.destroy();
  }

  async #request(path: string, where: Where, fields: string, status: string): Promise<void> {
    this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostOf(where)}\r\n${fields}\r\n`);
    await this.#hears('\r\n\r\n');
    if (!this.#heard.startsWith(`HTTP/1.1${status}`)) throw new Error(this.#heard);
  }

  async #hears(text: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#wake = () => {
      if (this.#heard.includes(text)) resolve();
      else if (this.#isClosed) reject(new Error(`it was closed (${this.kind}): ${this.#heard}`));
    };
    this.#wake();
    await inTime(promise, () => `an echo (${this.kind}) after ${this.#heard}`);
  }
}

async function dial(
  kind: LineKind,
  platform: Platform,
  upstream: EndlessUpstream,
  where: Where,
): Promise<Duplex> {
  if (kind === 'http2') return await dialHttp2(platform, where);
  if (typeof where !== 'string') {
    const port = typeof where === 'number' ? where : where.port;
    const socket = connect({ port, host: '127.0.0.1' });
    await once(socket, 'connect');
    return socket;
  }
  const client = kind === 'passed' ? new Client(platform.port, upstream.ca) : platform.client;
  // The certificate of the upstream is for names right below the shared domain, and whose it is does not matter here.
  return await client.tls(where, kind === 'passed' ? { checkServerIdentity: () => undefined } : {});
}

function hostOf(where: Where): string {
  return typeof where === 'object' ? where.name : String(where);
}

/** The stream of a request, as the connection that it is to its visitor. */
async function dialHttp2(platform: Platform, where: Where): Promise<Duplex> {
  const socket = await platform.client.tls(String(where), { ALPNProtocols: ['h2'] });
  const session = connectHttp2(`https://${where}`, { createConnection: () => socket });
  session.on('error', () => {});
  const stream = session.request({ ':authority': String(where), ':path': '/stream' });
  stream.on('close', () => session.destroy());
  const [{ ':status': status }] = await inTime(once(stream, 'response'), () => 'an answer over HTTP/2');
  if (status !== 200) throw new Error(`${status}`);
  return stream;
}

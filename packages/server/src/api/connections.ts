import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { unmapped } from '../core/client-address.ts';

const LINGER_MS = 5000;

/** One client connection, and the requests on it that are not answered yet. */
export class Connection {
  readonly socket: Socket | TLSSocket;
  /** The peer's address, IPv4-mapped IPv6 folded; '' when the peer was gone before it could be asked. */
  readonly source: string;
  /** The Host header that was last found to fit the TLS server name. */
  fittingHost: string | undefined;
  /** Set once something came that is not HTTP: nothing after it is read. */
  broken = false;
  /** Requests whose answer is not out yet. */
  active = 0;
  latest: IncomingMessage | null = null;
  /** Set once our side is over: what comes now cannot be answered, so it must not be done. */
  finished = false;
  #whenIdle: (() => void) | null = null;

  constructor(socket: Socket | TLSSocket) {
    this.socket = socket;
    this.source = unmapped(socket.remoteAddress ?? '');
  }

  get servername(): string | null {
    const name = 'servername' in this.socket ? this.socket.servername : undefined;
    return typeof name === 'string' && name !== '' ? name : null;
  }

  begin(request: IncomingMessage): void {
    this.active += 1;
    this.latest = request;
  }

  end(): void {
    this.active -= 1;
    if (this.active === 0) this.#whenIdle?.();
  }

  /** Calls back when every request so far is answered: now, or later. The last one who asks is called. */
  onceIdle(act: () => void): void {
    if (this.active === 0) act();
    else this.#whenIdle = act;
  }

  /** Ends our side, and reads the peer's for a while, so that a reset does not overtake the last answer. */
  finish(): void {
    if (this.finished) return;
    this.finished = true;
    const { socket } = this;
    socket.end();
    socket.resume();
    const cut = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(cut));
  }
}

/** The open connections of one server, and their graceful end. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  readonly #onAnswered: (this: ServerResponse) => void;
  #closing = false;
  #whenEmpty: (() => void) | null = null;

  constructor() {
    const open = this.#open;
    // One function for all responses: this runs once per request.
    this.#onAnswered = function () {
      open.get(this.req.socket)?.end();
    };
  }

  get closing(): boolean {
    return this.#closing;
  }

  get size(): number {
    return this.#open.size;
  }

  add(socket: Socket | TLSSocket): void {
    this.#open.set(socket, new Connection(socket));
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      this.#open.delete(socket);
      if (this.#open.size === 0) this.#whenEmpty?.();
    });
  }

  of(socket: Socket): Connection | undefined {
    return this.#open.get(socket);
  }

  /** Whether the request may be handled; counts it until its answer is out. */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    const connection = this.#open.get(request.socket);
    if (connection === undefined || connection.finished) return false;
    connection.begin(request);
    response.on('close', this.#onAnswered);
    return true;
  }

  /** Ends idle connections at once, the others after their last answer, and what is left after the deadline by force. */
  close(deadlineMs: number): Promise<void> {
    this.#closing = true;
    if (this.#open.size === 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const force = setTimeout(() => {
      for (const { socket } of this.#open.values()) socket.destroy();
    }, deadlineMs);
    this.#whenEmpty = () => {
      clearTimeout(force);
      resolve();
    };
    for (const connection of this.#open.values()) connection.onceIdle(() => connection.finish());
    return promise;
  }
}

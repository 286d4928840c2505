/**
 * A tunnel that accepts connections in this program.
 * Invariant: connections before the first listener are kept.
 */
import { EventEmitter } from 'node:events';
import { ErrorCode, type MuxStream, type ProxyHeader } from '@underpass/wire';
import { TunnelConnection } from './connection.ts';
import type { Tunnel, TunnelEnd } from './tunnel.ts';

/** Node's default backlog. */
const BACKLOG = 511;

/** A server of connections: one of `node:http`, `node:https`, `node:tls` or `node:net`, which does not listen itself. */
export interface ConnectionServer {
  emit(event: 'connection', connection: TunnelConnection): boolean;
}

interface ListenerEvents {
  connection: [TunnelConnection];
  /** Works like `closed`. */
  close: [];
}

/** Connections before there is a listener for them. */
export class Backlog {
  readonly #waiting = new Set<TunnelConnection>();
  #take: ((connection: TunnelConnection) => void) | null = null;

  add(stream: MuxStream, header: ProxyHeader): void {
    stream.acknowledge();
    if (this.#take !== null) this.#take(new TunnelConnection(stream, header));
    else if (this.#waiting.size < BACKLOG) this.#keep(new TunnelConnection(stream, header));
    else stream.reset(ErrorCode.streamRefused);
  }

  /** Passes each connection to `take` from now on. */
  open(take: (connection: TunnelConnection) => void): void {
    this.#take = take;
    for (const connection of this.#waiting) take(connection);
    this.#waiting.clear();
  }

  #keep(connection: TunnelConnection): void {
    this.#waiting.add(connection);
    connection.once('close', () => this.#waiting.delete(connection));
  }
}

/**
 * A tunnel whose connections go to this program, used like a `net.Server`: `connection` for each of them, or
 * `serve(server)` for all. It ends as a tunnel does: `ended` has the reason.
 */
export class TunnelListener extends EventEmitter<ListenerEvents> implements Tunnel {
  readonly ended: Promise<TunnelEnd>;
  /** Resolves, never rejects, after the end of the tunnel and all of its connections. */
  readonly closed: Promise<void>;
  readonly #tunnel: Tunnel;
  readonly #connections = new Set<TunnelConnection>();
  readonly #onClosed: () => void;
  #isListening = true;

  constructor(tunnel: Tunnel, backlog: Backlog) {
    super();
    this.#tunnel = tunnel;
    this.ended = tunnel.ended;
    const closed = Promise.withResolvers<void>();
    this.closed = closed.promise;
    this.#onClosed = closed.resolve;
    const open = (event: string | symbol): void => {
      if (event !== 'connection') return;
      this.off('newListener', open);
      // The listener is there only after this event.
      queueMicrotask(() => backlog.open((connection) => this.#accept(connection)));
    };
    this.on('newListener', open);
    void tunnel.ended.then(() => this.#ended(backlog));
  }

  get url(): string | null {
    return this.#tunnel.url;
  }

  get tunnelId(): string {
    return this.#tunnel.tunnelId;
  }

  get labels(): Readonly<Record<string, string>> | null {
    return this.#tunnel.labels;
  }

  get notice(): string {
    return this.#tunnel.notice;
  }

  get listening(): boolean {
    return this.#isListening;
  }

  /** The public name and port; null for a labelled tunnel. */
  address(): { readonly address: string; readonly family: 'tunnel'; readonly port: number } | null {
    if (this.url === null) return null;
    const { protocol, hostname, port } = new URL(this.url);
    return { address: hostname, family: 'tunnel', port: Number(port || (protocol === 'http:' ? 80 : 443)) };
  }

  /** Hands every connection to a server, such as that of `http.createServer`. */
  serve(server: ConnectionServer): this {
    return this.on('connection', (connection) => server.emit('connection', connection));
  }

  /** Unbinds, and resolves after the end of open connections: `closeAllConnections` does not wait for them. */
  async close(): Promise<void> {
    await this.#tunnel.close();
    await this.closed;
  }

  closeAllConnections(): void {
    for (const connection of this.#connections) connection.destroy();
  }

  #accept(connection: TunnelConnection): void {
    this.#connections.add(connection);
    connection.once('close', () => {
      this.#connections.delete(connection);
      this.#closeIfOver();
    });
    try {
      this.emit('connection', connection);
    } catch (error) {
      // This runs within the session, and an exception would end that for all tunnels.
      process.emitWarning(error instanceof Error ? error : String(error));
      connection.destroy();
    }
  }

  #ended(backlog: Backlog): void {
    this.#isListening = false;
    if (this.listenerCount('connection') === 0) backlog.open((connection) => connection.destroy());
    this.#closeIfOver();
  }

  #closeIfOver(): void {
    if (this.#isListening || this.#connections.size > 0) return;
    this.#onClosed();
    this.emit('close');
  }
}

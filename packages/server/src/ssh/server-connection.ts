/**
 * One connection of an SSH server, from its first byte to its end: transport, authentication, then channels.
 * Invariant: no channel is used before authentication.
 */
import type { Socket } from 'node:net';
import { boolean, Reader, string } from '../pki/ssh/index.ts';
import { Authentication, type Authenticator } from './authentication.ts';
import { type ConnectionHandler, SshConnection } from './connection.ts';
import type { HostKey } from './host-key.ts';
import { Disconnect, Message } from './numbers.ts';
import { SshError } from './ssh-error.ts';
import { SshTransport } from './transport.ts';

const authenticationService = 'ssh-userauth';
const firstOfConnection = 80;

/** Authenticates the client, serves its channels, and is notified of the end. */
export interface ServerHandler {
  readonly authenticator: Authenticator;
  readonly channels: ConnectionHandler;
  /** Once; null: it simply ended. */
  closed(reason: string | null): void;
}

export interface ServerOptions {
  /** Text after `SSH-2.0-` in this server's version line. */
  readonly software: string;
  readonly hostKeys: readonly HostKey[];
  /** Number at a time. */
  readonly channels: number;
  /** Milliseconds of silence until a keepalive request. After three without a response the connection ends. */
  readonly keepaliveMs: number;
  readonly bytesPerKey?: number;
  readonly packetsPerKey?: number;
  readonly msPerKey?: number;
}

const mostUnanswered = 3;

export class ServerConnection {
  readonly #transport: SshTransport;
  readonly #authentication: Authentication;
  readonly #connection: SshConnection;
  readonly #keepalive: NodeJS.Timeout;
  #mayAuthenticate = false;
  #unanswered = 0;

  constructor(socket: Socket, options: ServerOptions, handler: ServerHandler) {
    this.#transport = new SshTransport(socket, {
      ...options,
      handler: {
        message: (payload) => this.#message(payload),
        received: () => {
          this.#unanswered = 0;
        },
        drain: () => this.#connection.drain(),
        failed: (error) => handler.authenticator.failed(error),
        closed: (reason) => {
          clearInterval(this.#keepalive);
          this.#connection.lost();
          handler.closed(reason);
        },
      },
    });
    this.#authentication = new Authentication(this.#transport, handler.authenticator);
    const { channels } = options;
    this.#connection = new SshConnection(this.#transport, { channels, handler: handler.channels });
    this.#keepalive = setInterval(() => this.#beat(), options.keepaliveMs);
    this.#keepalive.unref();
  }

  /** The client's name for its program. */
  get clientSoftware(): string {
    return this.#transport.clientSoftware;
  }

  /** True if a keepalive request has no response yet: the client may be gone. */
  get isSilent(): boolean {
    return this.#unanswered > 1;
  }

  get open(): SshConnection['open'] {
    return this.#connection.open.bind(this.#connection);
  }

  /** Sends a line to a client that has no session for it. Most clients show it in their logs only (`ssh -v`). */
  inform(text: string): void {
    this.#transport.send(Buffer.of(Message.debug), boolean(true), string(text), string(''));
  }

  /** Ends the connection in order, with the reason for the client. */
  close(text: string): void {
    this.#transport.disconnect(Disconnect.byApplication, text);
  }

  destroy(): void {
    this.#transport.destroy();
  }

  #beat(): void {
    if (!this.#authentication.hasSucceeded) return;
    this.#unanswered += 1;
    if (this.#unanswered > mostUnanswered) this.destroy();
    else this.#connection.beat();
  }

  #message(payload: Buffer): void {
    const type = payload[0] ?? 0;
    if (type === Message.serviceRequest) this.#service(payload);
    else if (type === Message.userauthRequest && this.#mayAuthenticate) this.#authentication.request(payload);
    else if (type >= firstOfConnection && this.#authentication.hasSucceeded)
      this.#connection.message(payload);
    else throw new SshError(`a message of type ${type} came before its time`);
  }

  #service(payload: Buffer): void {
    const name = new Reader(payload.subarray(1)).text();
    if (name !== authenticationService || this.#mayAuthenticate)
      throw new SshError(`there is no service ${name.slice(0, 64)}`, Disconnect.serviceNotAvailable);
    this.#mayAuthenticate = true;
    this.#transport.send(Buffer.of(Message.serviceAccept), string(name));
  }
}

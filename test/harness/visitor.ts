/** A visitor with one connection from an address of its choice, that it keeps and sends request after request on. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { inTime } from './until.ts';

export interface VisitorOptions {
  readonly port: number;
  readonly servername: string;
  readonly ca: string;
  /** Address of the daemon; default 127.0.0.1. */
  readonly host?: string;
  /** The address to come from. */
  readonly from?: string;
}

export interface VisitorAnswer {
  readonly status: number;
  /** The digits of the error code of the edge, '' without one. */
  readonly code: string;
}

export class Visitor {
  readonly socket: TLSSocket;
  readonly #servername: string;
  #pending = '';

  private constructor(socket: TLSSocket, servername: string) {
    this.socket = socket;
    this.#servername = servername;
  }

  /** Rejects when the connection is closed before TLS is up. */
  static async connect(options: VisitorOptions): Promise<Visitor> {
    const { port, servername, ca, host = '127.0.0.1', from } = options;
    const local = from === undefined ? {} : { localAddress: from };
    const socket = connect({ host, port, servername, ca, ...local });
    await inTime(once(socket, 'secureConnect'), () => `a TLS connection to ${servername}`);
    socket.on('error', () => {});
    return new Visitor(socket, servername);
  }

  async get(headers: Readonly<Record<string, string>> = {}): Promise<VisitorAnswer> {
    const lines = Object.entries({ host: this.#servername, ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    this.socket.write(`GET / HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    await this.#until(() => this.#pending.includes('\r\n\r\n'));
    const end = this.#pending.indexOf('\r\n\r\n') + 4;
    const head = this.#pending.slice(0, end);
    const length = Number(/^content-length: *(\d+)\r$/im.exec(head)?.[1] ?? 0);
    await this.#until(() => this.#pending.length >= end + length);
    this.#pending = this.#pending.slice(end + length);
    return {
      status: Number(head.slice(9, 12)),
      code: /^underpass-error-code: *\w*?_(\d+)\r$/im.exec(head)?.[1] ?? '',
    };
  }

  /** The common name in the certificate that the visitor was shown. */
  get certifiedBy(): string {
    return String(this.socket.getPeerCertificate().issuer.CN);
  }

  close(): void {
    this.socket.destroy();
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      assert.ok(!this.socket.destroyed, 'the connection was closed');
      const wait = new AbortController();
      const options = { signal: wait.signal };
      const ended = once(this.socket, 'close', options).catch(() => {});
      const data = once(this.socket, 'data', options).catch(() => {});
      const came = await inTime(
        Promise.race([data, ended]),
        () => `more than ${this.#pending.slice(0, 2000)}`,
      );
      const [chunk] = (came ?? []) as [Buffer | boolean | undefined];
      wait.abort();
      if (Buffer.isBuffer(chunk)) this.#pending += chunk.toString('latin1');
    }
  }
}

/** A cheap visitor with one kept connection, for tests with a hundred thousand requests. */
import { once } from 'node:events';
import { connect, type SecureContext, type TLSSocket } from 'node:tls';

export interface KeptAnswer {
  readonly status: number;
  /** The whole error code of the edge; '' without one. */
  readonly code: string;
  readonly text: string;
}

const HEAD_END = '\r\n\r\n';

export class KeptVisitor {
  readonly #socket: TLSSocket;
  readonly #host: string;
  #unread = '';
  #answered: (answer: KeptAnswer | null) => void = () => {};

  private constructor(socket: TLSSocket, host: string) {
    this.#socket = socket;
    this.#host = host;
    socket.setEncoding('latin1').on('data', (text: string) => this.#received(text));
    socket.on('error', () => {}).on('close', () => this.#answered(null));
  }

  /** Rejects where there is no TLS to be had. */
  static async connect(options: {
    readonly port: number;
    readonly host: string;
    /** TLS context with the trusted authority, because creating one for each connection would dominate the cost. */
    readonly secureContext: SecureContext;
    /** Address on this machine; default 127.0.0.1. */
    readonly address?: string;
  }): Promise<KeptVisitor> {
    const { port, host, secureContext, address = '127.0.0.1' } = options;
    const socket = connect({ host: address, port, secureContext, servername: host });
    await once(socket, 'secureConnect');
    return new KeptVisitor(socket, host);
  }

  /** One request at a time. Null: the connection ended before its answer did. */
  async get(path: string): Promise<KeptAnswer | null> {
    if (!this.#socket.writable) return null;
    const { promise, resolve } = Promise.withResolvers<KeptAnswer | null>();
    this.#answered = resolve;
    this.#socket.write(`GET ${path} HTTP/1.1\r\nHost: ${this.#host}\r\n\r\n`);
    return await promise;
  }

  /** Returns true if it can send another request. */
  get isOpen(): boolean {
    return this.#socket.writable && !this.#socket.readableEnded;
  }

  close(): void {
    this.#socket.destroy();
  }

  #received(text: string): void {
    this.#unread += text;
    const end = this.#unread.indexOf(HEAD_END);
    if (end === -1) return;
    const head = this.#unread.slice(0, end);
    const [, length = '0'] = /^content-length: *(\d+)/im.exec(head) ?? [];
    const from = end + HEAD_END.length;
    const to = from + Number(length);
    if (this.#unread.length < to) return;
    const [, code = ''] = /^underpass-error-code: *(\S+)/im.exec(head) ?? [];
    const answer = { status: Number(head.slice(9, 12)), code, text: this.#unread.slice(from, to) };
    this.#unread = this.#unread.slice(to);
    this.#answered(answer);
  }
}

/** A certificate authority over plain HTTP. It behaves correctly unless a test replaces its responses. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer | object;
}

export const token = 'a-token_of_the_authority';

export class CrookedAuthority {
  readonly #url: string;
  /** Paths of the requests, in order. */
  readonly asked: string[] = [];
  /** Replaces the response at a path. A function writes the response itself. */
  readonly replies = new Map<string, Reply | ((response: ServerResponse) => void)>();

  /** True if the authority accepts proofs. */
  isProven = true;

  private constructor(url: string) {
    this.#url = url;
  }

  /** Starts an authority whose order is for `name`. */
  static async start(t: TestContext, name: string): Promise<CrookedAuthority> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const authority = new CrookedAuthority(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => {
      request.resume().once('end', () => authority.#answer(request.url ?? '', name, response));
    });
    return authority;
  }

  at(path: string): string {
    return this.#url + path;
  }

  get directory(): string {
    return this.at('/dir');
  }

  #answer(path: string, name: string, response: ServerResponse): void {
    this.asked.push(path);
    const reply = this.replies.get(path) ?? this.#usual(path, name);
    response.setHeader('replay-nonce', `nonce-${this.asked.length}`);
    if (typeof reply === 'function') {
      reply(response);
      return;
    }
    const { status = 200, headers = {}, body } = reply;
    for (const [field, value] of Object.entries(headers)) response.setHeader(field, value);
    const isText = typeof body === 'string' || Buffer.isBuffer(body);
    response.writeHead(status).end(isText ? body : JSON.stringify(body));
  }

  /** Returns the usual response: an order whose name is pending until its proof is validated. */
  #usual(path: string, name: string): Reply {
    const proven = this.isProven && this.asked.includes('/challenge');
    const finalized = this.asked.includes('/finalize');
    const order = {
      status: finalized ? 'valid' : 'pending',
      identifiers: [{ type: 'dns', value: name }],
      authorizations: [this.at('/authorization')],
      finalize: this.at('/finalize'),
      certificate: this.at('/certificate'),
    };
    const challenge = { type: 'http-01', status: 'pending', url: this.at('/challenge'), token };
    switch (path) {
      case '/dir':
        return { body: { newNonce: this.at('/nonce'), newOrder: this.at('/orders') } };
      case '/orders':
        return { status: 201, headers: { location: this.at('/order') }, body: order };
      case '/order':
      case '/finalize':
        return { body: order };
      case '/authorization':
        return {
          body: {
            status: proven ? 'valid' : 'pending',
            identifier: { type: 'dns', value: name },
            challenges: [challenge],
          },
        };
      case '/challenge':
        return { body: challenge };
      case '/nonce':
        return { body: '' };
      case '/certificate':
        return { body: 'a chain' };
      default:
        return { status: 404, body: {} };
    }
  }
}

/**
 * A server over real TLS with the responses of a test.
 * Invariant: it sends scripted responses only.
 */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { ConditionVariable } from '../../../test/harness/until.ts';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Handles one request. */
export type Step = (response: ServerResponse, request: IncomingMessage) => void;

/** An API with the responses of a test, one step for each request; the last one repeats. */
export class ScriptedServer {
  readonly seen: Seen[] = [];
  /** Connections so far. */
  connections = 0;
  /** The number of next connections that are cut before anything is read from them. */
  cuts = 0;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #steps: Step[] = [];
  readonly #changes = new ConditionVariable();

  private constructor(cert: string, key: string) {
    this.#server = createServer({ cert, key }, (request, response) => void this.#serve(request, response));
    this.#server.on('connection', (socket) => {
      this.connections++;
      this.#open.add(socket);
      socket.on('close', () => {
        this.#open.delete(socket);
        this.#changes.notify();
      });
      if (this.cuts === 0) return;
      this.cuts--;
      socket.destroy();
    });
  }

  static async start({
    cert,
    key,
  }: {
    readonly cert: string;
    readonly key: string;
  }): Promise<ScriptedServer> {
    const it = new ScriptedServer(cert, key);
    it.#server.listen(0, '127.0.0.1');
    await once(it.#server, 'listening');
    return it;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  script(...steps: Step[]): void {
    this.#steps = steps;
  }

  /** Resolves when this many requests have arrived. */
  async arrived(count: number): Promise<void> {
    await this.#changes.until(() => this.seen.length >= count);
  }

  /** Resolves when no connection is open. */
  async deserted(): Promise<void> {
    await this.#changes.until(() => this.#open.size === 0);
  }

  async stop(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '', headers } = request;
    this.seen.push({ method, url, headers, body });
    this.#changes.notify();
    const step = this.#steps.length > 1 ? this.#steps.shift() : this.#steps[0];
    step?.(response, request);
  }
}

export function answer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Step {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(status === 204 ? '' : JSON.stringify(body));
  };
}

/** An error as the API sends it. */
export function refusal(
  status: number,
  number: number,
  headers: Readonly<Record<string, string>> = {},
): Step {
  const error_code = `ERR_SERVICE_${number}`;
  const details = { operation_id: 'op_1', field: '/name' };
  return answer(status, { error_code, status_code: status, msg: `no ${number}`, details }, headers);
}

/** The request was read, and then the connection is gone. */
export const cut: Step = (_response, request) => request.socket.destroy();

/** Nothing ever comes. */
export const silence: Step = () => {};

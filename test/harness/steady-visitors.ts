/** Visitors at a modest rate through a balancer, on fresh and on kept connections, with a record of what failed. */
import { Agent as HttpAgent, request } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';

export interface LostVisit {
  readonly host: string;
  readonly isKept: boolean;
  readonly at: number;
  readonly lastedMs: number;
  readonly outcome: string;
}

/** Milliseconds between two visits of one visitor. */
const PAUSE_MS = 100;

export interface SteadyOptions {
  /** Port at 127.0.0.1. */
  readonly port: number;
  readonly ca: string;
  /** Returns the body of a name's response; default a greeting with the name. */
  readonly body?: (host: string) => string;
}

const greetingOf = (host: string): string => `hello from ${host}`;

export class SteadyVisitors {
  readonly lost: LostVisit[] = [];
  readonly #servedHosts: string[] = [];
  retried = 0;
  longestMs = 0;
  readonly #port: number;
  readonly #ca: string;
  readonly #body: (host: string) => string;
  readonly #over = new AbortController();
  #running: readonly Promise<void>[] = [];

  constructor({ port, ca, body = greetingOf }: SteadyOptions) {
    this.#port = port;
    this.#ca = ca;
    this.#body = body;
  }

  /** Starts visitors, who visit the hosts in turn. Half of them keep their connections. */
  start(count: number, hosts: readonly string[]): void {
    this.#running = Array.from({ length: count }, async (_, visitor) => {
      const agent = new HttpAgent({ keepAlive: visitor % 2 === 0, maxSockets: hosts.length });
      for (let n = visitor; !this.#over.signal.aborted; n += 1) {
        const began = performance.now();
        await this.#visit(agent, hosts[n % hosts.length]!);
        await pause(Math.max(0, PAUSE_MS - (performance.now() - began)));
      }
      agent.destroy();
    });
  }

  /** Number of visits that were served. */
  get served(): number {
    return this.#servedHosts.length;
  }

  /** The hosts of the last visits that were served. */
  lastServed(visits: number): ReadonlySet<string> {
    return new Set(this.#servedHosts.slice(-visits));
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await Promise.all(this.#running);
  }

  async #visit(agent: HttpAgent, host: string): Promise<void> {
    const began = performance.now();
    let answer = await this.#exchange(agent, host);
    // As a browser: an idle connection may have been closed at this moment.
    while (answer.isUnsent) {
      this.retried += 1;
      answer = await this.#exchange(agent, host);
    }
    const lastedMs = performance.now() - began;
    this.longestMs = Math.max(this.longestMs, lastedMs);
    if (answer.outcome === `200 ${this.#body(host)}`) this.#servedHosts.push(host);
    else this.lost.push({ host, isKept: answer.isReused, at: began, lastedMs, outcome: answer.outcome });
  }

  /** `isUnsent`: a used connection ended before a byte of the response. */
  #exchange(
    agent: HttpAgent,
    host: string,
  ): Promise<{ readonly outcome: string; readonly isUnsent: boolean; readonly isReused: boolean }> {
    const { promise, resolve } = Promise.withResolvers<{
      outcome: string;
      isUnsent: boolean;
      isReused: boolean;
    }>();
    const sent = request(
      { agent, host: '127.0.0.1', port: this.#port, servername: host, ca: this.#ca, headers: { host } },
      (response) => {
        const isReused = sent.reusedSocket;
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        response.on('error', ({ message }) =>
          resolve({ outcome: `cut: ${message}`, isUnsent: false, isReused }),
        );
        response.on('end', () => {
          const code = response.headers['underpass-error-code'];
          const outcome = `${response.statusCode} ${code ?? text}`;
          resolve({ outcome, isUnsent: false, isReused });
        });
      },
    );
    sent.on('error', ({ message }) =>
      resolve({ outcome: message, isUnsent: sent.reusedSocket, isReused: sent.reusedSocket }),
    );
    sent.end();
    return promise;
  }
}

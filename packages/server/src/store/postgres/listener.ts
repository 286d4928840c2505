/**
 * Receives notifications of other processes' commits. Listeners read the log itself, so a superfluous notification
 * costs a read, and the next one makes up for a lost one.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { type Admission, abandon, connectListener } from './connect.ts';

const RETRY_MS = 250;

export interface ListenerOptions {
  readonly url: string;
  /** The origin in notifications of this process, which are ignored. */
  readonly origin: string;
  /** Milliseconds between two polls, for notifications that were lost. */
  readonly pollMs: number;
  readonly news: () => void;
  readonly admit: Admission;
  /** Called with each new connection. */
  readonly connected: (client: Client) => Promise<void>;
}

export class Listener {
  readonly #options: ListenerOptions;
  readonly #closed = new AbortController();
  readonly #poll: NodeJS.Timeout;
  readonly #done: Promise<void>;
  #end: () => void = () => {};

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#poll = setInterval(options.news, options.pollMs).unref();
    this.#done = this.#run();
  }

  /** Listens over a new connection. */
  renew(): void {
    this.#end();
  }

  async close(): Promise<void> {
    clearInterval(this.#poll);
    this.#closed.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      try {
        await this.#listen(signal);
      } catch {
        // The server is unavailable. Readers and writers report it.
      }
      await pause(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Resolves when the connection is lost, or the listener closed. */
  async #listen(signal: AbortSignal): Promise<void> {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const client = await connectListener(this.#options.url, this.#options.admit, () => end());
    this.#end = end;
    const stop = () => end();
    signal.addEventListener('abort', stop);
    try {
      client.on('notification', ({ payload }) => {
        if (payload !== this.#options.origin) this.#options.news();
      });
      await client.query('LISTEN underpass');
      await this.#options.connected(client);
      // Some writes may have happened without a listener.
      this.#options.news();
      if (!signal.aborted) await over;
    } finally {
      signal.removeEventListener('abort', stop);
      abandon(client);
    }
  }
}

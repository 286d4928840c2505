/**
 * The one connection of a daemon to the directory, for claims, renewals and notifications. It connects again by itself.
 * Invariant: a call that rejects with NotConnectedError has sent nothing.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { NotConnectedError } from '../not-connected.ts';
import { abandon, connect, QUERY_TIMEOUT_MS } from './connect.ts';
import { DirectoryDatabase } from './directory.ts';
import { History } from './history.ts';
import { identityOf } from './identity.ts';
import { DIRECTORY_CHANNEL } from './node-rows.ts';

const RETRY_MS = 250;

export interface LinkEvents {
  /**
   * A connection is there: the directory may have changed in any way since the last one. `isOther`: its server is another
   * one, which may lack commits.
   */
  readonly connected: (isOther: boolean) => void;
  /** Some daemon has changed something. */
  readonly news: () => void;
}

export class DirectoryLink {
  readonly #url: string;
  readonly #stopped = new AbortController();
  #events: LinkEvents = { connected: () => {}, news: () => {} };
  #current: { readonly client: Client; readonly directory: DirectoryDatabase } | null = null;
  #done: Promise<void> = Promise.resolve();
  #lost: () => void = () => {};
  /** Refuses a former primary of the cluster. */
  readonly #history = new History({ changed: () => {}, moved: () => (this.#isOther = true) });
  #isOther = false;
  /** Settles after the last call. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(url: string) {
    this.#url = url;
  }

  /** Begins to connect. Call once. */
  start(events: LinkEvents): void {
    this.#events = events;
    this.#done = this.#run();
  }

  get isConnected(): boolean {
    return this.#current !== null;
  }

  /**
   * Runs one call after the other. Rejects with NotConnectedError, or with the error of the call, which may have been
   * executed. A call must not wait for another one.
   */
  run<T>(call: (directory: DirectoryDatabase) => Promise<T>): Promise<T> {
    const answer = this.#last.then(() => this.#runNow(call));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #runNow<T>(call: (directory: DirectoryDatabase) => Promise<T>): Promise<T> {
    const current = this.#current;
    if (current === null) throw new NotConnectedError('there is no connection to the directory');
    try {
      return await call(current.directory);
    } catch (error) {
      // The connection still works after the server's own ERROR.
      if (!(error instanceof Error && 'severity' in error && error.severity === 'ERROR'))
        this.#drop(current.client);
      throw error;
    }
  }

  /** Leaves the connection, which may lead to a former primary. A running call may still be executed there. */
  renew(): void {
    if (this.#current !== null) this.#drop(this.#current.client);
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#lost();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      try {
        await this.#serve();
      } catch {
        // The server is unavailable. Readers and writers report it.
      }
      await pause(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Resolves when the connection is lost. */
  async #serve(): Promise<void> {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    this.#lost = resolve;
    const accept = async (one: Client) => this.#history.admit(await identityOf(one));
    const limits = { query_timeout: QUERY_TIMEOUT_MS };
    const client = await connect(this.#url, () => resolve(), limits, accept);
    try {
      client.on('notification', () => this.#events.news());
      const directory = await DirectoryDatabase.on(client);
      await client.query(`LISTEN ${DIRECTORY_CHANNEL}`);
      this.#current = { client, directory };
      if (this.#stopped.signal.aborted) return;
      const isOther = this.#isOther;
      this.#isOther = false;
      this.#events.connected(isOther);
      await over;
    } finally {
      this.#current = null;
      abandon(client);
    }
  }

  #drop(client: Client): void {
    if (this.#current?.client !== client) return;
    this.#current = null;
    this.#lost();
  }
}

/**
 * The few connections for reads, opened when needed and assigned to callers in order.
 * Guarantees: after `renew`, nothing is read over an older connection.
 */
import type { Client, QueryConfig } from 'pg';
import type { Row } from '../rows.ts';
import { type Admission, abandon, connectReader, prepared, type Statement } from './connect.ts';

/** Connections for reading. With those for writing, listening, counting and the directory, a daemon has six. */
const MOST = 2;
/**
 * Connections that stay open while idle. A new connection would delay the first change at the other daemons after a
 * quiet time.
 */
const LASTING = 2;
const IDLE_MS = 10_000;
/**
 * Milliseconds after which a connection makes room for a new one, unless it is the only one. Only a new connection finds
 * out that its address leads to another server, while the earlier one still responds.
 */
const AGED_MS = 10_000;
/** Milliseconds that a caller waits for a connection. */
const WAIT_MS = 15_000;

export interface Lease {
  readonly client: Client;
  /** `isBroken`: do not use the connection again. */
  release(isBroken: boolean): void;
}

interface Waiter {
  readonly give: (lease: Promise<Lease>) => void;
}

interface Idle {
  readonly client: Client;
  readonly timer: NodeJS.Timeout;
}

export class Readers {
  readonly #url: string;
  readonly #admit: Admission;
  #idle: Idle[] = [];
  readonly #waiting: Waiter[] = [];
  /** Open connections, with the time when each was opened. */
  readonly #open = new Map<Client, number>();
  /** Counts calls of `renew`. */
  #generation = 0;
  #count = 0;
  /** Resolves when the last scan that was begun has ended. */
  #scan: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(url: string, admit: Admission) {
    this.#url = url;
    this.#admit = admit;
  }

  async query({ name, text, values }: Statement): Promise<{ readonly rows: readonly Row[] }> {
    const lease = await this.lease();
    let isBroken = true;
    try {
      const answer = await queryOn(lease.client, { name, text, values });
      isBroken = false;
      return answer;
    } catch (error) {
      // The connection still works after the server's own ERROR.
      isBroken = !(error instanceof Error && 'severity' in error && error.severity === 'ERROR');
      throw error;
    } finally {
      lease.release(isBroken);
    }
  }

  /**
   * Leases a connection for a read of many documents, which takes long. There is one at a time, so that short reads
   * always find the other connection.
   */
  async leaseForScan(): Promise<Lease> {
    const before = this.#scan;
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    this.#scan = before.then(() => over);
    await before;
    try {
      const { client, release } = await this.lease();
      const released = (isBroken: boolean) => {
        release(isBroken);
        end();
      };
      return { client, release: released };
    } catch (error) {
      end();
      throw error;
    }
  }

  lease(): Promise<Lease> {
    if (this.#isClosed) return Promise.reject(new Error('the connections are closed'));
    const idle = this.#idle.pop();
    if (idle !== undefined) {
      clearTimeout(idle.timer);
      return Promise.resolve(this.#leaseOf(idle.client, this.#generation));
    }
    return this.#count < MOST ? this.#connect() : this.#wait();
  }

  /** Abandons every open connection. Running queries finish there. */
  renew(): void {
    this.#generation += 1;
    for (const { client, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      this.#drop(client);
    }
  }

  /** Ends idle connections. A used one ends when it is released. */
  close(): void {
    this.#isClosed = true;
    this.renew();
    for (const { give } of this.#waiting.splice(0))
      give(Promise.reject(new Error('the connections are closed')));
  }

  async #connect(): Promise<Lease> {
    this.#count += 1;
    const generation = this.#generation;
    try {
      const client = await connectReader(this.#url, this.#admit, (ended) => this.#ended(ended));
      this.#open.set(client, performance.now());
      return this.#leaseOf(client, generation);
    } catch (error) {
      this.#count -= 1;
      this.#serveNext();
      throw error;
    }
  }

  #wait(): Promise<Lease> {
    const { promise, resolve, reject } = Promise.withResolvers<Lease>();
    const waiter: Waiter = {
      give: (lease) => {
        clearTimeout(timer);
        resolve(lease);
      },
    };
    const timer = setTimeout(() => {
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
      reject(new Error(`all ${MOST} connections for reading are in use`));
    }, WAIT_MS).unref();
    this.#waiting.push(waiter);
    return promise;
  }

  #leaseOf(client: Client, generation: number): Lease {
    let isOver = false;
    return {
      client,
      release: (isBroken) => {
        if (isOver) return;
        isOver = true;
        if (isBroken || this.#isClosed || generation !== this.#generation || this.#isAged(client)) {
          this.#drop(client);
          this.#serveNext();
          return;
        }
        const waiter = this.#waiting.shift();
        if (waiter === undefined) this.#rest(client);
        else waiter.give(Promise.resolve(this.#leaseOf(client, generation)));
      },
    };
  }

  /** True also for a connection that ended by itself. */
  #isAged(client: Client): boolean {
    const since = this.#open.get(client);
    if (since === undefined) return true;
    return this.#count > 1 && performance.now() - since > AGED_MS;
  }

  #rest(client: Client): void {
    const timer = setTimeout(() => this.#endIdle(client), IDLE_MS).unref();
    this.#idle.push({ client, timer });
  }

  #endIdle(client: Client): void {
    if (this.#count <= LASTING) return;
    this.#idle = this.#idle.filter((one) => one.client !== client);
    this.#drop(client);
  }

  /** Removes a connection that ended by itself. */
  #ended(client: Client): void {
    const idle = this.#idle.find((one) => one.client === client);
    if (idle !== undefined) {
      clearTimeout(idle.timer);
      this.#idle = this.#idle.filter((one) => one !== idle);
    }
    this.#forget(client);
  }

  #drop(client: Client): void {
    this.#forget(client);
    abandon(client);
  }

  #forget(client: Client): void {
    if (this.#open.delete(client)) this.#count -= 1;
  }

  /** Gives a free place to the next caller. */
  #serveNext(): void {
    if (this.#isClosed || this.#count >= MOST) return;
    const waiter = this.#waiting.shift();
    if (waiter === undefined) return;
    const lease = this.#connect();
    waiter.give(lease);
  }
}

/** Runs one statement on one connection. */
export async function queryOn(
  client: Client,
  statement: Statement,
): Promise<{ readonly rows: readonly Row[] }> {
  const config: QueryConfig = prepared(client, statement);
  return await client.query<Row>(config);
}

/**
 * Detects other daemons on the same database. Each holds a numbered lock while it listens for writes, so the server
 * forgets a dead one. Commands hold no lock.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Connection } from './reader.ts';

/** "undd" in ASCII, unlike those of other uses. */
const LOCKS = 0x756e6464;
const LOOK_EVERY_MS = 3_000;

const HELD = `FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = ${LOCKS} AND objsubid = 2
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** A query for commands that need exclusive use of the database. */
export const ANY_DAEMON = `SELECT ${HELD} LIMIT 1`;

/** Held exclusively by a daemon that is alone, shared by all others. "unda" in ASCII. */
const ALONE = 0x756e6461;
/** Milliseconds for which the lock of a daemon that has ended may still be held. */
const ALONE_WAIT_MS = 5_000;
const ALONE_RETRY_MS = 250;

export interface NeighboursOptions {
  readonly connection: Connection;
  /** True if no other daemon may use the database at the same time. */
  readonly isAlone: boolean;
  /** Called with each new number of other daemons. */
  readonly changed: (others: number) => void;
  readonly everyMs?: number;
}

export class Neighbours {
  readonly #options: NeighboursOptions;
  readonly #number = randomInt(1, 2 ** 31 - 1);
  readonly #timer: NodeJS.Timeout;
  #others = 0;

  constructor(options: NeighboursOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#look(), options.everyMs ?? LOOK_EVERY_MS).unref();
  }

  /**
   * Shows this daemon to others until the connection ends. Returns false if it may not use the database beside them,
   * because one of them is alone.
   */
  async announce(client: Client): Promise<boolean> {
    await client.query(`SELECT pg_advisory_lock_shared(${LOCKS}, ${this.#number})`);
    void this.#look();
    const take = this.#options.isAlone ? 'pg_try_advisory_lock' : 'pg_try_advisory_lock_shared';
    const end = performance.now() + ALONE_WAIT_MS;
    while (true) {
      const { rows } = await client.query<{ taken: boolean }>(`SELECT ${take}(${ALONE}) AS taken`);
      if (rows[0]?.taken === true) return true;
      if (performance.now() > end) return false;
      await pause(ALONE_RETRY_MS);
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** While the database is unavailable, the last number is kept. */
  async #look(): Promise<void> {
    try {
      const text = `SELECT count(DISTINCT objid) AS others ${HELD} AND objid <> $1::bigint::oid`;
      const { rows } = await this.#options.connection.query({
        name: 'neighbours',
        text,
        values: [this.#number],
      });
      const others = Number(rows[0]?.others);
      if (others === this.#others) return;
      this.#others = others;
      this.#options.changed(others);
    } catch {
      // Readers and writers report that the database is unavailable.
    }
  }
}

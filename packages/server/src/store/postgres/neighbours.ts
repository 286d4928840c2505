/**
 * Sees other daemons on the same database. Each holds a lock with a number of its own for as long as it hears of writes, so that the
 * server itself forgets one that died. Commands beside a daemon hold none.
 */
import { randomInt } from 'node:crypto';
import type { Client } from 'pg';
import type { Connection } from './reader.ts';

/** "undd" in ASCII, apart from every other use. */
const LOCKS = 0x756e6464;
const LOOK_EVERY_MS = 3_000;

const HELD = `FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = ${LOCKS} AND objsubid = 2
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** For commands that need the database for themselves. */
export const ANY_DAEMON = `SELECT ${HELD} LIMIT 1`;

export interface NeighboursOptions {
  readonly connection: Connection;
  /** Told of each new number of other daemons. */
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

  /** Shows this daemon to others until the connection ends. */
  async announce(client: Client): Promise<void> {
    await client.query(`SELECT pg_advisory_lock_shared(${LOCKS}, ${this.#number})`);
    void this.#look();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** While the database is away, the last number stands. */
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
      // Whoever reads or writes reports that the database is away.
    }
  }
}

/**
 * Detects other daemons on the same database. Each holds a numbered lock while it listens for writes, so the server
 * forgets a dead one. Commands hold no lock.
 */
import { randomInt } from 'node:crypto';
import type { Client } from 'pg';
import type { Connection } from './reader.ts';

/** "undd" in ASCII, unlike those of other uses. */
const LOCKS = 0x756e6464;
const LOOK_EVERY_MS = 3_000;

const HELD = `FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = ${LOCKS} AND objsubid = 2
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** A query for commands that need exclusive use of the database. */
export const ANY_DAEMON = `SELECT ${HELD} LIMIT 1`;

export interface NeighboursOptions {
  readonly connection: Connection;
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

  /** Shows this daemon to others until the connection ends. */
  async announce(client: Client): Promise<void> {
    await client.query(`SELECT pg_advisory_lock_shared(${LOCKS}, ${this.#number})`);
    void this.#look();
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

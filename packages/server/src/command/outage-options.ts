/** The options of a daemon that loses the database, which other daemons use, too. */
import type { DaemonsOf } from './link-options.ts';
import { ConfigError, type Values } from './options.ts';
import { duration, type NumberRange, wholeNumber } from './whole-number.ts';

export interface OutageTimes {
  /** Milliseconds for which tunnels outlive the database. */
  readonly graceMs: number;
  /** Milliseconds without the database after which a daemon is isolated if another one can use it. */
  readonly isolateMs: number;
}

/** Seconds, up to a day. */
const GRACE: NumberRange = { first: 60, last: 86_400 };
/** Seconds. Daemons renew every 5 s, and after 10 s without an answer none of them counts as one that could. */
const ISOLATE: NumberRange = { first: 20, last: 3_600 };

/** Throws ConfigError. */
export function toOutageTimes(values: Values, { database, isAlone }: DaemonsOf): OutageTimes {
  for (const flag of ['grace', 'isolate-seconds']) {
    const text = values.get(flag)?.[0];
    if (text === undefined || (database.kind === 'postgres' && !isAlone)) continue;
    const reason = isAlone ? '--alone states that there is none' : 'SQLite has one daemon';
    throw new ConfigError(
      `--${flag} ${text}: is for several daemons of one PostgreSQL database, and ${reason}; tunnels of a daemon alone outlive its database without a limit, so remove the option`,
    );
  }
  return {
    graceMs: duration(values, 'grace', 3_600, GRACE) * 1_000,
    isolateMs: wholeNumber(values, 'isolate-seconds', 60, ISOLATE) * 1_000,
  };
}

/**
 * Reads options again on SIGHUP: the log level, and the choice of the access log.
 * Invariant: options that cannot be read change nothing.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { Config } from '../command/config.ts';
import { ConfigError, type Values } from '../command/options.ts';
import type { AccessLog } from '../logs/access-log.ts';

/** Options that a running daemon takes over; all others are read at the start only. */
export const RELOADED: readonly string[] = ['log-level', 'access-log'];

export interface Configuration {
  readonly values: Values;
  readonly config: Config;
}

/** `started` is what the daemon runs with; `read` throws ConfigError. */
export function reload(
  started: Configuration,
  read: () => Configuration,
  log: Pick<Logger, 'level' | 'info' | 'warn' | 'error'>,
  accessLog: Pick<AccessLog, 'choice'>,
): void {
  try {
    const { values, config } = read();
    log.level = config.logLevel;
    accessLog.choice = config.accessLog;
    log.info({ log_level: config.logLevel, access_log: config.accessLog }, 'read the configuration again');
    const waiting = differences(started.values, values).filter((flag) => !RELOADED.includes(flag));
    if (waiting.length > 0)
      log.warn({ options: waiting }, 'these options have changed and take effect at the next start');
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    log.error(`the configuration cannot be read again, and nothing was changed: ${error.message}`);
  }
}

/** The flags with different values. */
export function differences(one: Values, other: Values): string[] {
  const flags = new Set([...one.keys(), ...other.keys()]);
  return [...flags].filter((flag) => !isDeepStrictEqual(one.get(flag), other.get(flag)));
}

/**
 * The last line of a daemon that cannot go on, in the format of its log.
 * Invariant: with JSON lines the reader of a log gets an object with time and level for this one, too.
 */

import type { LogFormat } from '../command/options.ts';
import { ForOperator } from '../core/for-operator.ts';
import { timeField } from './log-time.ts';

/** pino's level `fatal`. */
const FATAL = 60;

/**
 * Returns the text with its line end: a sentence for people, or an object with `level`, `time`, `msg` and `err`.
 * `facts`: those of each line of the daemon's log.
 */
export function lastLine(error: unknown, format: LogFormat, facts: object = {}): string {
  const isForOperator = error instanceof ForOperator;
  if (format === 'people') return isForOperator ? `underpassd: ${error.message}\n` : `${stackOf(error)}\n`;
  const msg = isForOperator ? error.message : 'the daemon failed';
  const fields = { ...facts, msg, ...(isForOperator ? {} : { err: describe(error) }) };
  return `{"level":${FATAL}${timeField()},${JSON.stringify(fields).slice(1)}\n`;
}

/** Has the fields of pino's errors. */
function describe(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: '' };
  return { type: error.name, message: error.message, stack: stackOf(error) };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

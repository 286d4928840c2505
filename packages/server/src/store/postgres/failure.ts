/** What PostgreSQL's errors mean to us. Source: postgresql.org/docs, appendix "Error Codes". */
import { DatabaseError } from 'pg';

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const DISK_FULL = '53100';

/** The five characters that the server answered, or undefined when it is not the server that speaks. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** The connection is gone, or not to be used again: its socket, its silence, or the server's own FATAL. */
export function isConnectionLoss(error: unknown): boolean {
  return !(error instanceof DatabaseError) || error.severity !== 'ERROR';
}

/** The same transaction may succeed when it is run again. */
export function mayRetry(error: unknown): boolean {
  const state = sqlState(error);
  return isConnectionLoss(error) || state === SERIALIZATION_FAILURE || state === DEADLOCK;
}

/** The server's disk has no room. */
export function isFull(error: unknown): boolean {
  return sqlState(error) === DISK_FULL;
}

/** The driver's or the server's own words; neither says a password. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message || error.name : String(error);
}

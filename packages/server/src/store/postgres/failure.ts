/**
 * Classifies PostgreSQL's errors: retry, full disk, or refused until the operator acts. Source: postgresql.org/docs,
 * appendix "Error Codes".
 */
import { DatabaseError } from 'pg';
import { SettingsError } from './settings.ts';

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const DISK_FULL = '53100';
const PROTOCOL_VIOLATION = '08P01';

/** The server responds but is unsuitable now: a standby, or an earlier primary. */
export class UnsuitableServerError extends Error {
  override readonly name = 'UnsuitableServerError';
}

/** Classes (two characters) and codes (five). A code is looked up before its class. */
const LASTING: ReadonlySet<string> = new Set([
  // Rejected connections, missing features, and values and rows that the server cannot store.
  ...['08004', '0A', '20', '21', '22', '23'],
  // Authorization, database, schema, syntax, missing rights and objects.
  ...['28', '2F', '38', '39', '3B', '3D', '3F', '42', '44'],
  // Names of statements that exist already or are missing, because sessions are shared.
  ...['26', '34'],
  // Limits of the program, permanent states, a dropped database, damage.
  ...['54', '55000', '57P04', '58P01', '58P02', 'F0', 'HV', 'P0', 'XX001', 'XX002'],
]);

/**
 * A pooler uses one code for all errors, so their texts decide. Source: PgBouncer's client.c, server.c and janitor.c.
 */
const POOLER_LASTS = /unsupported|no such|not allowed/i;
const POOLER_PASSES =
  /cannot connect|connect failed|timeout|no more connections|shutting down|crashed|closed|paused|suspended|login_retry|login has been failing|login failed.*again/i;

/** Returns the five characters of the server's SQL state; undefined if the error is not the server's. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** Returns true if the connection must not be used again: its socket failed, it is silent, or the server sent FATAL. */
export function isConnectionLoss(error: unknown): boolean {
  return !(error instanceof DatabaseError) || error.severity !== 'ERROR';
}

/** Returns true if the same transaction may succeed when it is repeated. */
export function mayRetry(error: unknown): boolean {
  if (isLasting(error)) return false;
  const state = sqlState(error);
  return isConnectionLoss(error) || state === SERIALIZATION_FAILURE || state === DEADLOCK;
}

/** Returns true if retries fail until the operator changes something. */
export function isLasting(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isLasting);
  if (error instanceof SettingsError || isUnverified(error)) return true;
  const state = sqlState(error);
  if (state === undefined) return false;
  if (state === PROTOCOL_VIOLATION)
    return POOLER_LASTS.test(reasonOf(error)) || !POOLER_PASSES.test(reasonOf(error));
  return LASTING.has(state) || LASTING.has(state.slice(0, 2));
}

/**
 * Returns true if `prefer` and `allow` should try their other way: TLS was refused or failed, or the server requires
 * TLS.
 */
export function isWorthAnotherWay(error: unknown): boolean {
  if (error instanceof DatabaseError) return error.code?.startsWith('28') ?? false;
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /does not support SSL|SSL connection/.test(error.message) ||
    /^(ERR_SSL|ERR_TLS|EPROTO)/.test(code) ||
    isUnverified(error)
  );
}

/**
 * Returns true if the settings do not accept the server's certificate. Codes: nodejs.org/api/tls.html, "X509
 * certificate error codes".
 */
function isUnverified(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return /^(CERT_|ERR_TLS_CERT|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(GET|VERIFY)|HOSTNAME_MISMATCH|INVALID_CA)/.test(
    String(error.code),
  );
}

/** Returns true if the server's disk is full. */
export function isFull(error: unknown): boolean {
  return sqlState(error) === DISK_FULL;
}

/** Returns the message of the driver or the server. Neither contains a password. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message || error.name : String(error);
}

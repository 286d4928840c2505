/**
 * The identity of the server behind a connection: its role as primary, and its history of the database.
 *
 * A promotion begins a new timeline, and each cluster has its own number. Some managed servers do not show their
 * identity; the marks of the log (history.ts) work without it.
 */
import type { Client } from 'pg';
import { UnsuitableServerError } from './failure.ts';

export interface Identity {
  /** Null if the server does not show it. */
  readonly system: string | null;
  readonly timeline: number | null;
  /** True if a pooler is between: the session's number differs from the client's. */
  readonly isPooled: boolean;
}

// Reads the current file of the log. The control file has the new timeline only after a checkpoint.
const QUERY = `SELECT pg_backend_pid() AS pid, pg_is_in_recovery() AS standby,
  (SELECT system_identifier::text FROM pg_control_system()) AS system,
  CASE WHEN pg_is_in_recovery() THEN NULL ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`;
const WITHOUT_CONTROL = 'SELECT pg_backend_pid() AS pid, pg_is_in_recovery() AS standby';

/** Rejects with UnsuitableServerError for a standby. */
export async function identityOf(client: Client): Promise<Identity> {
  const { rows } = await client.query(QUERY).catch((error: Error) => {
    // The server refused, and the connection still works.
    if ('severity' in error && error.severity === 'ERROR') return client.query(WITHOUT_CONTROL);
    throw error;
  });
  const { pid, standby, system, timeline } = rows[0] as Readonly<Record<string, unknown>>;
  if (standby === true)
    throw new UnsuitableServerError(
      'the server is a standby, which cannot be written to: name the primary, or all servers of the cluster (host1,host2)',
    );
  return {
    system: typeof system === 'string' ? system : null,
    timeline: typeof timeline === 'string' ? Number.parseInt(timeline, 16) : null,
    isPooled: Reflect.get(client, 'processID') !== pid,
  };
}

/** Returns the text that is stored in the database; null if the server does not show its identity. */
export function textOf({ system, timeline }: Identity): string | null {
  return system === null || timeline === null ? null : `${system}/${timeline}`;
}

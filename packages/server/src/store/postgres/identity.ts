/**
 * The identity of the server behind a connection: whether it is the primary, and which history of the database it writes.
 *
 * A promotion begins a new timeline, and another cluster has another number. Servers that do not show theirs, such as some managed ones,
 * have none here: the marks of the log (history.ts) work without.
 */
import type { Client } from 'pg';
import { UnsuitableServerError } from './failure.ts';

export interface Identity {
  /** Null where the server does not show it. */
  readonly system: string | null;
  readonly timeline: number | null;
  /** A pooler is between: the server has another number for this session than its client was given. */
  readonly isPooled: boolean;
}

// The current file of the log, not the control file: that one has the new timeline only after a checkpoint.
const QUERY = `SELECT pg_backend_pid() AS pid, pg_is_in_recovery() AS standby,
  (SELECT system_identifier::text FROM pg_control_system()) AS system,
  CASE WHEN pg_is_in_recovery() THEN NULL ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`;
const WITHOUT_CONTROL = 'SELECT pg_backend_pid() AS pid, pg_is_in_recovery() AS standby';

/** Rejects with UnsuitableServerError for a standby. */
export async function identityOf(client: Client): Promise<Identity> {
  const { rows } = await client.query(QUERY).catch((error: Error) => {
    // Refused by the server, and not because the connection is gone.
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

/** Returns the text that the database keeps; null if the server does not show its identity. */
export function textOf({ system, timeline }: Identity): string | null {
  return system === null || timeline === null ? null : `${system}/${timeline}`;
}

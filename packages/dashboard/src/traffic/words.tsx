/** A recorded request in words. */
import type { TrafficRequest } from '@underpass/client';
import { Status } from '@underpass/ui/status.tsx';

/** The first line of a request, or the name of a connection. */
export function titleOf({ kind, method, host, path, query }: TrafficRequest): string {
  if (kind === 'bytes') return `connection to ${host || 'a port'}`;
  return `${method} ${host}${path}${query === '' ? '' : `?${query}`}`;
}

/** Status of the response. */
export function Result({ request: { kind, status_code, error_code } }: { request: TrafficRequest }) {
  if (kind === 'bytes')
    return <Status kind={error_code === '' ? 2 : 5}>{error_code === '' ? 'ended' : 'failed'}</Status>;
  if (status_code === 0) return <Status kind="none">none</Status>;
  return <Status kind={Math.floor(status_code / 100)}>{status_code}</Status>;
}

/** The module that decided and the code, or the error; a dash for a request that passed. */
export function refusalOf({ decisions, error_code, error }: TrafficRequest): string {
  const last = decisions.at(-1);
  const parts = [last === undefined ? '' : `${last.module}: ${last.decision}`, error_code, error];
  return parts.filter((part) => part !== '').join(' · ') || '—';
}

/** URL of a request, as far as it is recorded. */
export function urlOf({ host, path }: TrafficRequest): string {
  return `https://${host}${path || '/'}`;
}

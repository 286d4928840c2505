/** Visitors that the service refused before they reached a tunnel, as the service reports them. */
import { field } from '@underpass/wire';
import { text } from './hello.ts';
import { printable, printableLine, printablePath } from './printable.ts';

/** A request or connection that the service refused. Texts are as they came: make them printable before they are shown. */
export interface RefusedVisit {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `ip:port` of the visitor. */
  readonly client: string;
  /** Name of the visitor's request, with the port unless it is the standard one; '' for a TCP address. */
  readonly host: string;
  /** '' for a connection without HTTP, and for a request that cannot be read. */
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  /** Null: the connection was closed without a response. */
  readonly status: number | null;
  /** Such as `ERR_SERVICE_3205`; '' for none. */
  readonly code: string;
  readonly reason: string;
  /** Module of the service that refused it, such as `basic_auth`; '' for none. */
  readonly module: string;
}

/** The part of a report that is about one tunnel. */
export interface RefusedVisits {
  readonly visits: readonly RefusedVisit[];
  /** Number of visitors that were refused, too, and are not listed. */
  readonly leftOut: number;
}

/** Entries of a report that are read, and characters of a text; services of this project send fewer. */
const MOST_ENTRIES = 256;
const MOST_TEXT = 1_024;

/** Reads a report of the service: by the bind id of the tunnel. What is malformed is left out. */
export function readRefusals(report: unknown): ReadonlyMap<string, RefusedVisits> {
  const visits = Map.groupBy(entriesOf(report, 'Refusals'), idOf);
  const leftOut = new Map(
    entriesOf(report, 'LeftOut').map((entry) => [idOf(entry), countOf(field(entry, 'Count'))]),
  );
  const ids = new Set([...visits.keys(), ...leftOut.keys()]);
  return new Map(
    Array.from(ids, (id) => [
      id,
      { visits: (visits.get(id) ?? []).map(visitOf), leftOut: leftOut.get(id) ?? 0 },
    ]),
  );
}

/** A refused visit for people, on one line, without its time. */
export function refusedText(visit: RefusedVisit): { readonly what: string; readonly why: string } {
  const { method, path, host, client, reason } = visit;
  const from = [visit.module, visit.code, `from ${client}`].filter((part) => part !== '').join(', ');
  const to = host === '' ? '' : ` to ${printable(host)}`;
  return {
    what: method === '' ? `connection${to}` : `${printable(method)} ${printablePath(path)}`,
    why: `refused by the service (${printable(from)}): ${printableLine(reason)}`,
  };
}

/** Returns the text about the number of further refusals. */
export function leftOutText(count: number): string {
  return `... ${count} more refused by the service`;
}

function entriesOf(report: unknown, name: string): readonly unknown[] {
  const entries: unknown = field(report, name);
  return Array.isArray(entries) ? entries.slice(0, MOST_ENTRIES) : [];
}

function idOf(entry: unknown): string {
  return text(field(entry, 'Id'));
}

function visitOf(entry: unknown): RefusedVisit {
  const said = (name: string): string => text(field(entry, name)).slice(0, MOST_TEXT);
  const at = Date.parse(said('Time'));
  const status = countOf(field(entry, 'Status'));
  return {
    at: Number.isNaN(at) ? Date.now() : at,
    client: said('ClientAddr'),
    host: said('Host'),
    method: said('Method'),
    path: said('Path'),
    status: status === 0 ? null : status,
    code: said('ErrorCode'),
    reason: said('Reason'),
    module: said('Module'),
  };
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

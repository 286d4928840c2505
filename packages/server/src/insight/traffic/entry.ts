/**
 * Entries of the list of requests: as they are kept, one line of JSON each, and as the API shows them.
 * Invariant: every foreign text in an entry has a limited length.
 */
import { ipOf } from '../../core/ip/client-address.ts';
import type { ExchangeRecord } from '../../edge/sites/exchange-record.ts';
import type { ConnectionFacts } from '../../edge/sites/facts.ts';
import { catalogue, type ErrorName } from '../../errors/catalogue.ts';
import { printableLine } from '../../errors/printable.ts';
import { errorCode, Problem } from '../../errors/problem.ts';
import type { JsonObject } from '../../store/store.ts';
import { shownClient, shownQuery } from './redaction.ts';
import type { Moment } from './request-ids.ts';

/** Characters of each text. One character of a path or a query is one byte. */
const longest = { method: 32, path: 512, query: 512, name: 256, reason: 256 };

/** The kept form, which is in JSON. Names are short, because each entry has them. */
export interface Kept {
  readonly ms: number;
  readonly n: number;
  readonly kind: ExchangeRecord['kind'];
  readonly site: string;
  readonly host: string;
  readonly route: string;
  readonly to: string;
  readonly by: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly client: string;
  readonly tls: readonly [version: string, cipher: string, commonName: string] | null;
  readonly status: number;
  readonly in: number;
  readonly out: number;
  readonly took: number;
  readonly first: number | null;
  /** Modules, each before its decision. */
  readonly did: readonly string[];
  readonly error: string;
  readonly why: string;
  readonly fault: string;
}

/** A visitor that was refused before there was a request. */
export interface Refused {
  readonly account: string;
  readonly site: string;
  readonly kind: ExchangeRecord['kind'];
  readonly clientIp: string;
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly module: string;
  readonly error: ErrorName;
  /** '' if the error states it. */
  readonly reason: string;
}

/** Returns the line of a request that has ended. `isFull`: nothing is redacted. */
export function lineOf(record: ExchangeRecord, { ms, count }: Moment, isFull: boolean): string {
  const { connection, path, firstByteMs } = record;
  // One literal: spreads would double the time.
  const kept: Kept = {
    ms,
    n: count,
    kind: record.kind,
    site: record.site,
    host: connection.serverName ?? '',
    route: record.route,
    to: record.backend,
    by: record.servedBy,
    method: cut(record.method, longest.method),
    path: cut(path, longest.path),
    query: cut(shownQuery(record.query, path, isFull), longest.query),
    client: shownClient(ipOf(connection.clientAddr), isFull),
    tls: tlsOf(connection),
    status: record.status,
    in: record.bytesIn,
    out: record.bytesOut,
    took: rounded(record.durationMs),
    first: firstByteMs === null ? null : rounded(firstByteMs),
    did: flat(record.decisions),
    error: record.error ?? '',
    why: printable(record.reason, longest.reason),
    fault: printable(record.fault, longest.reason),
  };
  return JSON.stringify(kept);
}

export function refusedLine(refused: Refused, { ms, count }: Moment, isFull: boolean): string {
  const kept: Kept = {
    ...{ ms, n: count, kind: refused.kind, site: refused.site, host: refused.host },
    ...{ route: '', to: '', by: '', query: '', status: refused.status },
    ...{ method: cut(refused.method, longest.method), path: cut(refused.path, longest.path) },
    client: shownClient(refused.clientIp, isFull),
    ...{ tls: null, in: 0, out: 0, took: 0, first: null },
    did: [refused.module, 'block'],
    error: refused.error,
    why: printable(refused.reason, longest.reason),
    fault: '',
  };
  return JSON.stringify(kept);
}

export interface Showing {
  readonly idOf: (moment: Moment) => string;
  /** Name of the daemon; '' if it has none. */
  readonly node: string;
  /** URL of the list. */
  readonly uri: string;
  readonly errorPrefix: string;
}

export const parseLine = (line: string): Kept => JSON.parse(line) as Kept;

export const momentOf = ({ ms, n: count }: Kept): Moment => ({ ms, count });

/** Returns the entry in the form of the API. */
export function show(kept: Kept, { idOf, node, uri, errorPrefix }: Showing): JsonObject {
  const { kind, site, host, route, method, tls } = kept;
  const id = idOf(momentOf(kept));
  return {
    id,
    uri: `${uri}/${id}`,
    end_ts: new Date(kept.ms).toISOString(),
    ...{ kind, site, host, route, backend: kept.to, served_by: kept.by, node },
    ...{ method, path: decoded(kept.path), query: decoded(kept.query), status_code: kept.status },
    client_ip: kept.client,
    tls: tls === null ? null : { version: tls[0], cipher_suite: tls[1], client_certificate_cn: tls[2] },
    ...{ bytes_in: kept.in, bytes_out: kept.out, duration_ms: kept.took, first_byte_ms: kept.first },
    decisions: pairs(kept.did),
    ...errorOf(kept.error, host, errorPrefix),
    reason: kept.why,
    upstream_fault: kept.fault,
  };
}

function errorOf(error: string, host: string, prefix: string): JsonObject {
  if (!Object.hasOwn(catalogue, error)) return { error_code: '', error: '' };
  const name = error as ErrorName;
  return {
    error_code: errorCode(prefix, name),
    error: Problem.named(name, { host, servername: host }).message,
  };
}

function flat(decisions: ReadonlyMap<string, string>): readonly string[] {
  const flattened: string[] = [];
  for (const [module, decision] of decisions) flattened.push(module, decision);
  return flattened;
}

function pairs(decisions: readonly string[]): JsonObject[] {
  const shown: JsonObject[] = [];
  for (let at = 0; at + 1 < decisions.length; at += 2)
    shown.push({ module: decisions[at]!, decision: decisions[at + 1]! });
  return shown;
}

function tlsOf({ tls }: ConnectionFacts): Kept['tls'] {
  if (tls === null) return null;
  return [tls.version, tls.cipher, printable(tls.clientCertificate?.commonName ?? null, longest.name)];
}

/** Control characters are replaced first, because JSON would make six bytes of each. */
function printable(text: string | null, most: number): string {
  return text === null || text === '' ? '' : cut(printableLine(text.slice(0, most + 1)), most);
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** Heads are read one character a byte. */
function decoded(text: string): string {
  const isCut = text.endsWith('…');
  const bytes = Buffer.from(isCut ? text.slice(0, -1) : text, 'latin1');
  return printableLine(isCut ? `${bytes}…` : `${bytes}`);
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

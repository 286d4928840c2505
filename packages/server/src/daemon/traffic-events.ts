/**
 * Events of visitors' requests and connections that have ended (open points, parts B 2.4 and 2.5).
 * Invariant: no event has a body, or a header or query that lets its reader act as the visitor. An event without
 * subscribers costs nothing.
 */

import type { EventType } from '../core/event-types.ts';
import { ipOf, portOf } from '../core/ip/client-address.ts';
import type { ExchangeRecord } from '../edge/sites/exchange-record.ts';
import { type ConnectionFacts, schemeOf, type TlsFacts, type Visitor } from '../edge/sites/facts.ts';
import { fieldsOf, type RecordedHeads } from '../edge/sites/recorded-heads.ts';
import { errorCode } from '../errors/problem.ts';
import type { EventBuffer } from '../events/event-buffer.ts';
import type { DeliveryMarks } from '../events/targets/delivery-marks.ts';
import { loginPaths } from '../login/paths.ts';
import type { JsonObject } from '../store/store.ts';

const types = {
  http: 'http_request_complete.v0',
  bytes: 'tcp_connection_closed.v0',
} as const satisfies Record<ExchangeRecord['kind'], EventType>;

/** Bytes of a record in memory, beside its path and its heads. */
const RECORD_BYTES = 800;
/** A reader of their values could act as the visitor, or as the service behind. */
const secretFields: readonly string[] = ['authorization', 'cookie', 'proxy-authorization', 'set-cookie'];
const HIDDEN = '[hidden]';
const MARKED = /\ncdn-loop:/i;

export class TrafficEvents {
  readonly #buffer: Pick<EventBuffer, 'wants' | 'isFull' | 'drop' | 'add'>;
  readonly #marks: Pick<DeliveryMarks, 'isAmong'>;
  readonly #errorPrefix: string;
  readonly #now: () => number;

  /** `now`: milliseconds since the epoch. */
  constructor(
    buffer: Pick<EventBuffer, 'wants' | 'isFull' | 'drop' | 'add'>,
    marks: Pick<DeliveryMarks, 'isAmong'>,
    errorPrefix: string,
    now: () => number,
  ) {
    this.#buffer = buffer;
    this.#marks = marks;
    this.#errorPrefix = errorPrefix;
    this.#now = now;
  }

  /** True if an account receives events of a request that begins now. */
  recordsHeads(account: string): boolean {
    return this.#buffer.wants(account, types.http) && !this.#buffer.isFull(account);
  }

  observe(record: ExchangeRecord): void {
    const { account, kind, path, heads, visitors } = record;
    const type = types[kind];
    if (!this.#buffer.wants(account, type) || this.#isDelivery(record)) return;
    // Without its heads the event of a request would be incomplete; there was no room when it began.
    if ((kind === 'http' && heads === null) || this.#buffer.isFull(account)) {
      this.#buffer.drop();
      return;
    }
    const time = this.#now();
    const lengths = [path, heads?.request, heads?.response].map((part) => part?.length ?? 0);
    for (const { id, name } of visitors.values()) lengths.push(id.length + name.length);
    const bytes = lengths.reduce((sum, length) => sum + length, RECORD_BYTES);
    const object = () => objectOf(record, time, this.#errorPrefix);
    this.#buffer.add({ account, type, resource: '', time, bytes, object });
  }

  /** The request delivered events of the account. An event for it would cause another delivery. */
  #isDelivery({ account, heads }: ExchangeRecord): boolean {
    if (heads === null || !MARKED.test(heads.request)) return false;
    const marks = Array.from(fieldsOf(heads.request)).filter(([name]) => name.toLowerCase() === 'cdn-loop');
    return this.#marks.isAmong(
      marks.map(([, value]) => value),
      account,
    );
  }
}

/** `endedAt`: milliseconds since the epoch. */
function objectOf(record: ExchangeRecord, endedAt: number, errorPrefix: string): JsonObject {
  const { error } = record;
  const backend = { id: record.backend, served_by: record.servedBy };
  const shared = {
    ...decisionsOf(record),
    site: record.site,
    route: record.route,
    error_code: error === null ? '' : errorCode(errorPrefix, error),
  };
  const { heads } = record;
  if (heads === null) return { ...connectionOf(record, endedAt), ...shared, backend };
  const reused = { connection_reused: record.isReused };
  return { ...requestOf(record, heads, endedAt), ...shared, backend: { ...backend, ...reused } };
}

function requestOf(record: ExchangeRecord, heads: RecordedHeads, endedAt: number): JsonObject {
  const { connection, status, firstByteMs, bytesOut } = record;
  const { conn, tls } = shownOf(connection);
  const startedAt = endedAt - record.durationMs;
  const fields = fieldsByName(heads.request);
  return {
    conn,
    http: {
      request: {
        method: record.method,
        version: heads.version,
        url: urlOf(record, heads),
        user_agent: fields['User-Agent']?.[0] ?? '',
        headers: fields,
        body_length: record.bytesIn,
        first_byte_ts: timeText(startedAt),
      },
      response: {
        status_code: status,
        headers: fieldsByName(heads.response, hiddenInAnswer(record)),
        body_length: Math.max(0, bytesOut - heads.bytesBeforeBody),
        first_byte_ts: firstByteMs === null ? null : timeText(startedAt + firstByteMs),
        last_byte_ts: timeText(endedAt),
      },
    },
    tls,
  };
}

function urlOf({ connection, path }: ExchangeRecord, heads: RecordedHeads): JsonObject {
  const scheme = schemeOf(connection);
  const host = connection.serverName ?? '';
  const sent = queryOf(heads);
  // The query has the identity provider's data about the visitor.
  const query = sent !== '' && loginPaths.has(path) ? HIDDEN : sent;
  const raw = `${scheme}://${host}${path}${query === '' ? '' : `?${query}`}`;
  return { scheme, host, path, query, raw };
}

function queryOf({ request }: RecordedHeads): string {
  const [, target = ''] = request.slice(0, request.indexOf('\r\n')).split(' ');
  const start = target.indexOf('?');
  return start === -1 ? '' : target.slice(start + 1);
}

/** A visitor that logs out is redirected to the provider with the provider's data about the session. */
function hiddenInAnswer({ path }: ExchangeRecord): readonly string[] {
  return loginPaths.has(path) ? [...secretFields, 'location'] : secretFields;
}

/** The fields by names such as `Content-Type`, the spelling in published events. */
function fieldsByName(
  head: string | null,
  hidden: readonly string[] = secretFields,
): Record<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const [name, value] of head ? fieldsOf(head) : []) {
    const shown = name.toLowerCase().replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
    const values = fields.get(shown) ?? [];
    values.push(hidden.includes(name.toLowerCase()) ? HIDDEN : value);
    fields.set(shown, values);
  }
  return Object.fromEntries(fields);
}

function connectionOf({ connection, bytesIn, bytesOut }: ExchangeRecord, endedAt: number): JsonObject {
  const ended = { bytes_in: bytesIn, bytes_out: bytesOut, end_ts: timeText(endedAt) };
  return { conn: { ...shownOf(connection).conn, ...ended } };
}

/** Event fields of a connection, which are the same for all its requests. */
interface ShownConnection {
  readonly conn: JsonObject;
  readonly tls: JsonObject | null;
}

const shown = new WeakMap<ConnectionFacts, ShownConnection>();

function shownOf(connection: ConnectionFacts): ShownConnection {
  const known = shown.get(connection);
  if (known !== undefined) return known;
  const { clientAddr, serverAddr, serverName, startedAt, ja4, tls } = connection;
  const conn = {
    client_ip: ipOf(clientAddr),
    server_ip: ipOf(serverAddr),
    server_name: serverName ?? '',
    server_port: Number(portOf(serverAddr)),
    start_ts: startedAt.toISOString(),
    ja4,
  };
  const made = { conn, tls: tls === null ? null : tlsOf(tls) };
  shown.set(connection, made);
  return made;
}

function tlsOf({ version, cipher, clientCertificate }: TlsFacts): JsonObject {
  const certificate = clientCertificate && {
    serial_number: clientCertificate.serialNumber,
    subject: { cn: clientCertificate.commonName },
  };
  return { version, cipher_suite: cipher, client_cert: certificate };
}

/** The decisions of modules. */
function decisionsOf({ decisions, visitors, bytesSaved }: ExchangeRecord): JsonObject {
  const entries = Array.from(decisions, ([module, decision]): [string, JsonObject] => {
    if (module === 'compression') return [module, { algorithm: decision, bytes_saved: bytesSaved }];
    const visitor = visitors.get(module);
    const who = visitor === undefined ? {} : visitorOf(module, visitor);
    return [module === 'ip_restriction' ? 'ip_policy' : module, { decision, ...who }];
  });
  return Object.fromEntries(entries);
}

/** Every provider's users alike, as the published events have those of `oauth`. */
function visitorOf(module: string, { id, name, clientId }: Visitor): JsonObject {
  if (module === 'basic_auth') return { username: id };
  return { app_client_id: clientId, user: id === '' ? null : { id, name } };
}

function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

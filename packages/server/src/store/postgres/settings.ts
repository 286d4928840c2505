/**
 * Parses a connection URL like libpq: several hosts, sockets, TLS modes, and variables such as PGHOST and PGUSER as
 * defaults. An unsupported parameter is refused, because the connection's security may depend on it.
 */
import { isReadableUri, type ParsedUri, parseUri } from './uri.ts';

export const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof SSL_MODES)[number];

export interface Host {
  /** A name, an address, or the directory of a socket, which begins with `/`. */
  readonly host: string;
  readonly port: number;
  /** The name that the server's certificate must have. */
  readonly name: string;
}

export interface Tls {
  readonly mode: SslMode;
  /** Paths of PEM files; `root` may be "system". */
  readonly root?: string | undefined;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
  readonly passphrase?: string | undefined;
}

export interface Settings {
  /** Hosts, at least one. The client tries them in this order until one is the primary. */
  readonly hosts: readonly Host[];
  readonly user: string | undefined;
  /** Absent: the password file decides (`~/.pgpass` or PGPASSFILE). */
  readonly password: string | undefined;
  readonly database: string | undefined;
  readonly applicationName: string | undefined;
  /** Options for the server at the start of a connection, such as `-c search_path=x`. */
  readonly options: string | undefined;
  /** Milliseconds for one host. */
  readonly connectTimeoutMs: number;
  readonly tls: Tls;
}

/** A URL that cannot be used. The message names the parameter and the remedy, and no value that may be secret. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_PORT = 5432;
const DEFAULT_TIMEOUT_S = 5;
const MOST_TIMEOUT_S = 300;

/** Parameters with their environment variables. */
const VARIABLES = {
  host: 'PGHOST',
  hostaddr: 'PGHOSTADDR',
  port: 'PGPORT',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  dbname: 'PGDATABASE',
  application_name: 'PGAPPNAME',
  options: 'PGOPTIONS',
  connect_timeout: 'PGCONNECT_TIMEOUT',
  target_session_attrs: 'PGTARGETSESSIONATTRS',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
} as const;

/** Parameters of libpq without effect here, with their accepted values; null for any. */
const WITHOUT_EFFECT: Readonly<Record<string, readonly string[] | null>> = {
  fallback_application_name: null,
  client_encoding: ['utf8', 'UTF8', 'UTF-8', 'auto'],
  keepalives: null,
  keepalives_idle: null,
  keepalives_interval: null,
  keepalives_count: null,
  tcp_user_timeout: null,
  sslcompression: ['0'],
  sslsni: ['1'],
  sslnegotiation: ['postgres'],
  gssencmode: ['disable', 'prefer'],
  channel_binding: ['disable', 'prefer'],
  load_balance_hosts: ['disable'],
  replication: ['false', 'off', 'no', '0'],
};

/** Values of target_session_attrs that lead to the primary. */
const PRIMARY = ['any', 'read-write', 'primary'];

/** Throws SettingsError. */
export function parseSettings(url: string, environment: Environment = process.env): Settings {
  const uri = parseUri(url);
  if (!isReadableUri(uri)) throw new SettingsError(uri.wrong);
  const parameter = parametersOf(uri, environment);
  const target = parameter('target_session_attrs') ?? 'any';
  if (!PRIMARY.includes(target))
    throw new SettingsError(
      `target_session_attrs=${target} does not lead to a server that can be written to: use read-write`,
    );
  return {
    hosts: hostsOf(uri, parameter),
    user: parameter('user'),
    password: parameter('password'),
    database: parameter('dbname'),
    applicationName: parameter('application_name'),
    options: parameter('options'),
    connectTimeoutMs: timeoutOf(parameter('connect_timeout')),
    tls: tlsOf(uri, parameter),
  };
}

/** Returns the place of a host for messages. */
export function placeOf({ host, port }: Host): string {
  return host.startsWith('/') ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

type Parameter = (name: keyof typeof VARIABLES) => string | undefined;

function parametersOf(
  { parameters, user, password, database }: ParsedUri,
  environment: Environment,
): Parameter {
  for (const [name, value] of parameters) checkParameter(name, value);
  const written: Readonly<Record<string, string | undefined>> = { user, password, dbname: database };
  return (name) => parameters.get(name) ?? written[name] ?? (environment[VARIABLES[name]] || undefined);
}

function checkParameter(name: string, value: string): void {
  if (name in VARIABLES || name === 'sslpassword' || name === 'ssl') return;
  if (name === 'service' || name === 'passfile')
    throw new SettingsError(`${name} cannot be read: write its values into the URL, or set PGPASSFILE`);
  const taken = WITHOUT_EFFECT[name];
  if (taken === undefined) throw new SettingsError(`the parameter ${name} is not known: remove it`);
  if (taken !== null && !taken.includes(value))
    throw new SettingsError(`${name} can only be ${taken.join(' or ')} here: remove it`);
}

function hostsOf(uri: ParsedUri, parameter: Parameter): readonly Host[] {
  const inUri = uri.hosts.length > 0 && uri.hosts.some(({ host, port }) => host !== '' || port !== '');
  const given = inUri ? uri.hosts.map(({ host }) => host).join(',') : '';
  const written =
    inUri && uri.hosts.some(({ port }) => port !== '') ? uri.hosts.map(({ port }) => port) : null;
  const hosts = (uri.parameters.get('host') ?? (given || parameter('host')) ?? '').split(',');
  const numbers = (uri.parameters.get('port') ?? written?.join(',') ?? parameter('port') ?? '').split(',');
  const addresses = parameter('hostaddr')?.split(',') ?? hosts;
  if (addresses.length !== hosts.length && hosts.join('') !== '')
    throw new SettingsError('hostaddr has another number of entries than host: give one for each');
  if (numbers.length !== 1 && numbers.length !== addresses.length)
    throw new SettingsError(
      `there are ${addresses.length} hosts and ${numbers.length} ports: give one port, or one for each host`,
    );
  return addresses.map((address, at) => ({
    host: address || hosts[at] || 'localhost',
    name: hosts[at] || address || 'localhost',
    port: portOf(numbers.length === 1 ? (numbers[0] ?? '') : (numbers[at] ?? '')),
  }));
}

function portOf(text: string): number {
  if (text === '') return DEFAULT_PORT;
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new SettingsError(`the port ${text} is not a number from 1 to 65535`);
  return port;
}

/** libpq's unit is seconds, and 0 or a negative number means no limit there. Here there is always a limit. */
function timeoutOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_TIMEOUT_S * 1_000;
  const seconds = /^[1-9][0-9]{0,2}$/.test(text) ? Number(text) : MOST_TIMEOUT_S + 1;
  if (seconds > MOST_TIMEOUT_S)
    throw new SettingsError(`connect_timeout must be from 1 to ${MOST_TIMEOUT_S} seconds`);
  return seconds * 1_000;
}

function tlsOf(uri: ParsedUri, parameter: Parameter): Tls {
  const root = parameter('sslrootcert');
  // JDBC's form of the parameter, which libpq accepts, too.
  const ssl = uri.parameters.get('ssl');
  if (ssl !== undefined && ssl !== 'true') throw new SettingsError('ssl can only be true: use sslmode');
  const asked = ssl === 'true' ? 'require' : parameter('sslmode');
  const mode = asked ?? (root === 'system' ? 'verify-full' : 'prefer');
  if (!isSslMode(mode)) throw new SettingsError(`sslmode must be one of ${SSL_MODES.join(', ')}`);
  if (root === 'system' && mode !== 'verify-full')
    throw new SettingsError('sslrootcert=system wants sslmode=verify-full');
  if (root === undefined && (mode === 'verify-ca' || mode === 'verify-full'))
    throw new SettingsError(
      `sslmode=${mode} wants the file of an authority: add sslrootcert=FILE, or sslrootcert=system`,
    );
  const certificate = parameter('sslcert');
  const key = parameter('sslkey');
  if ((certificate === undefined) !== (key === undefined))
    throw new SettingsError('sslcert and sslkey belong together: give both, or none');
  return { mode, root, certificate, key, passphrase: uri.parameters.get('sslpassword') };
}

function isSslMode(text: string): text is SslMode {
  return SSL_MODES.some((mode) => mode === text);
}

/**
 * The daemon's options, parsed once: texts become types that cannot be wrong, and what was not given gets its default.
 * In: texts by option. Out: Config, or a ConfigError whose message names the option and the remedy.
 * What may change here: an option, together with its row in options.ts and the table in README.md.
 */
import { resolve } from 'node:path';
import { type Cidr, isCidrFault, parseCidr } from './core/cidr.ts';
import { type Hostname, isFault, parseHostname } from './core/hostname.ts';
import { regions } from './core/region.ts';
import type { ListenAddress, PortRange, Settings } from './core/settings.ts';
import { EVERY_ADDRESS } from './listen.ts';
import { ConfigError, LOG_LEVELS, OPTIONS, type Values } from './options.ts';
import { type Database, parseDatabase } from './store/database.ts';

export interface Config {
  readonly settings: Settings;
  readonly database: Database;
  readonly adminListen: ListenAddress | null;
  readonly logLevel: string;
  /** Options of the run contract that were given but that this version does not act on. */
  readonly withoutEffect: readonly string[];
}

/** What `serve` is told. Throws ConfigError for anything bad. */
export function toConfig(values: Values): Config {
  const one = (flag: string, fallback: string): string => values.get(flag)?.[0] ?? fallback;
  const listen = listenAddress('listen', one('listen', ':443'));
  const domain = domainName(one('domain', 'underpass.localhost'));
  const baseUrl = apiBaseUrl(
    one('base-url', `https://api.${domain}${listen.port === 443 ? '' : `:${listen.port}`}`),
  );
  // Without effect yet, but a mistake in it must not wait until it has one.
  listenAddress('ssh-listen', one('ssh-listen', ':2222'));
  const admin = values.get('admin-listen')?.[0];
  const { dataDir, database } = toPlace(values);
  return {
    settings: {
      dataDir,
      listen,
      domain,
      region: choice('region', one('region', 'us'), regions),
      baseUrl: baseUrl.text,
      publicPort: baseUrl.port,
      versionHeaders: (values.get('version-header') ?? ['Service-Version']).map(headerName),
      errorPrefix: errorPrefix(one('error-prefix', 'ERR_SERVICE_')),
      apiRateLimit: rateLimit(one('api-rate-limit', '120')),
      tcpPorts: portRange(one('tcp-ports', '20000-29999')),
      allowPrivate: (values.get('allow-private') ?? []).map(addressRange),
    },
    database,
    adminListen: admin === undefined ? null : listenAddress('admin-listen', admin),
    logLevel: choice('log-level', one('log-level', 'info'), LOG_LEVELS),
    withoutEffect: OPTIONS.flatMap(({ flag, later }) =>
      later !== undefined && values.has(flag)
        ? [`--${flag} has no effect: this version has no ${later}`]
        : [],
    ),
  };
}

/** `HOST:PORT`, `[v6]:PORT` or `:PORT` (every address). */
function listenAddress(flag: string, text: string): ListenAddress {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port < 1 || port > 65535) {
    throw new ConfigError(
      `--${flag} ${text}: must be HOST:PORT with a port from 1 to 65535, for example 127.0.0.1:8443`,
    );
  }
  return { host: match[1] ?? (match[2] || EVERY_ADDRESS), port };
}

function domainName(text: string): Hostname {
  const hostname = parseHostname(text);
  if (isFault(hostname)) throw new ConfigError(`--domain ${text}: is not a host name (${hostname.fault})`);
  return hostname;
}

function apiBaseUrl(text: string): { text: string; port: number } {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    url === null ||
    url.protocol !== 'https:' ||
    url.pathname !== '/' ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username !== ''
  ) {
    throw new ConfigError(
      `--base-url ${text}: must be https://HOST[:PORT] without a path, for example https://api.example.com`,
    );
  }
  return { text: url.origin, port: url.port === '' ? 443 : Number(url.port) };
}

/** A relative path is seen from where the program was started. */
export function toDataDir(values: Values): string {
  return resolve(values.get('data-dir')?.[0] ?? 'data');
}

/** Where an installation keeps its state. */
export function toPlace(values: Values): { readonly dataDir: string; readonly database: Database } {
  const dataDir = toDataDir(values);
  return { dataDir, database: toDatabase('database', values.get('database')?.[0] ?? 'sqlite', dataDir) };
}

/** `flag`: the option that says it. */
export function toDatabase(flag: string, text: string, dataDir: string): Database {
  const parsed = parseDatabase(text, dataDir);
  if (parsed !== null) return parsed;
  // Never the password, wherever it stands in what was mistyped.
  const shown = text.replace(/:\/\/.*@/s, '://***@').replace(/\?.*/s, '');
  throw new ConfigError(
    `--${flag} ${shown}: must be "sqlite", sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/NAME, with special characters percent-encoded`,
  );
}

function portRange(text: string): PortRange {
  const [first = 0, last = 0] = /^\d{1,5}-\d{1,5}$/.test(text) ? text.split('-').map(Number) : [];
  if (first < 1 || last < first || last > 65535) {
    throw new ConfigError(
      `--tcp-ports ${text}: must be two ports from 1 to 65535, the lower one first, for example 20000-29999`,
    );
  }
  return { first, last };
}

function addressRange(text: string): Cidr {
  const range = parseCidr(text);
  if (isCidrFault(range)) {
    throw new ConfigError(
      `--allow-private ${text}: must be a network with its mask and no host bits, for example 10.0.0.0/8`,
    );
  }
  return range;
}

function headerName(text: string): string {
  if (!/^[A-Za-z0-9-]+$/.test(text)) {
    throw new ConfigError(`--version-header ${text}: must be a header name of letters, digits and hyphens`);
  }
  return text;
}

function errorPrefix(text: string): string {
  if (!/^[A-Za-z0-9_]+$/.test(text))
    throw new ConfigError(`--error-prefix ${text}: must be letters, digits and underscores`);
  return text.endsWith('_') ? text : `${text}_`;
}

function rateLimit(text: string): number {
  if (!/^\d{1,7}$/.test(text))
    throw new ConfigError(`--api-rate-limit ${text}: must be a whole number from 0 to 9999999`);
  return Number(text);
}

function choice(flag: string, text: string, allowed: readonly string[]): string {
  if (!allowed.includes(text))
    throw new ConfigError(`--${flag} ${text}: must be one of ${allowed.join(', ')}`);
  return text;
}

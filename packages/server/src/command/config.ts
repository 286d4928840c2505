/**
 * The daemon's options, parsed once: texts become types that cannot be wrong, and missing options get their defaults.
 * Invariant: an error names the option and the remedy.
 */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { AcmeConfig } from '../acme/acme-config.ts';
import type { ConsoleOidcSettings } from '../core/console-oidc.ts';
import { type Cidr, isCidrFault, parseCidr } from '../core/ip/cidr.ts';
import { defaultUserHeaders } from '../core/modules/user-headers.ts';
import { type Hostname, isFault, parseHostname } from '../core/names/hostname.ts';
import {
  ERROR_PREFIX_RULE,
  HEADER_NAME_RULE,
  parseErrorPrefix,
  parseHeaderName,
} from '../core/names/public-names.ts';
import { regions } from '../core/names/region.ts';
import type { Profile } from '../core/profile.ts';
import { ERROR_CODE_HEADER, type ListenAddress, type PortRange, type Settings } from '../core/settings.ts';
import {
  BODY_RECORDINGS,
  type BodyRecordingsChoice,
  REQUEST_LOGS,
  type RequestLogChoice,
} from '../insight/traffic/choice.ts';
import type { CertificateFiles } from '../pki/certificate-files.ts';
import { type Database, faultOf, parseDatabase } from '../store/databases/database.ts';
import { toAcme } from './acme-options.ts';
import { toConsoleHost } from './console-host.ts';
import { toConsoleOidc } from './dashboard-oidc-options.ts';
import type { Inherited } from './inherited.ts';
import { type LinkOptions, toLinkOptions } from './link-options.ts';
import { listenAddress, refuseSamePlace } from './listen-address.ts';
import { toNodeName } from './node-name.ts';
import { oauthClients } from './oauth-client-files.ts';
import { isOn } from './on-off.ts';
import {
  ACCESS_LOGS,
  type AccessLogChoice,
  ConfigError,
  LOG_FORMATS,
  LOG_LEVELS,
  type LogFormat,
  type Values,
} from './options.ts';
import { type OutageTimes, toOutageTimes } from './outage-options.ts';
import { type ProfileDefaults, readProfile } from './profile-file.ts';
import { CONNECTIONS, toVisitorLimits, type VisitorLimits } from './visitor-limits.ts';
import { wholeNumber } from './whole-number.ts';
import { toWorkers, type WorkerOptions } from './worker-options.ts';

export interface Config extends OutageTimes {
  readonly settings: Settings;
  readonly database: Database;
  /** The operator states that no other daemon uses the database. */
  readonly isAlone: boolean;
  readonly links: LinkOptions;
  /** Responses to writes of the API wait until the other daemons have applied them. */
  readonly waitsForNodes: boolean;
  /** Null: this process is the daemon, without a supervisor. */
  readonly workers: WorkerOptions | null;
  /** True if agents and visitors of a process before this one may wait in its listening socket. */
  readonly followsOther: boolean;
  /** Names the supervisor of this worker and of its siblings; '' for a process without one. */
  readonly group: string;
  /** The folder of files that belong to this process alone: the data dir, or a folder in it. */
  readonly ownDir: string;
  /** True if this process makes the first account, and writes bootstrap.json. */
  readonly writesBootstrap: boolean;
  readonly adminListen: ListenAddress | null;
  /** Host names under which browsers may use the admin listener, in lower case. */
  readonly adminHosts: readonly string[];
  /** Address of the DNS listener; null for none. */
  readonly dnsListen: ListenAddress | null;
  /** `IP:PORT` of the name servers that look up reserved names; none for those of the system. */
  readonly dnsResolvers: readonly string[];
  /** Certificates for names of the service. */
  readonly certificateFiles: readonly CertificateFiles[];
  /** Null: the service gets no certificates. */
  readonly acme: AcmeConfig | null;
  readonly logLevel: string;
  readonly accessLog: AccessLogChoice;
  /** Extent of the lists of requests in the API. */
  readonly requestLog: RequestLogChoice;
  readonly bodyRecordings: BodyRecordingsChoice;
  /** The sign-in to the console by OpenID Connect; null for none. */
  readonly consoleOidc: ConsoleOidcSettings | null;
  /** Milliseconds for open requests and connections to finish during a stop. */
  readonly drainMs: number;
  /** Milliseconds over which agents are sent to other daemons. */
  readonly leaveMs: number;
  /** Null: whatever suits where it is written to. */
  readonly logFormat: LogFormat | null;
  readonly visitorLimits: VisitorLimits;
  /** Most connections of all kinds; null: as many as the file descriptors allow. */
  readonly connections: number | null;
}

/**
 * Returns the public port for plain HTTP: the standard one beside the standard port for HTTPS. A port that the system
 * picks is in no URL.
 */
function plainPort(httpListen: ListenAddress | null, publicPort: number): number | null {
  if (httpListen === null || httpListen.port === 0) return null;
  return publicPort === 443 ? 80 : httpListen.port;
}

/** Parses the options of `serve`. Throws ConfigError for any bad value. */
export function toConfig(values: Values, inherited: Inherited = {}): Config {
  const one = (flag: string, fallback: string): string => values.get(flag)?.[0] ?? fallback;
  const listen = listenAddress('listen', one('listen', ':443'), inherited.listen);
  const domain = hostNameOf('domain', one('domain', 'underpass.localhost'));
  const plain = values.get('http-listen')?.[0];
  const httpListen =
    plain === undefined && inherited['http-listen'] === undefined
      ? null
      : listenAddress('http-listen', plain ?? ':80', inherited['http-listen']);
  const baseUrl = apiBaseUrl(
    one('base-url', `https://api.${domain}${listen.port === 443 ? '' : `:${listen.port}`}`),
  );
  const admin = values.get('admin-listen')?.[0];
  const adminListen =
    admin === undefined && inherited['admin-listen'] === undefined
      ? null
      : listenAddress('admin-listen', admin ?? '127.0.0.1:9090', inherited['admin-listen']);
  const ssh = values.get('ssh-listen')?.[0];
  const sshListen =
    ssh === undefined && inherited['ssh-listen'] === undefined
      ? null
      : listenAddress('ssh-listen', ssh ?? ':2222', inherited['ssh-listen']);
  refuseSamePlace('http-listen', httpListen, ':80', { listen, 'admin-listen': adminListen });
  const others = { listen, 'admin-listen': adminListen, 'http-listen': httpListen };
  refuseSamePlace('ssh-listen', sshListen, ':2222', others);
  const dns = values.get('dns-listen')?.[0];
  const dnsListen = dns === undefined ? null : listenAddress('dns-listen', dns);
  refuseSamePlace('dns-listen', dnsListen, ':53', { ...others, 'ssh-listen': sshListen });
  const { dataDir, database } = toPlace(values);
  const isAlone = isOn('alone', values);
  const links = toLinkOptions(values, { database, isAlone });
  refuseSamePlace('link-listen', links.listen, ':8444', {
    ...others,
    ...{ 'ssh-listen': sshListen, 'dns-listen': dnsListen },
  });
  const versionHeaders = (values.get('version-header') ?? ['Service-Version']).map(headerName);
  const prefix = errorPrefix(one('error-prefix', 'ERR_SERVICE_'));
  const acme = toAcme(values);
  if (acme?.serviceNames && acme.dnsHook === null && dnsListen === null)
    throw new ConfigError(
      '--dns-listen or --dns-hook is missing: the certificate of the service (--acme-service-names) is proven in DNS, which needs one of them',
    );
  const profile = profileOf(values.get('profile')?.[0], { versionHeaders, errorPrefix: prefix });
  return {
    settings: {
      nodeName: toNodeName(values, { isShared: database.kind === 'postgres', port: listen.port }),
      dataDir,
      listen,
      httpListen,
      sshListen,
      domain,
      region: choice('region', one('region', 'us'), regions),
      baseUrl: baseUrl.text,
      consoleHost: toConsoleHost(values, domain, baseUrl.text),
      publicPort: baseUrl.port,
      plainPort: plainPort(httpListen, baseUrl.port),
      versionHeaders,
      errorPrefix: prefix,
      errorCodeHeader: profile?.errorCodeHeader ?? ERROR_CODE_HEADER,
      userHeaders: profile?.userHeaders ?? defaultUserHeaders,
      profile,
      apiRateLimit: wholeNumber(values, 'api-rate-limit', 120, { first: 0, last: 9_999_999 }),
      tcpPorts: portRange(one('tcp-ports', '20000-29999')),
      allowPrivate: addressRanges('allow-private', values),
      monitoringIntake: intakeUrl(values.get('monitoring-intake-url')?.[0]),
      managedCertificates: acme === null ? null : { wildcards: acme.dnsHook !== null || dnsListen !== null },
      requireDomainProof: isOn('require-domain-proof', values),
      proxyProtocolFrom: addressRanges('proxy-protocol-from', values),
      oauthClients: oauthClients(values.get('oauth-client') ?? []),
    },
    database,
    isAlone,
    links,
    waitsForNodes: !isOn('no-wait-for-nodes', values),
    workers: toWorkers(values, { database, isAlone }),
    followsOther: listen.descriptor !== undefined,
    group: '',
    ownDir: dataDir,
    writesBootstrap: true,
    adminListen,
    adminHosts: (values.get('admin-host') ?? []).map((text) => hostNameOf('admin-host', text)),
    dnsListen,
    dnsResolvers: (values.get('dns-resolver') ?? []).map(nameServer),
    certificateFiles: certificateFiles(values),
    acme,
    drainMs: wholeNumber(values, 'drain-seconds', 10, { first: 0, last: 9999 }) * 1000,
    leaveMs: wholeNumber(values, 'leave-seconds', 10, { first: 0, last: 9999 }) * 1000,
    ...toOutageTimes(values, { database, isAlone }),
    visitorLimits: toVisitorLimits(values),
    connections: wholeNumber(values, 'connections', null, CONNECTIONS),
    logFormat: logFormat(values.get('log-format')?.[0]),
    logLevel: choice('log-level', one('log-level', 'info'), LOG_LEVELS),
    accessLog: choice('access-log', one('access-log', 'errors'), ACCESS_LOGS),
    requestLog: choice('request-log', one('request-log', 'redacted'), REQUEST_LOGS),
    bodyRecordings: choice('body-recordings', one('body-recordings', 'on'), BODY_RECORDINGS),
    consoleOidc: toConsoleOidc(values),
  };
}

/** Parses the address of a name server. A name is not allowed, because no server could look it up yet. */
function nameServer(text: string): string {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  const address = match?.[1] ?? match?.[2] ?? '';
  if (isIP(address) !== 0 && port >= 1 && port <= 65535) return text;
  throw new ConfigError(
    `--dns-resolver ${text}: must be the address and the port of a name server, for example 9.9.9.9:53 or [2620:fe::fe]:53`,
  );
}

function hostNameOf(flag: 'domain' | 'admin-host', text: string): Hostname {
  const hostname = parseHostname(text);
  if (!isFault(hostname)) return hostname;
  throw new ConfigError(
    `--${flag} ${text}: must be a host name of letters, digits, hyphens and dots, without a port, and no address, for example example.com`,
  );
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
  // The server name of a TLS client decides its destination, and no client sends an address as one.
  const hostname = parseHostname(url.hostname.replace(/^\[|\]$/g, ''));
  if (isFault(hostname)) {
    throw new ConfigError(
      hostname.fault === 'ip-address'
        ? `--base-url ${text}: must have a host name, because TLS clients do not send an IP address; give the address a name in DNS, or in the hosts file of its clients`
        : `--base-url ${text}: ${url.hostname} cannot be served; give a host name of letters, digits, hyphens and dots, for example https://api.example.com`,
    );
  }
  return {
    text: `https://${hostname}${url.port === '' ? '' : `:${url.port}`}`,
    port: url.port === '' ? 443 : Number(url.port),
  };
}

/** A relative path is seen from where the program was started. */
export function toDataDir(values: Values): string {
  return resolve(values.get('data-dir')?.[0] ?? 'data');
}

/** Returns the place of an installation's state. */
export function toPlace(values: Values): { readonly dataDir: string; readonly database: Database } {
  const dataDir = toDataDir(values);
  return { dataDir, database: toDatabase('database', values.get('database')?.[0] ?? 'sqlite', dataDir) };
}

/** `flag`: the option of this text. */
export function toDatabase(flag: string, text: string, dataDir: string): Database {
  const parsed = parseDatabase(text, dataDir);
  if (parsed !== null) return parsed;
  // The password is never shown, wherever it is in a mistyped text.
  const shown = text.replace(/:\/\/.*@/s, '://***@').replace(/\?.*/s, '');
  const fault = faultOf(text);
  const why = fault === null ? '' : `: ${fault}`;
  throw new ConfigError(
    `--${flag} ${shown}: must be "sqlite", sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/NAME, with special characters percent-encoded${why}`,
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

function addressRanges(flag: string, values: Values): readonly Cidr[] {
  return (values.get(flag) ?? []).map((text) => {
    const range = parseCidr(text);
    if (!isCidrFault(range)) return range;
    throw new ConfigError(
      `--${flag} ${text}: must be a network with its mask and no host bits, for example 10.0.0.0/8`,
    );
  });
}

function intakeUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (isPlain && ['http:', 'https:'].includes(url.protocol)) return url.href.replace(/\/+$/, '');
  throw new ConfigError(
    `--monitoring-intake-url ${text}: must be http://HOST[:PORT] or https://HOST[:PORT], with a path or none, for example http://127.0.0.1:8080`,
  );
}

/** A relative path is seen from where the program was started. */
function certificateFiles(values: Values): readonly CertificateFiles[] {
  const certs = values.get('tls-cert') ?? [];
  const keys = values.get('tls-key') ?? [];
  if (certs.length !== keys.length) {
    throw new ConfigError(
      `--tls-cert and --tls-key: give each certificate its key, in the same order; there are ${certs.length} of the one and ${keys.length} of the other`,
    );
  }
  return certs.map((cert, at) => ({ cert: resolve(cert), key: resolve(keys[at] ?? '') }));
}

function headerName(text: string): string {
  const name = parseHeaderName(text);
  if (name === null) throw new ConfigError(`--version-header ${text}: ${HEADER_NAME_RULE}`);
  return name;
}

function errorPrefix(text: string): string {
  const prefix = parseErrorPrefix(text);
  if (prefix === null) throw new ConfigError(`--error-prefix ${text}: ${ERROR_PREFIX_RULE}`);
  return prefix;
}

/** The profile; its version header distinguishes its requests from all others. */
function profileOf(
  path: string | undefined,
  settings: ProfileDefaults & Pick<Settings, 'versionHeaders'>,
): Profile | null {
  if (path === undefined) return null;
  const profile = readProfile(path, settings);
  const { versionHeader } = profile;
  const clash = settings.versionHeaders.find((name) => name.toLowerCase() === versionHeader.toLowerCase());
  if (clash === undefined) return profile;
  throw new ConfigError(
    `--profile ${path}: the version header ${versionHeader} is also the one of requests without a profile; choose another, or give --version-header another name`,
  );
}

function logFormat(text: string | undefined): LogFormat | null {
  if (text === undefined) return null;
  const format = LOG_FORMATS.find((each) => each === text);
  if (format === undefined)
    throw new ConfigError(`--log-format ${text}: must be one of ${LOG_FORMATS.join(', ')}`);
  return format;
}

function choice<Choice extends string>(flag: string, text: string, allowed: readonly Choice[]): Choice {
  const chosen = allowed.find((each) => each === text);
  if (chosen === undefined) throw new ConfigError(`--${flag} ${text}: must be one of ${allowed.join(', ')}`);
  return chosen;
}

/**
 * The options of the daemon, and the sources of their values: flags, then UNDERPASS_… variables, then a YAML file.
 * Values are not checked here: config.ts reads them.
 */

import { ForOperator } from '../core/for-operator.ts';
import { regions } from '../core/names/region.ts';
import { yaml } from '../core/yaml.ts';
import { BODY_RECORDINGS, REQUEST_LOGS } from '../insight/traffic/choice.ts';
import { readNamedFile } from '../system/named-file.ts';

/** A bad option. The daemon prints the message and exits with 2. */
export class ConfigError extends ForOperator {
  override readonly name = 'ConfigError';
}

/** The text was `--help` or `--version` and has been printed. */
export class HelpShown extends Error {
  override readonly name = 'HelpShown';
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** `people`: lines to be read. `json`: one object a line. */
export const LOG_FORMATS = ['people', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];
/** The choices of the access log: none, the requests that the edge itself responded to or ended, or all. */
export const ACCESS_LOGS = ['off', 'errors', 'all'] as const;
export type AccessLogChoice = (typeof ACCESS_LOGS)[number];

export interface OptionSpec {
  readonly flag: string;
  /** Absent: it is given or not; as a variable or in the file it is `true` or `false`. */
  readonly argument?: string;
  readonly help: string;
  readonly repeatable?: true;
  readonly required?: true;
}

export const OPTIONS: readonly OptionSpec[] = [
  { flag: 'data-dir', argument: 'DIR', help: 'where state is kept (default ./data)' },
  { flag: 'listen', argument: 'HOST:PORT', help: 'the front door: API, agents and traffic (default :443)' },
  {
    flag: 'http-listen',
    argument: 'HOST:PORT',
    help: 'plain HTTP: serves what agents bind for it, and redirects other known names to HTTPS (default off)',
  },
  { flag: 'domain', argument: 'NAME', help: 'the shared domain (default underpass.localhost)' },
  {
    flag: 'tls-cert',
    argument: 'FILE',
    help: 'a certificate for names of the service, and its intermediates, in PEM; read again when it changes (default the local authority signs)',
    repeatable: true,
  },
  {
    flag: 'tls-key',
    argument: 'FILE',
    help: 'the private key of the --tls-cert that has the same place in the order',
    repeatable: true,
  },
  {
    flag: 'acme-directory',
    argument: 'URL',
    help: "a certificate authority that speaks ACME, for domains with a management policy; who gives it agrees to the authority's terms (default none)",
  },
  {
    flag: 'acme-ca',
    argument: 'FILE',
    help: "authorities, in PEM, that the certificate authority's own certificate may be of, too",
  },
  { flag: 'acme-email', argument: 'ADDRESS', help: 'whom the certificate authority may write to' },
  {
    flag: 'acme-eab-kid',
    argument: 'ID',
    help: 'the id of the external account, where the certificate authority wants one',
  },
  {
    flag: 'acme-eab-hmac-key',
    argument: 'KEY',
    help: 'the key of the external account, in base64url; better in UNDERPASS_ACME_EAB_HMAC_KEY',
  },
  {
    flag: 'acme-orders-per-hour',
    argument: 'N',
    help: 'certificates that an account may order in an hour, and 20 times as many in a week, beside renewals; 0 for no limit (default 50)',
  },
  {
    flag: 'acme-service-names',
    help: 'gets a certificate for <domain> and *.<domain>, too, where _acme-challenge.<domain> is an alias of service.acme.<domain> (default off)',
  },
  {
    flag: 'dns-hook',
    argument: 'COMMAND',
    help: 'publishes texts below acme.<domain> for certificates of wildcards, instead of --dns-listen: called with "add NAME VALUE" and "remove NAME", and the record in DNS_RECORD (default none)',
  },
  {
    flag: 'region',
    argument: 'CODE',
    help: `region of this daemon, one of ${regions.join(', ')} (default us)`,
  },
  { flag: 'base-url', argument: 'URL', help: 'public URL of the API (default https://api.<domain>[:port])' },
  {
    flag: 'console-host',
    argument: 'NAME',
    help: 'host name of the console, of another domain than --domain, so that no page of a tunnel is at its site (default that of the API)',
  },
  {
    flag: 'admin-listen',
    argument: 'HOST:PORT',
    help: '/healthz, /readyz and Prometheus /metrics over plain HTTP (default off)',
  },
  {
    flag: 'admin-host',
    argument: 'NAME',
    help: 'host name under which browsers, too, may use --admin-listen; programs may use any (default none)',
    repeatable: true,
  },
  {
    flag: 'database',
    argument: 'URL',
    help: 'where documents are kept: postgres://USER:PASSWORD@HOST/NAME, sqlite:PATH, or sqlite, a file in the data dir (default sqlite)',
  },
  {
    flag: 'alone',
    help: 'no other daemon uses the database: names are claimed in memory, also while the database is away, and a second daemon does not start (default off)',
  },
  {
    flag: 'workers',
    argument: 'N',
    help: 'daemons that share the ports, and that a supervisor restarts; more than 1 need PostgreSQL; 0: no supervisor; auto: one for each usable core (default 0)',
  },
  {
    flag: 'worker-timeout',
    argument: 'N',
    help: 'seconds without a sign of life after which the supervisor kills a worker (default 10)',
  },
  {
    flag: 'node-name',
    argument: 'NAME',
    help: 'name of this daemon in logs, metrics and lists (default the host name, with the port of --listen if it is not 443; none with SQLite)',
  },
  {
    flag: 'link-listen',
    argument: 'HOST:PORT',
    help: 'links of other daemons on the same PostgreSQL database, over mutual TLS; every daemon needs it if they are on several machines (default off)',
  },
  {
    flag: 'link-address',
    argument: 'HOST:PORT',
    help: 'the address of --link-listen for other daemons (default that of --link-listen)',
  },
  {
    flag: 'grace',
    argument: 'TIME',
    help: 'how long tunnels outlive the database of several daemons, and how long names wait for a daemon that vanished: seconds, or 90s, 10m, 1h (default 1h)',
  },
  {
    flag: 'isolate-seconds',
    argument: 'N',
    help: 'how long a daemon serves that alone is cut off from the database (default 60)',
  },
  {
    flag: 'no-wait-for-nodes',
    help: 'responses to writes of the API do not wait until the other daemons have applied them (default off)',
  },
  {
    flag: 'api-rate-limit',
    argument: 'N',
    help: 'API requests per account in any 60 s, 0 for no limit (default 120)',
  },
  {
    flag: 'version-header',
    argument: 'NAME',
    help: 'API version header, the first is documented (default Service-Version)',
    repeatable: true,
  },
  { flag: 'error-prefix', argument: 'TEXT', help: 'prefix of error codes (default ERR_SERVICE_)' },
  {
    flag: 'profile',
    argument: 'FILE',
    help: 'a YAML file with other words for API clients that send its version header (default none)',
  },
  {
    flag: 'drain-seconds',
    argument: 'N',
    help: 'how long what runs may take to finish when the daemon stops (default 10)',
  },
  {
    flag: 'leave-seconds',
    argument: 'N',
    help: 'how long a daemon takes to send its agents to others (default 10)',
  },
  {
    flag: 'log-format',
    argument: 'FORMAT',
    help: `one of ${LOG_FORMATS.join(', ')} (default people on a terminal, else json)`,
  },
  {
    flag: 'access-log',
    argument: 'WHICH',
    help: `visits that get a line of the log: ${ACCESS_LOGS.join(', ')} (default errors)`,
  },
  {
    flag: 'request-log',
    argument: 'WHICH',
    help: `what lists of requests in the API have: ${REQUEST_LOGS.join(', ')} (default redacted)`,
  },
  {
    flag: 'body-recordings',
    argument: 'WHICH',
    help: `whether members may record bodies of their own edges for an hour at most: ${BODY_RECORDINGS.join(', ')} (default on)`,
  },
  { flag: 'log-level', argument: 'LEVEL', help: `one of ${LOG_LEVELS.join(', ')} (default info)` },
  {
    flag: 'tcp-ports',
    argument: 'A-B',
    help: 'ports that reserved TCP addresses get (default 20000-29999)',
  },
  {
    flag: 'handshake-seconds',
    argument: 'N',
    help: 'how long a visitor may take for its ClientHello, and for the rest of the handshake (default 30)',
  },
  { flag: 'head-seconds', argument: 'N', help: 'how long a request head may take (default 30)' },
  { flag: 'head-bytes', argument: 'N', help: 'how large a request or response head may be (default 65536)' },
  {
    flag: 'request-head-bytes',
    argument: 'N',
    help: 'how large the fields of a request over HTTP/2 may be, decoded (default 16384)',
  },
  {
    flag: 'idle-seconds',
    argument: 'N',
    help: 'how long a connection may wait for its next request (default 75)',
  },
  {
    flag: 'body-seconds',
    argument: 'N',
    help: 'how long a request body may bring nothing (default 60)',
  },
  {
    flag: 'connections',
    argument: 'N',
    help: 'connections in all (default as many as there are file descriptors for)',
  },
  {
    flag: 'connections-per-source',
    argument: 'N',
    help: 'connections of one IPv4 address or IPv6 /64 (default as many as are still free)',
  },
  {
    flag: 'ssh-listen',
    argument: 'HOST:PORT',
    help: 'where `ssh -R` starts tunnels (default off)',
  },
  {
    flag: 'dns-listen',
    argument: 'HOST:PORT',
    help: 'the zone acme.<domain>, over UDP and TCP, for certificates of wildcards (default off)',
  },
  {
    flag: 'dns-resolver',
    argument: 'IP:PORT',
    help: "name server for the check that reserved names point here (default the system's)",
    repeatable: true,
  },
  {
    flag: 'require-domain-proof',
    help: 'serves names that are not below the shared domain only where their DNS leads here or names the account (default off)',
  },
  {
    flag: 'allow-private',
    argument: 'CIDR',
    help: 'private or special range that static backends and targets of events may be in (default none)',
    repeatable: true,
  },
  {
    flag: 'monitoring-intake-url',
    argument: 'URL',
    help: "where events for the monitoring service go, http or https (default its sites')",
  },
  {
    flag: 'proxy-protocol-from',
    argument: 'CIDR',
    help: 'range of load balancers, which send the address of the client with the PROXY protocol (default none)',
    repeatable: true,
  },
  {
    flag: 'oauth-client',
    argument: 'PROVIDER=FILE',
    help: 'JSON with client_id and client_secret, for users who log in by OAuth where no other client is given (default none)',
    repeatable: true,
  },
  {
    flag: 'dashboard-oidc',
    argument: 'URL',
    help: 'the issuer of an OpenID Connect provider, at which users sign in to the console (default none)',
  },
  { flag: 'dashboard-oidc-client-id', argument: 'ID', help: 'the client of the console at that provider' },
  {
    flag: 'dashboard-oidc-client-secret-file',
    argument: 'FILE',
    help: 'a file with the secret of that client in one line',
  },
  {
    flag: 'dashboard-oidc-role',
    argument: 'ROLE=GROUP',
    help: 'the role of members of a group of the provider: admin, member or viewer; who is in no such group is refused',
    repeatable: true,
  },
  {
    flag: 'dashboard-oidc-groups-claim',
    argument: 'NAME',
    help: 'the claim with the groups of a user (default groups)',
  },
  {
    flag: 'dashboard-oidc-scope',
    argument: 'SCOPE',
    help: 'a scope that is requested beside openid (default profile and email)',
    repeatable: true,
  },
  {
    flag: 'dashboard-oidc-account',
    argument: 'ID',
    help: 'the account of users who sign in there (default the only one)',
  },
];

/** Values by the flag's name; an option that is not repeatable has one text. */
export type Values = Map<string, readonly string[]>;

/** Merges the values: flags win, then variables, then the file. Throws ConfigError for an unknown option. */
export function readValues(flags: Values, env: NodeJS.ProcessEnv): Values {
  // Like every variable: an empty one is one that is not set.
  const file = flags.get('config')?.[0] ?? (env.UNDERPASS_CONFIG || undefined);
  return new Map([...(file === undefined ? [] : readFile(file)), ...readEnvironment(env), ...flags]);
}

function readEnvironment(env: NodeJS.ProcessEnv): Values {
  const values: Values = new Map();
  const known = new Map(
    OPTIONS.map((option) => [`UNDERPASS_${option.flag.toUpperCase().replaceAll('-', '_')}`, option]),
  );
  for (const [name, text] of Object.entries(env)) {
    const option = known.get(name);
    if (option === undefined || text === undefined || text === '') continue;
    values.set(option.flag, option.repeatable ? text.split(',').map((part) => part.trim()) : [text]);
  }
  return values;
}

/**
 * The message without the lines that it quotes, because they may have secrets in them. The name of an alias may be
 * one without its quotes.
 */
function withoutText({ name, message }: Error): string {
  if (name === 'ReferenceError')
    return 'an alias (*NAME) has no anchor: put a text that begins with * in quotes';
  return message.split('\n', 1)[0] ?? '';
}

function readFile(path: string): Values {
  let text: string;
  try {
    text = readNamedFile(path);
  } catch (error) {
    throw new ConfigError(`--config ${path}: ${withoutText(error as Error)}`);
  }
  return valuesIn(text, path);
}

/** Returns the values of the text of a config file. `path` is for errors. Throws ConfigError. */
export function valuesIn(text: string, path: string): Values {
  let parsed: unknown;
  try {
    parsed = yaml().parse(text);
  } catch (error) {
    throw new ConfigError(`--config ${path}: ${withoutText(error as Error)}`);
  }
  if (parsed === null) return new Map();
  if (typeof parsed !== 'object' || Array.isArray(parsed)) {
    throw new ConfigError(`--config ${path}: must be a map of options, for example "data-dir: ./data"`);
  }
  const values: Values = new Map();
  for (const [key, value] of Object.entries(parsed)) {
    const option = OPTIONS.find((candidate) => candidate.flag === key);
    if (option === undefined)
      throw new ConfigError(`--config ${path}: there is no option "${key}" (see underpassd --help)`);
    const parts = Array.isArray(value) && option.repeatable ? value : [value];
    const isSwitch = option.argument === undefined && typeof value === 'boolean';
    if (!isSwitch && !parts.every((part) => typeof part === 'string' || typeof part === 'number')) {
      throw new ConfigError(
        `--config ${path}: "${key}" must be text or a number${option.repeatable ? ', or a list of them' : ''}`,
      );
    }
    values.set(key, parts.map(String));
  }
  return values;
}

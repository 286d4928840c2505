/**
 * The daemon's options: flags, then UNDERPASS_… variables, then a YAML file, then defaults.
 * In: argv, environment, files. Out: Config, or a ConfigError whose message names the option and the remedy.
 * What may change here: an option, together with the table in README.md.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { parse as parseYaml } from 'yaml';
import { type Hostname, isFault, parseHostname } from './core/hostname.ts';
import type { Settings } from './core/settings.ts';
import type { ListenAddress } from './listen.ts';

export interface Config {
  readonly settings: Settings;
  readonly adminListen: ListenAddress | null;
  readonly logLevel: string;
  /** Options of the run contract that were given but that this version does not act on. */
  readonly withoutEffect: readonly string[];
}

/** A bad option. The daemon prints the message and exits with 2. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The text was `--help` or `--version` and has been printed. */
export class HelpShown extends Error {
  override readonly name = 'HelpShown';
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const REGIONS = ['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa'];

interface OptionSpec {
  readonly flag: string;
  readonly argument: string;
  readonly help: string;
  readonly repeatable?: true;
  /** Set while no part of the daemon uses it. */
  readonly later?: string;
}

const OPTIONS: readonly OptionSpec[] = [
  { flag: 'data-dir', argument: 'DIR', help: 'where state is kept (default ./data)' },
  { flag: 'listen', argument: 'HOST:PORT', help: 'the front door: API, agents and traffic (default :443)' },
  { flag: 'domain', argument: 'NAME', help: 'the shared domain (default underpass.localhost)' },
  {
    flag: 'region',
    argument: 'CODE',
    help: `region of this daemon, one of ${REGIONS.join(', ')} (default us)`,
  },
  { flag: 'base-url', argument: 'URL', help: 'public URL of the API (default https://api.<domain>[:port])' },
  {
    flag: 'admin-listen',
    argument: 'HOST:PORT',
    help: 'health and Prometheus metrics over plain HTTP (default off)',
  },
  {
    flag: 'database',
    argument: 'URL',
    help: 'where documents are kept; only the SQLite file of the data dir for now',
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
  { flag: 'log-level', argument: 'LEVEL', help: `one of ${LOG_LEVELS.join(', ')} (default info)` },
  {
    flag: 'tcp-ports',
    argument: 'A-B',
    help: 'ports of TCP addresses (no effect yet)',
    later: 'TCP endpoints',
  },
  {
    flag: 'ssh-listen',
    argument: 'HOST:PORT',
    help: 'the SSH gateway (no effect yet)',
    later: 'the SSH gateway',
  },
  {
    flag: 'allow-private',
    argument: 'CIDR',
    help: 'private ranges that may be dialled (no effect yet)',
    repeatable: true,
    later: 'dialling out',
  },
];

type Values = Map<string, readonly string[]>;

/**
 * Reads the daemon's options.
 * Throws ConfigError for anything unknown or bad, HelpShown after `--help` or `--version`.
 */
export function readConfig(argv: readonly string[], env: NodeJS.ProcessEnv, version: string): Config {
  const flags = readFlags(argv, version);
  const file = flags.get('config')?.[0] ?? env.UNDERPASS_CONFIG;
  const values: Values = new Map([
    ...(file === undefined ? [] : readFile(file)),
    ...readEnvironment(env),
    ...flags,
  ]);
  return toConfig(values);
}

function readFlags(argv: readonly string[], version: string): Values {
  const values: Values = new Map();
  const program = new Command('underpassd')
    .description('The Underpass daemon: management API and data plane in one process.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .argument('[command]', 'serve (the default)')
    .allowExcessArguments(false)
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  program.addHelpText(
    'after',
    '\nEach option is also a variable (--data-dir is UNDERPASS_DATA_DIR; several values separated by commas)\n' +
      'and a key of the YAML file (data-dir: ...). Flags win, then variables, then the file.',
  );
  program.option('--config <FILE>', 'a YAML file with the options below as keys');
  for (const { flag, argument, help, repeatable } of OPTIONS) {
    if (repeatable) program.option(`--${flag} <${argument}>`, `${help}; repeatable`, collect, []);
    else program.option(`--${flag} <${argument}>`, help);
  }
  try {
    program.parse(argv as string[], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) throw new HelpShown();
    throw new ConfigError(`${error.message.replace(/^error: /, '')} (see underpassd --help)`);
  }
  const command = program.args[0];
  if (command !== undefined && command !== 'serve') {
    throw new ConfigError(
      `there is no command "${command}"; the only one is "serve" (see underpassd --help)`,
    );
  }
  const given = program.opts<Record<string, string | string[]>>();
  for (const flag of ['config', ...OPTIONS.map((option) => option.flag)]) {
    const value = given[camelCase(flag)];
    if (value !== undefined && value.length > 0)
      values.set(flag, typeof value === 'string' ? [value] : value);
    else if (value === '') throw new ConfigError(`--${flag} is empty; give a value or leave it out`);
  }
  return values;
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

function readFile(path: string): Values {
  let parsed: unknown;
  try {
    parsed = parseYaml(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError(`--config ${path}: ${(error as Error).message}`);
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
    if (!parts.every((part) => typeof part === 'string' || typeof part === 'number')) {
      throw new ConfigError(
        `--config ${path}: "${key}" must be text or a number${option.repeatable ? ', or a list of them' : ''}`,
      );
    }
    values.set(key, parts.map(String));
  }
  return values;
}

function toConfig(values: Values): Config {
  const one = (flag: string, fallback: string): string => values.get(flag)?.[0] ?? fallback;
  const listen = listenAddress('listen', one('listen', ':443'));
  const domain = domainName(one('domain', 'underpass.localhost'));
  const baseUrl = apiBaseUrl(
    one('base-url', `https://api.${domain}${listen.port === 443 ? '' : `:${listen.port}`}`),
  );
  checkDatabase(one('database', 'sqlite'));
  const admin = values.get('admin-listen')?.[0];
  return {
    settings: {
      dataDir: resolve(one('data-dir', 'data')),
      listen,
      domain,
      region: choice('region', one('region', 'us'), REGIONS),
      baseUrl: baseUrl.text,
      publicPort: baseUrl.port,
      versionHeaders: (values.get('version-header') ?? ['Service-Version']).map(headerName),
      errorPrefix: errorPrefix(one('error-prefix', 'ERR_SERVICE_')),
      apiRateLimit: rateLimit(one('api-rate-limit', '120')),
    },
    adminListen: admin === undefined ? null : listenAddress('admin-listen', admin),
    logLevel: choice('log-level', one('log-level', 'info'), LOG_LEVELS),
    withoutEffect: OPTIONS.flatMap(({ flag, later }) =>
      later !== undefined && values.has(flag)
        ? [`--${flag} has no effect: ${later} are not part of this version`]
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
  return { host: match[1] ?? (match[2] || '::'), port };
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

function checkDatabase(text: string): void {
  if (text !== 'sqlite') {
    throw new ConfigError(
      `--database ${text.replace(/:\/\/[^@]*@/, '://***@')}: only "sqlite" (a file in the data dir) is supported by this version`,
    );
  }
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

function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}

function camelCase(flag: string): string {
  return flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

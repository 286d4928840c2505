/**
 * Which options the daemon has, and where their values come from: flags, then UNDERPASS_… variables, then a YAML file.
 * In: argv, environment, a file. Out: texts by option, not looked into yet. What may change here: an option, together with
 * its reading in config.ts and the table in README.md.
 */
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { parse as parseYaml } from 'yaml';
import { regions } from './core/region.ts';

/** A bad option. The daemon prints the message and exits with 2. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** The text was `--help` or `--version` and has been printed. */
export class HelpShown extends Error {
  override readonly name = 'HelpShown';
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

interface OptionSpec {
  readonly flag: string;
  readonly argument: string;
  readonly help: string;
  readonly repeatable?: true;
  /** Set while no part of the daemon uses it. */
  readonly later?: string;
}

export const OPTIONS: readonly OptionSpec[] = [
  { flag: 'data-dir', argument: 'DIR', help: 'where state is kept (default ./data)' },
  { flag: 'listen', argument: 'HOST:PORT', help: 'the front door: API, agents and traffic (default :443)' },
  { flag: 'domain', argument: 'NAME', help: 'the shared domain (default underpass.localhost)' },
  {
    flag: 'region',
    argument: 'CODE',
    help: `region of this daemon, one of ${regions.join(', ')} (default us)`,
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
    help: 'where documents are kept: postgres://USER:PASSWORD@HOST/NAME, or sqlite, a file in the data dir (default sqlite)',
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
    later: 'SSH gateway',
  },
  {
    flag: 'allow-private',
    argument: 'CIDR',
    help: 'private ranges that may be dialled (no effect yet)',
    repeatable: true,
    later: 'way to dial out',
  },
];

/** What was given, by the flag's name; an option that is not repeatable has one text. */
export type Values = Map<string, readonly string[]>;

/** Throws ConfigError for anything unknown, HelpShown after `--help` or `--version`. */
export function readValues(argv: readonly string[], env: NodeJS.ProcessEnv, version: string): Values {
  const flags = readFlags(argv, version);
  // Like every variable: an empty one is one that is not set.
  const file = flags.get('config')?.[0] ?? (env.UNDERPASS_CONFIG || undefined);
  return new Map([...(file === undefined ? [] : readFile(file)), ...readEnvironment(env), ...flags]);
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
    if (repeatable) program.option(`--${flag} <${argument}>`, `${help}; repeatable`, collect);
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

function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}

function camelCase(flag: string): string {
  return flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

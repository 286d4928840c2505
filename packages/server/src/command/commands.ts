/**
 * The commands of the daemon, and the parser of a command line. The text of a flag is not checked here: invocation.ts
 * reads it.
 */
import { Command, CommanderError } from 'commander';
import { meantBy } from './meant.ts';
import { ConfigError, HelpShown, OPTIONS, type OptionSpec, type Values } from './options.ts';

export type CommandName =
  | 'serve'
  | 'setup'
  | 'account create'
  | 'account list'
  | 'key create'
  | 'key revoke'
  | 'restriction lift'
  | 'console link'
  | 'nodes drain'
  | 'nodes'
  | 'workers restart'
  | 'copy'
  | 'backup'
  | 'restore'
  | 'rotate-master-key'
  | 'ca fingerprint'
  | 'version';

interface CommandSpec {
  readonly name: CommandName;
  readonly summary: string;
  /** The text at the end of its help. */
  readonly details: string;
  readonly argument?: { readonly name: string; readonly help: string };
  readonly options: readonly OptionSpec[];
}

export interface ParsedCommand {
  readonly command: CommandName;
  readonly flags: Values;
  /** The argument beside the flags; '' if the command takes none. */
  readonly argument: string;
}

const PLACE = OPTIONS.filter(({ flag }) => flag === 'data-dir' || flag === 'database');
const JSON_FLAG: OptionSpec = { flag: 'json', help: 'print JSON, for machines' };
const BESIDE =
  'Works beside a running daemon, and without one. Tokens are printed this once and kept as hashes only.';

/** Options of serve that `setup` takes: they answer its questions, or are written as they are. Each with its help there. */
const SETUP_OPTIONS: Readonly<Record<string, string>> = {
  domain: 'the shared domain (default underpass.localhost)',
  'acme-email':
    'address for the certificate authority, which makes the daemon get certificates; none: it signs its own',
  'acme-directory': "certificate authority that speaks ACME (default Let's Encrypt, if there is an address)",
  'acme-ca': "authorities, in PEM, of that authority's own certificate",
  listen: 'API, agents and traffic (default :443)',
  'http-listen': 'plain HTTP, or off (default :80)',
  'ssh-listen': '`ssh -R`, or off (default :2222)',
  'dns-listen': 'the zone that proves names, or off (default port 53 of this machine, with certificates)',
  'dns-resolver': "name server for checks of names (default the system's)",
  database: 'sqlite, sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME (default sqlite)',
  'data-dir': 'where state is kept (default /var/lib/underpass, or ~/.local/share/underpass without root)',
};

const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'serve',
    summary: 'The Underpass daemon: management API and data plane in one process.',
    details: '',
    options: OPTIONS,
  },
  {
    name: 'setup',
    summary: 'Write the config file and the service, and start the daemon, after five questions.',
    details:
      'The questions: domain, e-mail address for certificates, ports, database, service or not. Flags are their defaults.\n' +
      'A second run has the answers of the file as defaults, and changes only what was answered differently.\n' +
      'As root the file is /etc/underpass/underpassd.yaml, else ~/.config/underpass/underpassd.yaml, unless --config names one.\n' +
      'A listener is off with "off"; "none" as --acme-email ends certificates by ACME.\n\n' +
      'Examples:\n' +
      '  underpassd setup\n' +
      '  underpassd setup --yes --domain example.com --acme-email ops@example.com\n' +
      '  underpassd setup --yes --domain example.com --database postgres://underpass:SECRET@db.internal/underpass\n' +
      '  underpassd setup --yes --no-service --listen 127.0.0.1:8443 --http-listen off --ssh-listen off',
    options: [
      { flag: 'yes', help: 'no questions: take the defaults and the flags' },
      { flag: 'service', help: 'have systemd run the daemon (default for root, if there is systemd)' },
      { flag: 'no-service', help: 'run the daemon in the foreground' },
      { flag: 'no-start', help: 'write the files only' },
      ...OPTIONS.flatMap((option) => {
        const help = SETUP_OPTIONS[option.flag];
        return help === undefined ? [] : [{ ...option, help }];
      }),
    ],
  },
  {
    name: 'account create',
    summary: 'Make an account with its admin user, an API key and a tunnel credential.',
    details: BESIDE,
    options: [
      { flag: 'name', argument: 'NAME', help: 'name of the account', required: true },
      { flag: 'email', argument: 'ADDRESS', help: 'e-mail address of its admin user' },
      JSON_FLAG,
      ...PLACE,
    ],
  },
  {
    name: 'account list',
    summary: 'List the accounts, oldest first.',
    details: BESIDE,
    options: [JSON_FLAG, ...PLACE],
  },
  {
    name: 'key create',
    summary: 'Make an API key.',
    details: BESIDE,
    options: [
      { flag: 'account', argument: 'ID', help: 'the account, ac_…', required: true },
      { flag: 'owner', argument: 'ID', help: 'whom it speaks for (default: the oldest active admin)' },
      { flag: 'description', argument: 'TEXT', help: 'what it is for' },
      JSON_FLAG,
      ...PLACE,
    ],
  },
  {
    name: 'key revoke',
    summary: 'Delete an API key: from then on no daemon takes it.',
    details: BESIDE,
    argument: { name: 'key', help: 'id of the key, ak_…' },
    options: [
      { flag: 'account', argument: 'ID', help: 'refuse unless the key is of this account' },
      JSON_FLAG,
      ...PLACE,
    ],
  },
  {
    name: 'restriction lift',
    summary:
      "Stop enforcing the IP restrictions of an account's API and console, for a user who is locked out.",
    details:
      'Works beside a running daemon, and without one. The restrictions stay, with "enforced" false: what they would refuse is logged.',
    options: [
      { flag: 'account', argument: 'ID', help: 'the account, ac_…', required: true },
      JSON_FLAG,
      ...PLACE,
    ],
  },
  {
    name: 'console link',
    summary: 'Print a link that signs a browser in to the console, without an API key.',
    details:
      'The link signs in once, within ten minutes. It is a secret until then.\n' +
      'Works beside a running daemon, and without one.',
    options: [
      { flag: 'account', argument: 'ID', help: 'the account, ac_… (default: the only one)' },
      { flag: 'user', argument: 'ID', help: 'the user to sign in, usr_… (default: the oldest active admin)' },
      JSON_FLAG,
      ...PLACE,
    ],
  },
  {
    // Before "nodes", which is the beginning of its name.
    name: 'nodes drain',
    summary: 'Have a daemon send its agents to the other daemons of its database.',
    details:
      'Its /readyz returns 503 at once, so that balancers lead agents elsewhere. It ends the sessions of its agents over\n' +
      '--leave-seconds of serve, the oldest first, and later sends away all that come. Visitors are served as before.\n' +
      'A restart of the daemon ends the draining, too.\n\n' +
      'Examples:\n' +
      '  underpassd nodes drain edge-1 --database postgres://db.internal/underpass\n' +
      '  underpassd nodes drain edge-1 --undo --database postgres://db.internal/underpass',
    argument: { name: 'node', help: 'name or incarnation of the daemon, as "underpassd nodes" lists it' },
    options: [
      { flag: 'undo', help: 'end the draining: agents may come again' },
      { flag: 'force', help: 'drain it also if no other daemon takes its agents' },
      JSON_FLAG,
      ...PLACE,
    ],
  },
  {
    name: 'nodes',
    summary: 'List the daemons of a database on PostgreSQL, with their agents and tunnels.',
    details:
      'A daemon is ready, draining, silent (no renewal for 20 s), isolated or dead. A silent one serves its tunnels for up to\n' +
      '85 % of --grace. An isolated one serves nothing: it alone is cut off from the database. Names of it and of a dead one are held for their credentials. AGENTS are sessions; LINK is the address for other machines.\n\n' +
      'Examples:\n' +
      '  underpassd nodes --database postgres://db.internal/underpass\n' +
      '  UNDERPASS_DATABASE=postgres://db.internal/underpass underpassd nodes --json\n' +
      '  underpassd nodes drain --help',
    options: [JSON_FLAG, ...PLACE],
  },
  {
    name: 'workers restart',
    summary: 'Restart the workers of the daemon of a data dir one after the other, without lost requests.',
    details:
      'Each new worker starts beside the one that it replaces, with the program and the options as they are now. When it is\n' +
      'ready, the older one gets no more connections, sends its agents to other workers over --leave-seconds, and ends. The next\n' +
      'one follows then. On SQLite, and with --alone, a worker ends before it starts again, and connections wait meanwhile.\n' +
      'The command ends when all are restarted. If it is interrupted, the restart goes on. If a new worker does not start, the\n' +
      'restart stops there with exit code 1, and the other workers go on as before.\n\n' +
      'Examples:\n' +
      '  underpassd workers restart --data-dir /var/lib/underpass\n' +
      '  underpassd workers restart --worker 2 --config /etc/underpass/underpassd.yaml',
    options: [
      { flag: 'worker', argument: 'N', help: 'restart this one only: the number at the end of its name' },
      JSON_FLAG,
      ...PLACE.filter(({ flag }) => flag === 'data-dir'),
    ],
  },
  {
    name: 'ca fingerprint',
    summary: 'Print the fingerprint of the authority, and the line by which a machine joins.',
    details:
      'Both are as of the last start, or the last change of the certificates: join.json of the data dir has them.\n' +
      'A certificate of an authority that machines trust needs no fingerprint.',
    options: [JSON_FLAG, ...PLACE],
  },
  {
    name: 'version',
    summary: 'Print the version, the commit, the platform and the version of Node.',
    details: '',
    options: [JSON_FLAG],
  },
  {
    name: 'backup',
    summary: 'Copy a whole installation into a new directory, beside a running daemon too.',
    details:
      'The directory must not be there yet, or be empty; it appears when all of it is on the disk. In it are the database of one\n' +
      'moment as a SQLite file (of PostgreSQL, too), master.key, bootstrap.json, ca.pem and backup.json with their SHA-256.\n' +
      'The directory contains every secret: keep it readable for its owner only.\n\n' +
      'A master key in UNDERPASS_MASTER_KEY is not copied: set it for this command, too, and keep it yourself.',
    argument: { name: 'dir', help: 'directory of the backup, a new one' },
    options: [JSON_FLAG, ...PLACE],
  },
  {
    name: 'restore',
    summary: 'Make an installation out of a backup, in an empty data dir and database.',
    details:
      'Nothing is overwritten. Every file is compared with its SHA-256, and every secret is opened with the master key, before\n' +
      'anything is written. Stop the daemon that the backup is of, or do not let both serve the same names.',
    argument: { name: 'dir', help: 'directory that backup made' },
    options: [...PLACE],
  },
  {
    name: 'rotate-master-key',
    summary: 'Seal every secret under a new master key, beside a running daemon too.',
    details:
      'The new key is in master.key beside the old one until everything is sealed anew; a rotation that was interrupted goes on at\n' +
      'the next start. Agents keep their names. With a key in UNDERPASS_MASTER_KEY, or on PostgreSQL, which several daemons may\n' +
      'share, it prints the steps to do by hand first.',
    options: [JSON_FLAG, ...PLACE],
  },
  {
    name: 'copy',
    summary: 'Copy a whole installation into an empty database of either kind.',
    details:
      'URLs are as for --database: postgres://USER:PASSWORD@HOST/NAME or sqlite:PATH (a file or its data dir).\n' +
      'Stop every daemon first. The source is not changed; the target must be empty and stays empty until all of it is\n' +
      'there and was compared with the source: a copy that was interrupted is simply begun anew.\n\n' +
      'The master key is not in the database: put master.key of the old data dir into the new one (or set\n' +
      'UNDERPASS_MASTER_KEY), or what is sealed cannot be opened.',
    options: [
      { flag: 'from', argument: 'URL', help: 'the installation to copy', required: true },
      { flag: 'to', argument: 'URL', help: 'the empty database', required: true },
    ],
  },
];

/** Throws ConfigError for anything unknown, HelpShown after `--help` or `--version`. */
export function parseCommand(argv: readonly string[], version: string): ParsedCommand {
  const { spec, rest } = commandOf(argv);
  const program = grammar(spec, version);
  try {
    program.parse(rest as string[], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) throw new HelpShown();
    throw new ConfigError(`${faultOf(error, spec, rest)} (see ${program.name()} --help)`);
  }
  const given = program.opts<Given>();
  const flags: Values = new Map();
  for (const { flag } of [...spec.options, { flag: 'config' }]) {
    const value = givenValue(given, flag);
    if (value === '') throw new ConfigError(`--${flag} is empty: ${remedyForEmpty(spec, flag)}`);
    if (value !== undefined) flags.set(flag, Array.isArray(value) ? value : [String(value)]);
  }
  return { command: spec.name, flags, argument: program.args[0] ?? '' };
}

type Given = Readonly<Record<string, string | string[] | boolean>>;

/** Returns the value of an option; undefined: not given. The parser reads `--no-name` as `name`, true by default. */
function givenValue(given: Given, flag: string): Given[string] | undefined {
  const name = flag.replace(/^no-/, '');
  const value = given[name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
  if (name === flag) return value === false ? undefined : value;
  return value === false ? true : undefined;
}

function remedyForEmpty({ options }: CommandSpec, flag: string): string {
  const option = options.find((each) => each.flag === flag);
  return option?.required ? `give its ${option.argument ?? 'value'}` : 'give a value or leave it out';
}

/** The parser's fault as a sentence with the option or the value, and the remedy. */
function faultOf(
  error: CommanderError,
  { name, argument, options }: CommandSpec,
  rest: readonly string[],
): string {
  const message = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
  const [, flag, value] = /'--([\w-]+) <(.+?)>'/.exec(message) ?? [];
  switch (error.code) {
    case 'commander.missingArgument':
      return `the argument <${argument?.name}> is missing: give the ${argument?.help}`;
    case 'commander.missingMandatoryOptionValue':
      return `--${flag} is missing: give --${flag} ${value}, ${options.find((each) => each.flag === flag)?.help}`;
    case 'commander.optionMissingArgument':
      return `--${flag} has no value: give --${flag} ${value}`;
    case 'commander.excessArguments':
      return `too many arguments (${rest.map((text) => JSON.stringify(text)).join(' ')}): ${
        argument === undefined ? `"${name}" takes options only` : `"${name}" takes one <${argument.name}>`
      }; put a text with spaces in quotes`;
    default:
      return message;
  }
}

/** The command of a command line; `serve` if it names none. */
function commandOf(argv: readonly string[]): { spec: CommandSpec; rest: readonly string[] } {
  const [first = '', second = ''] = argv;
  if (first === 'help') return commandOf([...argv.slice(1), '--help']);
  for (const spec of COMMANDS) {
    const words = spec.name.split(' ');
    if (words.every((word, at) => argv[at] === word)) return { spec, rest: argv.slice(words.length) };
  }
  if (first === '' || first.startsWith('-')) return { spec: COMMANDS[0] as CommandSpec, rest: argv };
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length === 0) {
    const names = COMMANDS.map(({ name }) => name);
    throw new ConfigError(`there is no command "${first}"${meantBy(first, names)} (see underpassd --help)`);
  }
  if (second === '--help' || second === '-h') {
    console.log(`Commands:\n${listOf(group)}\n\nEach has its own --help.`);
    throw new HelpShown();
  }
  const names = group.map(({ name }) => `"${name}"`).join(' or ');
  throw new ConfigError(
    second === '' || second.startsWith('-')
      ? `"${first}" is not a whole command: give ${names}`
      : `there is no command "${first} ${second}": give ${names}`,
  );
}

function grammar({ name, summary, details, argument, options }: CommandSpec, version: string): Command {
  const isServe = name === 'serve';
  const program = new Command(isServe ? 'underpassd' : `underpassd ${name}`)
    .description(summary)
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .allowExcessArguments(false)
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  if (isServe) program.usage('[serve] [options]');
  if (argument !== undefined) program.argument(`<${argument.name}>`, argument.help);
  if (options.some(({ flag }) => flag === 'data-dir'))
    program.option('--config <FILE>', 'a YAML file with options of serve as keys');
  for (const { flag, argument: value, help, repeatable, required } of options) {
    const text = repeatable ? `${help}; repeatable` : help;
    if (value === undefined) program.option(`--${flag}`, text);
    else if (repeatable) program.option(`--${flag} <${value}>`, text, collect);
    else if (required) program.requiredOption(`--${flag} <${value}>`, text);
    else program.option(`--${flag} <${value}>`, text);
  }
  program.addHelpText('after', `\n${isServe ? SERVE_DETAILS : details}`);
  return program;
}

const SERVE_DETAILS = `Each option is also a variable (--data-dir is UNDERPASS_DATA_DIR; several values separated by commas)
and a key of the YAML file (data-dir: ...). Flags win, then variables, then the file.

Other commands, each with its own --help:
${listOf(COMMANDS.slice(1))}`;

function listOf(commands: readonly CommandSpec[]): string {
  return commands.map(({ name, summary }) => `  ${name.padEnd(18)}${summary}`).join('\n');
}

function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}

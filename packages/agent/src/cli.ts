/**
 * The `underpass` command. Exit codes: 0 normal end, 1 refused, 2 wrong usage.
 * Invariant: the work of commands is in run-*.ts and api/.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { failOnLostOutput } from '@underpass/wire';
import { Cancelled } from '@underpass/wire/prompt';
import { Command, CommanderError, Option } from 'commander';
import { InvalidInput, parseServers } from './address.ts';
import { mistakesIn } from './check-all.ts';
import { addExplainCommand } from './commands/explain.ts';
import { addSetupCommands } from './commands/setup.ts';
import { addStateCommands } from './commands/state.ts';
import { defaultConfigPath } from './config-file.ts';
import { parseFolder, type Serving, type Target } from './folder/folder-target.ts';
import { parseInspect } from './inspector/inspect-address.ts';
import { checkFirstWord } from './mistaken-command.ts';
import { printableMessage } from './printable.ts';
import { secretFiles, withSecrets } from './secrets.ts';
import { whenKeeperEnds } from './service/kept.ts';
import { type Flags, readService, readSettings, type Service } from './settings.ts';
import { type Proto, settingGroups, settingsOf, type TunnelWords } from './tunnel-settings.ts';
import { readRequest, readUpstream, readUpstreamTls, type TunnelSpec } from './tunnel-spec.ts';
import { chooseTunnels, readTunnelsFile } from './tunnels-file.ts';
import { openUi, readUi, type UiFlags } from './user-interface.ts';
import { agentVersion } from './version.ts';

const USAGE = 2;

/** Options of running tunnels, from any source. */
interface Running extends UiFlags {
  readonly inspect: string | undefined;
}

interface TunnelFlags extends Flags, TunnelWords, UiFlags {}

interface StartFlags extends Flags, UiFlags {
  readonly all?: boolean;
  readonly quiet?: boolean;
}

/** Runs the command; `argv` as in process.argv. Ends the process. */
export async function main(argv: readonly string[]): Promise<void> {
  failOnLostOutput('underpass');
  try {
    const program = await command(argv);
    await checkFirstWord(argv[2] ?? '', ['help', ...program.commands.map((it) => it.name())]);
    await program.parseAsync(argv);
  } catch (error) {
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : USAGE);
    if (error instanceof Cancelled) {
      console.error(error.message);
      process.exit(1);
    }
    if (!(error instanceof InvalidInput)) throw error;
    console.error(`underpass: ${printableMessage(mistakesIn(error).map(withFlag).join('\n'))}`);
    process.exit(USAGE);
  }
}

/** A line may have many flags. */
function withFlag({ flag, message }: InvalidInput): string {
  return flag === null || message.includes(`--${flag}`) ? message : `--${flag}: ${message}`;
}

async function command(argv: readonly string[]): Promise<Command> {
  const program = new Command('underpass')
    .description('Gives a service behind NAT a public URL, through an Underpass server.')
    .version(agentVersion, '-V, --version', 'print the version number alone')
    .addHelpText('after', EXAMPLES)
    .exitOverride();
  const http = program
    .command('http')
    .description('forward public HTTPS requests to a local HTTP server')
    .argument(
      '<upstream>',
      'address of your server: 3000, host:3000, http://host:3000, https://host, unix:/path or file:path',
    )
    .option(
      '--domain <name>',
      'hostname to bind, such as app.example.com, or a label below the domain of the server: app; without it the server picks one',
    );
  const file = program
    .command('file')
    .description('give the files of a folder a public URL, with a page that lists them')
    .argument('<folder>', 'path of the folder; nothing outside of it is served')
    .option(
      '--domain <name>',
      'hostname to bind, such as app.example.com, or a label below the domain of the server: app; without it the server picks one',
    );
  const tls = program
    .command('tls')
    .description('forward public TLS connections to a local server, which terminates TLS by default')
    .argument('<upstream>', 'address of your server: 8443, host:8443 or unix:/path')
    .option(
      '--domain <name>',
      'hostname to bind, such as app.example.com, or a label below the domain of the server: app; without it the server picks one',
    );
  const tcp = program
    .command('tcp')
    .description('forward connections to a public TCP port to a local server')
    .argument('<upstream>', 'address of your server: 5432, host:5432 or unix:/path')
    .option('--address <host:port>', 'reserved address to bind; without it the server picks a free port');
  for (const [proto, one] of [
    ['http', http],
    ['tls', tls],
    ['tcp', tcp],
  ] as const) {
    withTunnelOptions(one, proto).action((upstream: string, flags: TunnelFlags) =>
      tunnel(proto, readUpstream(proto, upstream, serving(flags), process.cwd()), flags),
    );
  }
  withTunnelOptions(file, 'http').action((folder: string, flags: TunnelFlags) =>
    tunnel('http', parseFolder(folder, process.cwd(), serving(flags)), flags),
  );
  const config = addConfigCommands(program);
  addSetupCommands(program, config, process.exit);
  addExplainCommand(program, process.exit);
  addStateCommands(program, process.exit);
  const api = program.command('api').description('manage the resources of a server through its API');
  // Hundreds of commands, which other invocations should not wait for.
  if (argv.includes('api')) {
    const { addApiCommands } = await import('./api/command.ts');
    addApiCommands(api, argv, process.exit);
  }
  nameOwnHelp(program, program.name());
  return program;
}

/**
 * Adds a hint about `--help` after the errors of each command. Commands of the API have many subcommands, and their
 * own hint.
 */
function nameOwnHelp(one: Command, words: string): void {
  one.showHelpAfterError(`Try "${words} --help".`);
  for (const below of one.commands)
    if (below.name() !== 'api') nameOwnHelp(below, `${words} ${below.name()}`);
}

const EXAMPLES = `
  underpass login                          once: store the address of the server, and your token
  underpass http 3000                      a public URL for what listens on port 3000
  underpass http 3000 --domain NAME        one of your choice
  underpass start --all                    all tunnels of the config file

"underpass http --help" lists the flags of a command.`;

/** Adds the commands of the config file. */
function addConfigCommands(program: Command): Command {
  const several = program
    .command('start')
    .description('start tunnels of the config file, all on one session')
    .argument('[names...]', 'which of them')
    .option('--all', 'all of them')
    .option('--quiet', 'do not print requests');
  withServiceOptions(several)
    .option('--config <file>', CONFIG_FILE)
    .addHelpText('after', HELP)
    .addHelpText('after', EXAMPLE)
    .action(start);
  const config = program.command('config').description('the config file of "underpass start"');
  config
    .command('check')
    .description('check it: print each error by line and field, or else its tunnels')
    .option('--config <file>', CONFIG_FILE)
    .addHelpText('after', EXAMPLE)
    .action(checkConfig);
  config
    .command('path')
    .description('print its default path')
    .action(() => console.log(defaultConfigPath(process.env)));
  return config;
}

const CONFIG_FILE = 'YAML file; else the one that "underpass config path" names';

const EXAMPLE = `
The keys of a tunnel are the flags of "underpass http", "tls" and "tcp"; paths are relative to the file:

  server: connect.example.com:443
  authtoken: TOKEN
  tunnels:
    web: {upstream: 3000, domain: demo.example.com}
    database: {proto: tcp, upstream: 5432}

"underpass start web" starts one of them, "underpass start --all" both.`;

function withServiceOptions(one: Command): Command {
  return one
    .option(
      '--server <host:port>',
      'address of the server for agents; repeatable, if it has several',
      addServer,
    )
    .option('--authtoken <token>', 'token of a tunnel credential')
    .option('--ca <file>', "PEM of the authority that signed the server's certificate")
    .option('--ca-fingerprint <sha256:hex>', 'fingerprint of that authority, instead of its file')
    .option(
      '--connections <number>',
      'most connections to a server of several daemons, one to each; default 4',
    )
    .option(
      '--inspect <host:port|false>',
      'address of the inspector, which shows requests; default 127.0.0.1:4040 or the next free port',
    )
    .option('--ui <screen|lines>', 'output on a terminal; default a screen')
    .option('--json', 'one JSON object a line instead of text');
}

function withTunnelOptions(one: Command, proto: Proto): Command {
  const common = withServiceOptions(one)
    .option('--label <key=value>', 'join the tunnel groups with this label, without a URL; repeatable', add)
    .option('--metadata <text>', 'free text, shown with the tunnel in the API')
    .option(
      '--config <file>',
      'YAML file with these flags as keys (server, authtoken, ca, ca-fingerprint, connections, inspect, domain, address, label, metadata)',
    );
  for (const [name, { group, kind, shape, help, notOf }] of settingsOf(proto)) {
    if (notOf === one.name()) continue;
    const option = new Option(`--${name} ${shape}`.trimEnd(), help).helpGroup(settingGroups[group]);
    if (kind === 'texts' || kind === 'paths') option.argParser(add);
    common.addOption(option);
  }
  return common.addHelpText('after', TUNNEL_EXAMPLES[one.name()] ?? '').addHelpText('after', HELP);
}

/** Examples by the name of the command. */
const TUNNEL_EXAMPLES: Readonly<Record<string, string>> = {
  http: `
  underpass http 3000 --domain demo.example.com
  underpass http 3000 --basic-auth 'ada:long enough'
  underpass http https://localhost:8443 --host-header rewrite`,
  file: `
  underpass file ./site --domain site.example.com`,
  tls: `
  underpass tls 8443 --domain vault.example.com
  underpass tls 5000 --domain vault.example.com --terminate`,
  tcp: `
  underpass tcp 5432
  underpass tcp 5432 --cidr-allow 192.0.2.0/24`,
};

const HELP = `
The variables UNDERPASS_SERVER, UNDERPASS_AUTHTOKEN, UNDERPASS_CA and UNDERPASS_CA_FINGERPRINT replace absent flags.
Flags win, then variables, then the file. The last resort is what "underpass login" has stored, or ./data/bootstrap.json of a daemon.`;

/** One service with several addresses: they are one text. */
function addServer(value: string, earlier?: string): string {
  return earlier === undefined ? value : `${earlier},${value}`;
}

function add(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

function serving(flags: TunnelFlags): Serving {
  return { ...flags, secrets: secretFiles(flags, process.cwd()) };
}

async function tunnel(proto: Proto, upstream: Target, flags: TunnelFlags): Promise<void> {
  const settings = readSettings(flags, process.env, process.cwd());
  const words = withSecrets(flags, process.env, process.cwd());
  const request = readRequest(proto, upstream, settings, words);
  const { server, authtoken, ca, caFile, caFingerprint, connections, inspect } = settings;
  const service = { server, authtoken, ca, caFile, caFingerprint };
  const tls = readUpstreamTls(upstream, words);
  const spec: TunnelSpec = { name: null, upstream, ...tls, request, quiet: flags.quiet === true };
  const most = connections === undefined ? {} : { connections };
  await keep({ ...service, ...most }, [spec], { ...flags, inspect });
}

async function start(names: readonly string[], flags: StartFlags): Promise<void> {
  const file = readTunnelsFile(configPath(flags));
  const tunnels = chooseTunnels(file, names, flags.all === true).map((spec) =>
    flags.quiet === true ? { ...spec, quiet: true } : spec,
  );
  const service = readService(flags, process.env, process.cwd(), file.service);
  await keep(service, tunnels, { ...flags, inspect: flags.inspect ?? file.service.inspect });
}

function configPath({ config }: Flags): string {
  if (config !== undefined) return resolve(process.cwd(), config);
  const path = defaultConfigPath(process.env);
  if (existsSync(path)) return path;
  throw new InvalidInput(
    `There is no config file ${path}. Write it, as "underpass start --help" shows, or give --config FILE.`,
  );
}

function checkConfig(flags: Flags): void {
  const { path, tunnels } = readTunnelsFile(configPath(flags));
  const names = [...tunnels.keys()].join(', ');
  console.log(`${path} is valid. ${names === '' ? 'It has no tunnels.' : `Its tunnels: ${names}.`}`);
}

/** Ends the process. */
async function keep(service: Service, tunnels: readonly TunnelSpec[], how: Running): Promise<void> {
  parseServers(service.server);
  const inspect = parseInspect(how.inspect);
  const kind = readUi(how);
  const ui = await openUi(kind, service, tunnels);
  // Commands of the API do without it.
  const { runTunnels } = await import('./run-tunnels.ts');
  const run = { service, tunnels, report: ui.report, inspect };
  // The screen would overwrite messages of errors.
  const code = await runTunnels(run, untilSignal()).finally(() => ui.close());
  process.exit(code);
}

/** Aborts at the first SIGINT or SIGTERM, or without its keeper; a second signal ends the process at once. */
function untilSignal(): AbortSignal {
  const controller = new AbortController();
  const numbers = { SIGINT: 2, SIGTERM: 15 } as const;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(128 + numbers[name]);
      controller.abort();
    });
  }
  whenKeeperEnds(() => controller.abort());
  return controller.signal;
}

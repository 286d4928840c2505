/**
 * The `underpass` command. Exit codes: 0 ended as asked, 1 refused, 2 used wrongly. Never that a command does its work here:
 * that is in run-*.ts and api/.
 */
import { Command, CommanderError } from 'commander';
import { InvalidInput, parseServer, parseUpstream, type Upstream } from './address.ts';
import { agentVersion } from './hello.ts';
import { LinePrinter } from './lines.ts';
import { printableMessage } from './printable.ts';
import type { Report } from './report.ts';
import { JsonReport } from './report-json.ts';
import { PeopleReport } from './report-people.ts';
import { runHttp } from './run-http.ts';
import { type Flags, readSettings, type Settings } from './settings.ts';

const FLUSH_MS = 500;
const USAGE = 2;

interface HttpFlags extends Flags {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Runs the command; `argv` as in process.argv. Ends the process. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    await (await command(argv)).parseAsync(argv);
  } catch (error) {
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : USAGE);
    if (!(error instanceof InvalidInput)) throw error;
    console.error(`underpass: ${printableMessage(error.message)}`);
    process.exit(USAGE);
  }
}

async function command(argv: readonly string[]): Promise<Command> {
  const program = new Command('underpass')
    .description('Gives a service behind NAT a public URL, through an Underpass server.')
    .version(agentVersion)
    .showHelpAfterError('Try "underpass --help" or "underpass http --help".')
    .exitOverride();
  program
    .command('http')
    .description('forward public HTTPS requests to a local HTTP server')
    .argument('<upstream>', 'where it listens: 3000, host:3000, http://host:3000 or https://host')
    .option('--server <host:port>', 'address of the server for agents')
    .option('--authtoken <token>', 'token of a tunnel credential')
    .option('--ca <file>', "PEM of the authority that signed the server's certificate")
    .option('--domain <name>', 'hostname to bind; without it the server picks one')
    .option(
      '--label <key=value>',
      'join the tunnel groups with this label instead of having a URL; repeatable',
      add,
    )
    .option('--metadata <text>', 'free text, shown with the tunnel in the API')
    .option(
      '--config <file>',
      'YAML file with these flags as keys (server, authtoken, ca, domain, label, metadata)',
    )
    .option('--json', 'one JSON object a line instead of text')
    .option('--quiet', 'do not print requests')
    .addHelpText('after', HELP)
    .action((upstream: string, flags: HttpFlags) => http(upstream, flags));
  const api = program.command('api').description('manage the resources of a server through its API');
  // Hundreds of commands, which nobody else has to wait for.
  if (argv.includes('api')) {
    const { addApiCommands } = await import('./api/command.ts');
    addApiCommands(api, argv, process.exit);
  }
  return program;
}

const HELP = `
UNDERPASS_SERVER, UNDERPASS_AUTHTOKEN and UNDERPASS_CA stand in for their flags. Flags win, then variables, then
the file. Where a daemon keeps ./data/bootstrap.json, server, authtoken and CA come from there.`;

function add(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

async function http(upstreamText: string, flags: HttpFlags): Promise<void> {
  const upstream = parseUpstream(upstreamText);
  const settings = readSettings(flags, process.env, process.cwd());
  parseServer(settings.server);
  const isJson = flags.json === true;
  const out = new LinePrinter(process.stdout, isJson ? JsonReport.leftOutLine : PeopleReport.leftOutLine);
  const errors = new LinePrinter(process.stderr, PeopleReport.leftOutLine);
  const report = isJson ? new JsonReport(out, upstream.text) : peopleReport(out, errors, upstream, settings);
  const code = await runHttp({ upstream, settings, report, quiet: flags.quiet === true }, untilSignal());
  await Promise.all([out.flush(FLUSH_MS), errors.flush(FLUSH_MS)]);
  process.exit(code);
}

function peopleReport(out: LinePrinter, errors: LinePrinter, upstream: Upstream, settings: Settings): Report {
  return new PeopleReport({
    out,
    errors,
    server: settings.server,
    forwardsTo: upstream.text,
    colours: process.stdout.isTTY === true && !process.env.NO_COLOR,
    now: Date.now,
  });
}

/** Aborts at the first SIGINT or SIGTERM; the second ends the process at once. */
function untilSignal(): AbortSignal {
  const controller = new AbortController();
  const numbers = { SIGINT: 2, SIGTERM: 15 } as const;
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(128 + numbers[name]);
      controller.abort();
    });
  }
  return controller.signal;
}

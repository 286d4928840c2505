/**
 * The `underpass` command. Exit codes: 0 ended as asked, 1 refused, 2 used wrongly. Never that a command does its work here:
 * that is in run-*.ts and api/.
 */
import { Command, CommanderError } from 'commander';
import { InvalidInput, parseServer, parseTcpUpstream, parseUpstream, type Upstream } from './address.ts';
import { LinePrinter } from './lines.ts';
import { printableMessage } from './printable.ts';
import type { Report } from './report.ts';
import { JsonReport } from './report-json.ts';
import { PeopleReport } from './report-people.ts';
import type { TunnelRun } from './run-tunnel.ts';
import { type Flags, readSettings, type Settings } from './settings.ts';
import { readText } from './text-file.ts';
import { agentVersion } from './version.ts';

const FLUSH_MS = 500;
const USAGE = 2;

interface TunnelFlags extends Flags {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly terminate?: boolean;
  readonly certificate?: string;
  readonly key?: string;
  readonly proxyProtocol?: string;
  readonly scheme?: string;
  readonly upstreamProtocol?: string;
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
  const http = program
    .command('http')
    .description('forward public HTTPS requests to a local HTTP server')
    .argument('<upstream>', 'where it listens: 3000, host:3000, http://host:3000 or https://host')
    .option('--domain <name>', 'hostname to bind; without it the server picks one')
    .option('--scheme <http|https>', 'what visitors speak: https, or http where the server has a port for it')
    .option(
      '--upstream-protocol <http1|http2>',
      'what the local server speaks; http2 for gRPC, without requests printed',
    )
    .option('--quiet', 'do not print requests');
  const tls = program
    .command('tls')
    .description('forward public TLS connections to a local server, which ends TLS unless told otherwise')
    .argument('<upstream>', 'where it listens: 8443 or host:8443')
    .option('--domain <name>', 'hostname to bind; without it the server picks one')
    .option('--terminate', 'the server ends TLS, with a certificate of its own')
    .option('--certificate <file>', 'PEM of the certificate with which the server is to end TLS')
    .option('--key <file>', 'PEM of its private key');
  const tcp = program
    .command('tcp')
    .description('forward connections to a public TCP port to a local server')
    .argument('<upstream>', 'where it listens: 5432 or host:5432')
    .option('--address <host:port>', 'reserved address to bind; without it the server picks a free port');
  for (const [proto, one] of [
    ['http', http],
    ['tls', tls],
    ['tcp', tcp],
  ] as const) {
    withCommonOptions(one).action((upstream: string, flags: TunnelFlags) => tunnel(proto, upstream, flags));
  }
  const api = program.command('api').description('manage the resources of a server through its API');
  // Hundreds of commands, which nobody else has to wait for.
  if (argv.includes('api')) {
    const { addApiCommands } = await import('./api/command.ts');
    addApiCommands(api, argv, process.exit);
  }
  return program;
}

function withCommonOptions(one: Command): Command {
  return one
    .option('--server <host:port>', 'address of the server for agents')
    .option('--authtoken <token>', 'token of a tunnel credential')
    .option('--ca <file>', "PEM of the authority that signed the server's certificate")
    .option(
      '--label <key=value>',
      'join the tunnel groups with this label instead of having a URL; repeatable',
      add,
    )
    .option(
      '--proxy-protocol <1|2>',
      "begin each connection with its visitor's address, in the PROXY protocol",
    )
    .option('--metadata <text>', 'free text, shown with the tunnel in the API')
    .option(
      '--config <file>',
      'YAML file with these flags as keys (server, authtoken, ca, domain, address, label, metadata)',
    )
    .option('--json', 'one JSON object a line instead of text')
    .addHelpText('after', HELP);
}

const HELP = `
UNDERPASS_SERVER, UNDERPASS_AUTHTOKEN and UNDERPASS_CA stand in for their flags. Flags win, then variables, then
the file. Where a daemon keeps ./data/bootstrap.json, server, authtoken and CA come from there.`;

function add(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

async function tunnel(proto: TunnelRun['proto'], upstreamText: string, flags: TunnelFlags): Promise<void> {
  const upstream = proto === 'http' ? parseUpstream(upstreamText) : parseTcpUpstream(upstreamText);
  const settings = readSettings(flags, process.env, process.cwd());
  refuseMisfit(proto, settings);
  const termination = readTermination(flags);
  const proxyProtocol = readProxyProtocol(flags);
  const scheme = readScheme(flags);
  const upstreamProtocol = readUpstreamProtocol(flags);
  parseServer(settings.server);
  const isJson = flags.json === true;
  const out = new LinePrinter(process.stdout, isJson ? JsonReport.leftOutLine : PeopleReport.leftOutLine);
  const errors = new LinePrinter(process.stderr, PeopleReport.leftOutLine);
  const report = isJson ? new JsonReport(out, upstream.text) : peopleReport(out, errors, upstream, settings);
  const run: TunnelRun = {
    ...{ proto, upstream, settings, report, quiet: flags.quiet === true },
    ...(termination === undefined ? {} : { termination }),
    ...(proxyProtocol === undefined ? {} : { proxyProtocol }),
    ...(scheme === undefined ? {} : { scheme }),
    ...(upstreamProtocol === undefined ? {} : { upstreamProtocol }),
  };
  // Commands of the API do without it.
  const { runTunnel } = await import('./run-tunnel.ts');
  const code = await runTunnel(run, untilSignal());
  await Promise.all([out.flush(FLUSH_MS), errors.flush(FLUSH_MS)]);
  process.exit(code);
}

/** The config file may be of a tunnel of another kind. */
function refuseMisfit(proto: TunnelRun['proto'], { domain, address }: Settings): void {
  if (proto === 'tcp' && domain !== undefined)
    throw new InvalidInput(
      'A TCP tunnel has an address and no domain. Give --address HOST:PORT, or neither.',
    );
  if (proto !== 'tcp' && address !== undefined)
    throw new InvalidInput('Only a TCP tunnel has an address. Give --domain NAME, or neither.');
}

/** Undefined: TLS passes through. Throws InvalidInput. */
function readTermination({ terminate, certificate, key }: TunnelFlags): TunnelRun['termination'] {
  if ((certificate === undefined) !== (key === undefined))
    throw new InvalidInput(
      'A certificate needs its private key. Give both --certificate FILE and --key FILE.',
    );
  if (certificate !== undefined && key !== undefined) {
    return {
      certificate: readText(certificate, 'The certificate file'),
      key: readText(key, 'The key file'),
    };
  }
  return terminate === true ? {} : undefined;
}

/** Throws InvalidInput. */
function readProxyProtocol({ proxyProtocol, label }: TunnelFlags): TunnelRun['proxyProtocol'] {
  if (proxyProtocol === undefined) return undefined;
  if (label !== undefined)
    throw new InvalidInput(
      'A labelled tunnel has no PROXY protocol. Give one of --label and --proxy-protocol.',
    );
  if (proxyProtocol !== '1' && proxyProtocol !== '2')
    throw new InvalidInput('The PROXY protocol has the versions 1 and 2. Give one of them.');
  return proxyProtocol === '1' ? 1 : 2;
}

/** Throws InvalidInput. */
function readScheme({ scheme, label }: TunnelFlags): TunnelRun['scheme'] {
  if (scheme === undefined) return undefined;
  if (label !== undefined)
    throw new InvalidInput('A labelled tunnel has no URL. Give one of --label and --scheme.');
  if (scheme !== 'http' && scheme !== 'https')
    throw new InvalidInput('The scheme of a URL is http or https. Give one of them.');
  return scheme;
}

/** Throws InvalidInput. */
function readUpstreamProtocol({ upstreamProtocol }: TunnelFlags): TunnelRun['upstreamProtocol'] {
  if (upstreamProtocol !== undefined && upstreamProtocol !== 'http1' && upstreamProtocol !== 'http2')
    throw new InvalidInput('A local server is spoken with in http1 or http2. Give one of them.');
  return upstreamProtocol === 'http2' ? 'http2' : undefined;
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

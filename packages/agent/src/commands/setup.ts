/**
 * Commands that configure the agent.
 * Invariant: their work is in other files, because most starts of the agent do not need them.
 */
import { resolve } from 'node:path';
import { versionText } from '@underpass/wire';
import type { Command } from 'commander';
import { defaultConfigPath } from '../config-file.ts';
import { ownVersionFacts } from '../version.ts';
import type { DashboardFlags } from './dashboard.ts';
import type { DiagnoseFlags } from './diagnose.ts';
import type { LoginFlags } from './login.ts';
import type { InstallFlags, ServiceFlags } from './service.ts';

type Exit = (code: number) => void;

/** `config` is the command of that name; `exit` is handed the code of the one that ran. */
export function addSetupCommands(program: Command, config: Command, exit: Exit): void {
  program
    .command('login')
    .description(
      'read the address of the server and a token, try them, and store them for all other commands',
    )
    .option('--server <host:port>', 'address of the server for agents')
    .option('--authtoken <token>', 'token of a tunnel credential; - reads it from stdin')
    .option('--ca <file>', "PEM of the authority that signed the server's certificate, or none")
    .option(
      '--ca-fingerprint <sha256:hex>',
      'fingerprint of that authority, which the server sends and which is stored',
    )
    .option('--config <file>', 'file to store them in; else the one that "underpass config path" names')
    .addHelpText('after', LOGIN_HELP)
    .action(async (flags: LoginFlags) => {
      const { login } = await import('./login.ts');
      exit(await login(flags));
    });
  program
    .command('diagnose')
    .description('check each step of the connection to the server, and print what to do if one fails')
    .option('--server <host:port>', 'address of the server for agents')
    .option('--authtoken <token>', 'token of a tunnel credential')
    .option('--ca <file>', "PEM of the authority that signed the server's certificate")
    .option('--ca-fingerprint <sha256:hex>', 'fingerprint of that authority, instead of its file')
    .option('--config <file>', 'YAML file with these flags as keys')
    .option('--json', 'one JSON object a line instead of text')
    .addHelpText('after', DIAGNOSE_HELP)
    .action(async (flags: DiagnoseFlags) => {
      const { runDiagnose } = await import('./diagnose.ts');
      exit(await runDiagnose(flags));
    });
  program
    .command('dashboard')
    .description('open the console of the server in a browser, signed in as the owner of the API key')
    .option('--print', 'only print the link, which signs in once')
    .option('--api-url <url>', 'where the API is; else UNDERPASS_API_URL')
    .option('--api-key <token>', 'token of an API key; else UNDERPASS_API_KEY')
    .option('--ca <file>', "PEM of the authority that signed the server's certificate; else UNDERPASS_CA")
    .option(
      '--ca-fingerprint <sha256:hex>',
      'fingerprint of that authority, instead of its file; else UNDERPASS_CA_FINGERPRINT',
    )
    .option(
      '--version-header <name>',
      'name of the version header, if the server is configured for another one than Service-Version',
    )
    .addHelpText('after', DASHBOARD_HELP)
    .action(async (flags: DashboardFlags) => {
      const { runDashboard } = await import('./dashboard.ts');
      exit(await runDashboard(flags));
    });
  program
    .command('version')
    .description('print the version, the commit, the platform and the version of Node')
    .option('--json', 'JSON instead of text')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const facts = ownVersionFacts();
      console.log(json === true ? JSON.stringify(facts) : versionText('underpass', facts));
    });
  addCompletionCommands(program);
  addServiceCommands(
    program
      .command('service')
      .description('keep the tunnels of the config file running, as a service of the system')
      .addHelpText('after', SERVICE_HELP),
    exit,
  );
  config
    .command('edit')
    .description('change it with the editor that VISUAL or EDITOR names, and check it')
    .option('--config <file>', 'YAML file; else the one that "underpass config path" names')
    .action(async (flags: { readonly config?: string }) => {
      const { editConfig } = await import('./edit-config.ts');
      exit(await editConfig(resolve(flags.config ?? defaultConfigPath(process.env))));
    });
}

function addCompletionCommands(program: Command): void {
  program
    .command('completion')
    .description('print a script by which a shell completes commands, flags and names of tunnels')
    .argument('<bash|zsh|fish>', 'the shell')
    .addHelpText('after', COMPLETION_HELP)
    .action(async (shell: string) => {
      const { printScript } = await import('./completion.ts');
      printScript(shell);
    });
  program
    .command('complete', { hidden: true })
    .description('print the words that can come next, for its scripts')
    .argument('[words...]')
    .action(async (words: readonly string[]) => {
      const { printCandidates } = await import('./completion.ts');
      printCandidates(program, words);
    });
}

const COMPLETION_HELP = `
  source <(underpass completion bash)     in ~/.bashrc
  source <(underpass completion zsh)      in ~/.zshrc, after compinit
  underpass completion fish | source      in ~/.config/fish/config.fish`;

const OF_USER = "for root or an elevated prompt: the service of this user instead of the machine's";

function addServiceCommands(service: Command, exit: Exit): void {
  service
    .command('install')
    .description('write a service that starts the tunnels: of this user, or for root of the machine')
    .argument('[names...]', 'tunnels to start; default all')
    .option('--config <file>', 'YAML file; else the one that "underpass config path" names')
    .option('--user', OF_USER)
    .action(async (names: readonly string[], flags: InstallFlags) => {
      const { installService } = await import('./service.ts');
      exit(await installService(names, flags));
    });
  for (const [verb, description] of [
    ['start', 'start it'],
    ['stop', 'stop it until it is started again, or the next boot'],
    ['status', 'print its state, and the end of its log'],
  ] as const) {
    service
      .command(verb)
      .description(description)
      .option('--user', OF_USER)
      .action(async (flags: ServiceFlags) => {
        const { askService } = await import('./service.ts');
        exit(await askService(verb, flags));
      });
  }
  service
    .command('uninstall')
    .description('stop it, and remove the service')
    .option('--user', OF_USER)
    .action(async (flags: ServiceFlags) => {
      const { uninstallService } = await import('./service.ts');
      exit(await uninstallService(flags));
    });
  // For the task that "install" writes on Windows.
  service
    .command('run', { hidden: true })
    .description('run a command of this program, and restart it after a crash')
    .argument('<words...>', 'the command')
    .requiredOption('--log <file>', 'file that gets its output')
    .action(async (words: readonly string[], { log }: { readonly log: string }) => {
      const { runKept } = await import('../service/run-kept.ts');
      exit(await runKept(words, resolve(log)));
    });
}

const DASHBOARD_HELP = `
  underpass dashboard
  underpass dashboard --print             on a machine without a browser

Without an API key, run "underpassd console link" on the machine of the daemon.`;

const SERVICE_HELP = `
  underpass service install               all tunnels of the config file
  underpass service install web           one of them
  underpass service start`;

const LOGIN_HELP = `
Flags and UNDERPASS_SERVER, UNDERPASS_AUTHTOKEN, UNDERPASS_CA and UNDERPASS_CA_FINGERPRINT set the values. A terminal
prompts for the rest, and shows the fingerprint of an unknown authority. "underpassd ca fingerprint" prints it on the
server. Without a terminal:

  underpass login --server connect.example.com:443 --authtoken - < token
  underpass login --server connect.example.com:443 --ca-fingerprint sha256:HEX --authtoken - < token`;

const DIAGNOSE_HELP = `
The order of the steps: proxies, DNS, TCP, TLS and the certificate, the clock, the agent protocol, the token. Exits
with 1 if one failed.`;

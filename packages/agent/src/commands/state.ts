/** `underpass status` and `underpass logs`: the state and the requests of an account. */
import type { Command } from 'commander';
import { addConnectionFlags } from '../api/connection-flags.ts';
import type { LogsFlags } from '../api/logs.ts';
import type { StatusFlags } from '../api/status.ts';

/** `exit` gets the exit code: 0, or 1 if the API refuses. */
export function addStateCommands(program: Command, exit: (code: number) => void): void {
  const status = program
    .command('status')
    .description('print the warnings of the account with their remedies, then counts and figures of traffic')
    .option('--watch', 'refresh every two seconds until Ctrl-C')
    .option('--json', 'JSON instead of text');
  addConnectionFlags(status);
  status.addHelpText('after', STATUS_HELP);
  status.action(async (flags: StatusFlags) => {
    const { runStatus } = await import('../api/status.ts');
    exit(await runStatus(flags));
  });
  const logs = program
    .command('logs')
    .description('print the last requests of visitors, oldest first')
    .option('--follow', 'go on with each request as it ends, until Ctrl-C')
    .option('--filter <conditions>', 'selects requests by their fields')
    .option('--limit <count>', 'requests to begin with, from 0 to 100; default 20')
    .option('--json', 'one JSON object a line instead of text');
  addConnectionFlags(logs);
  logs.addHelpText('after', LOGS_HELP);
  logs.action(async (flags: LogsFlags) => {
    const { runLogs } = await import('../api/logs.ts');
    exit(await runLogs(flags));
  });
}

const STATUS_HELP = `
  underpass status
  underpass status --watch
  underpass status --json

Flags of the connection are those of "underpass api".`;

const LOGS_HELP = `
  underpass logs
  underpass logs --follow
  underpass logs --follow --filter 'status_code >= 500'

Failures are always recorded, and all requests while --follow runs. Flags of the connection are those of "underpass api".`;

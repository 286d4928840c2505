/** `underpass explain`: prints why the edge serves or refuses a request, step by step. */
import type { Command } from 'commander';
import { addConnectionFlags } from '../api/connection-flags.ts';
import { describedRequest, type ExplainFlags } from '../api/described-request.ts';

/** `exit` gets the exit code: 0 for an explanation, 1 if the API refuses or the result is not the expected one. */
export function addExplainCommand(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('explain')
    .description('print why the server serves or refuses a request, without sending it')
    .argument('<url>', 'https://name/path, http://..., tls://name, tcp://host:port or host:port')
    .requiredOption('--from <ip>', 'IP address of the visitor')
    .option('-X, --request <method>', 'method of the request; default GET')
    .option('-H, --header <name: value>', 'header field of the request; repeatable', collect)
    .option('--client-certificate <file>', 'PEM of the visitor, followed by those up to an authority')
    .option('--without <module>', 'count a module as passed, such as ip_restriction; repeatable', collect)
    .option(
      '--expect <result>',
      'exit with 1 unless this is the outcome, the status code or the error code; repeatable',
      collect,
    )
    .option('--json', 'JSON instead of text');
  addConnectionFlags(command);
  command.addHelpText('after', HELP);
  command.action(async (url: string, flags: ExplainFlags) => {
    const described = describedRequest(url, flags, process.cwd());
    const { runExplain } = await import('../api/explain.ts');
    exit(await runExplain(described, flags));
  });
}

const HELP = `
  underpass explain https://app.example.com/admin --from 203.0.113.9
  underpass explain https://app.example.com/admin --from 203.0.113.9 --expect 403

The key may be that of a viewer. Flags of the connection are those of "underpass api".`;

function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

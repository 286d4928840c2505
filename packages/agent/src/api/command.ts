/**
 * `underpass api <resource> <verb>`: a command for everything that the management API can be asked to do. Never that a flag
 * has a meaning here: what they mean is in body.ts and settings.ts, what is done in run.ts.
 */
import { type ResourceTable, resourceTables, type VerbTable } from '@underpass/client/operations';
import type { Command } from 'commander';
import { InvalidInput } from '../address.ts';
import { bodyOf } from './body.ts';
import { fieldOption } from './field-option.ts';
import { kebab } from './names.ts';
import { runVerb, type VerbFlags } from './run.ts';

type Exit = (code: number) => void;

/** Fills the command with those that `argv` can mean; `exit` is handed the code of the one that ran. */
export function addApiCommands(api: Command, argv: readonly string[], exit: Exit): void {
  api.showHelpAfterError('Try the same with --help.');
  api.configureHelp({ subcommandTerm: termOf });
  api.addHelpText('after', CONNECTION_HELP);
  addListing(api, 'resource', resourceTables);
  for (const resource of resourceTables) {
    const name = kebab(resource.name);
    const command = api.command(name).description(resource.summary);
    if (!argv.includes(name)) continue;
    addListing(command, 'verb', resource.verbs);
    for (const verb of resource.verbs) addVerb(command, resource, verb, exit);
  }
}

/** The name and the arguments that it needs: every command takes flags, and nearly the same ones. */
function termOf(command: Command): string {
  const needed = command.registeredArguments.filter(({ required }) => required);
  return [command.name(), ...needed.map((argument) => `<${argument.name()}>`)].join(' ');
}

/** Makes a command that only holds others: alone it says which. */
function addListing(command: Command, what: string, held: readonly { readonly name: string }[]): void {
  command.usage(`<${what}>`).argument(`[${what}]`);
  command.action((name: string | undefined) => {
    if (name === undefined) return command.outputHelp();
    const names = held.map((it) => kebab(it.name));
    const near = names.filter((it) => it.includes(name) || name.includes(it));
    const known = (near.length === 0 ? names : near).join(', ');
    throw new InvalidInput(`There is no ${what} "${name}" here. Give one of: ${known}.`);
  });
}

function addVerb(parent: Command, resource: ResourceTable, verb: VerbTable, exit: Exit): void {
  const { summary, parameters, fields, list } = verb;
  const command = parent.command(kebab(verb.name)).description(summary);
  for (const { name, description } of parameters) command.argument(`<${name}>`, description);
  if (fields !== null) {
    command.optionsGroup('Fields:');
    for (const field of fields) command.addOption(fieldOption(field));
    command.option(
      '--data <json>',
      'all of them: JSON, @FILE or - for stdin; the other flags change single ones',
    );
    command.addHelpText('after', FIELD_HELP);
  }
  command.optionsGroup('Options:');
  if (list?.isPaged === true) {
    command.option('--limit <number>', 'how many to list, the newest first; default 100');
    command.option('--all', 'list all of them');
  }
  for (const [flag, meaning] of GENERAL_FLAGS) command.option(flag, meaning);
  command.action(async () => {
    const flags = command.opts<VerbFlags>();
    const body = fields === null ? undefined : bodyOf(fields, flags);
    exit(await runVerb({ resource, verb, ids: command.args, body, flags }));
  });
}

const GENERAL_FLAGS: readonly (readonly [flag: string, meaning: string])[] = [
  ['--json', 'what the API answered, as JSON; a list is one array'],
  ['--api-url <url>', 'where the API is; else UNDERPASS_API_URL'],
  ['--api-key <token>', 'token of an API key; else UNDERPASS_API_KEY'],
  ['--ca <file>', "PEM of the authority that signed the server's certificate; else UNDERPASS_CA"],
  ['--version-header <name>', 'for a server that was told to expect another one than Service-Version'],
];

const CONNECTION_HELP = `
UNDERPASS_API_URL, UNDERPASS_API_KEY and UNDERPASS_CA stand in for the flags of the same names. Where a daemon keeps
./data/bootstrap.json, all three come from there.`;

const FIELD_HELP = `
Lists and maps: repeat the flag, or give JSON ("[]" and "{}" are empty ones). A text that begins with @ names a file that
holds it; write @@ for an @ of its own.`;

/**
 * `underpass api <resource> <verb>`: a command for each operation of the management API, and commands on top of them.
 * The flags of fields are parsed in body.ts, those of the connection in settings.ts.
 */
import { type ResourceTable, resourceTables, type VerbTable } from '@underpass/client/operations';
import type { Command } from 'commander';
import { InvalidInput } from '../address.ts';
import { type ApplyFlags, runApply } from './apply.ts';
import { bodyOf, queryOf } from './body.ts';
import { hasKind, verbOf } from './catalogue.ts';
import { addConnectionFlags } from './connection-flags.ts';
import { type EditFlags, runEdit } from './edit.ts';
import { fieldOption } from './field-option.ts';
import { kebab } from './names.ts';
import { runVerb, type VerbFlags } from './run.ts';
import { suggestions } from './suggest.ts';

type Exit = (code: number) => void;

/** Adds the subcommands that `argv` can mean; `exit` gets the exit code of the one that ran. */
export function addApiCommands(api: Command, argv: readonly string[], exit: Exit): void {
  api.showHelpAfterError('Try the same with --help.');
  api.configureHelp({ subcommandTerm: termOf });
  api.addHelpText('after', CONNECTION_HELP);
  for (const resource of resourceTables) {
    const name = kebab(resource.name);
    const command = api.command(name).description(resource.summary);
    if (!argv.includes(name)) continue;
    for (const verb of resource.verbs) addVerb(command, resource, verb, exit);
    addEdit(command, resource, exit);
    addListing(
      command,
      'verb',
      command.commands.map((it) => it.name()),
    );
  }
  addApply(api, exit);
  addListing(
    api,
    'resource',
    resourceTables.map(({ name }) => kebab(name)),
  );
}

/** The name and the arguments that it needs: every command takes flags, and nearly the same ones. */
function termOf(command: Command): string {
  const needed = command.registeredArguments.filter(({ required }) => required);
  return [command.name(), ...needed.map((argument) => `<${argument.name()}>`)].join(' ');
}

/** Makes a command that only holds others: alone it lists them. */
function addListing(command: Command, what: string, names: readonly string[]): void {
  command.usage(`<${what}>`).argument(`[${what}]`);
  // The arguments that follow belong to the intended command. Commands that are added later would inherit this.
  command.allowExcessArguments().allowUnknownOption();
  command.action((name: string | undefined) => {
    if (name === undefined || name === 'help') return command.outputHelp();
    throw new InvalidInput(`There is no ${what} "${name}" here. ${advice(name, names)}`);
  });
}

function advice(name: string, names: readonly string[]): string {
  const near = suggestions(name, names);
  if (near.length === 0) return `Give one of: ${names.join(', ')}.`;
  return `Did you mean ${near.map((it) => `"${it}"`).join(' or ')}?`;
}

function addVerb(parent: Command, resource: ResourceTable, verb: VerbTable, exit: Exit): void {
  const { summary, parameters, query, fields, list } = verb;
  const command = parent.command(kebab(verb.name)).description(summary);
  for (const { name, description } of parameters) command.argument(`<${name}>`, description);
  if (query !== undefined) {
    command.optionsGroup('Parameters:');
    for (const field of query) command.addOption(fieldOption(field));
  }
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
  if (list?.isSelected === true) {
    command.option('--filter <terms>', FILTER_HELP);
    command.option('-q, --query <text>', 'list those with this text in an id, name, address or description');
  }
  if (isReading(verb)) command.option('--watch', 'show it again and again until Ctrl-C');
  command.option('--json', 'what the API answered, as JSON; a list is one array');
  addConnectionFlags(command);
  if (parameters.some(({ refersTo }) => refersTo !== undefined)) command.addHelpText('after', NAME_HELP);
  command.action(async () => {
    const flags = command.opts<VerbFlags>();
    const body = fields === null ? undefined : bodyOf(fields, flags);
    const values = { ...selectionOf(verb, flags), ...(query === undefined ? {} : queryOf(query, flags)) };
    exit(await runVerb({ resource, verb, args: command.args, body, query: values, flags }));
  });
}

/** The parameters that select resources of a list. */
function selectionOf({ list }: VerbTable, { filter, query }: VerbFlags): Record<string, unknown> {
  return list?.isSelected === true ? { filter, q: query } : {};
}

/** Adds `edit` to resources with changeable fields. */
function addEdit(parent: Command, resource: ResourceTable, exit: Exit): void {
  const [get, update] = [verbOf(resource, 'get'), verbOf(resource, 'update')];
  if (get === null || update === null || (update.fields ?? []).length === 0 || !hasKind(resource)) return;
  const command = parent.command('edit').description(`Change ${resource.kind.one} in an editor`);
  for (const { name, description } of get.parameters) command.argument(`<${name}>`, description);
  command.option('--json', 'as JSON instead of YAML');
  addConnectionFlags(command);
  command.addHelpText('after', NAME_HELP).addHelpText('after', EDIT_HELP);
  command.action(async () => exit(await runEdit(resource, command.args, command.opts<EditFlags>())));
}

function addApply(api: Command, exit: Exit): void {
  const command = api
    .command('apply')
    .description('make the resources as documents in YAML or JSON describe them')
    .requiredOption('-f, --file <file>', 'a file of documents, or - for stdin; repeatable', collect)
    .option('--yes', 'do not ask')
    .option('--dry-run', 'only show the differences')
    .option('--send-secrets', 'send secrets again, which cannot be compared');
  addConnectionFlags(command);
  command.addHelpText('after', APPLY_HELP);
  command.action(async () => exit(await runApply(command.opts<ApplyFlags>())));
}

function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

function isReading({ name }: VerbTable): boolean {
  return name === 'list' || name === 'usedBy' || name === 'status' || /^get([A-Z]|$)/.test(name);
}

const FILTER_HELP =
  'list those that match, such as \'created_at >= 2026-01-31 and description contains "shop"\'';

const CONNECTION_HELP = `
  underpass api reserved-domains list --watch        show the domains until Ctrl-C
  underpass api tls-edges list -q shop               the edges with this text
  underpass api tls-edges get shop.example.com       a name serves as an id
  underpass api tls-edges edit shop.example.com      change its fields in an editor
  underpass api apply -f shop.yaml                   make resources as a file describes them

The defaults of these flags are UNDERPASS_API_URL, UNDERPASS_API_KEY, UNDERPASS_CA and UNDERPASS_CA_FINGERPRINT. If
neither flags nor variables set them, and a daemon keeps ./data/bootstrap.json, they come from there.`;

const FIELD_HELP = `
Lists and maps: repeat the flag, or give JSON ("[]" and "{}" are empty ones). A text that begins with @ names a file that
holds it; write @@ for an @ of its own.`;

const NAME_HELP = `
A name may stand for an id: a domain, hostport, address, labels (app=shop) or description that one resource alone has.`;

const APPLY_HELP = `
Each document names its kind, and its fields as "create" has them. References may be names. The resource is found by its
id, or else by the first of name, domain, hostports, match, description, labels, address and cidr that the document has:

  kind: tunnel-group-backend
  labels: {app: shop}
  ---
  kind: reserved-domain
  name: shop
  ---
  kind: tls-edge
  hostports: [shop.example.com:443]
  backend: {backend_id: app=shop}
  tls_termination: {terminate_at: edge}

A field that is left out stays as it is; null takes a module off. Secrets are not shown by the API and not compared.

  underpass api apply -f shop.yaml --dry-run    show the differences
  underpass api apply -f shop.yaml --yes        make the changes without a question`;

const EDIT_HELP = `
The editor is the one in VISUAL or EDITOR, else vi. Fields that were changed are sent; secrets are not shown, and null
takes a module off. What the API refuses stays in a file that is named.`;

/**
 * The parsed invocation of the program.
 * Invariant: a bad command line starts nothing.
 */
import { resolve } from 'node:path';
import { parseId } from '../core/id.ts';
import type { OperatorRequest, RestartRequest } from '../operator/requests.ts';
import type { RestorePlan } from '../operator/restore.ts';
import type { Place } from '../operator/run.ts';
import type { Database } from '../store/databases/database.ts';
import { type CommandName, parseCommand } from './commands.ts';
import { type Config, toConfig, toDatabase, toDataDir, toPlace } from './config.ts';
import { inheritedSockets } from './inherited.ts';
import { ConfigError, readValues, type Values } from './options.ts';
import { wholeNumber } from './whole-number.ts';
import { forWorker, type WorkerFacts } from './worker-facts.ts';

export type Invocation =
  | { readonly kind: 'serve'; readonly values: Values; readonly config: Config }
  | {
      readonly kind: 'operate';
      readonly place: Place;
      readonly request: OperatorRequest;
      readonly json: boolean;
    }
  | {
      readonly kind: 'restart-workers';
      readonly dataDir: string;
      readonly request: RestartRequest;
      readonly json: boolean;
    }
  | { readonly kind: 'ca-fingerprint'; readonly dataDir: string; readonly json: boolean }
  | { readonly kind: 'version'; readonly json: boolean }
  /** `flags`: those of the command line alone. */
  | { readonly kind: 'setup'; readonly flags: Values }
  | { readonly kind: 'copy'; readonly from: Database; readonly to: Database }
  | { readonly kind: 'restore'; readonly plan: RestorePlan };

/**
 * Throws ConfigError for anything unknown or bad, HelpShown after `--help` or `--version`. `worker`: the facts of a
 * process that a supervisor started.
 */
export function readInvocation(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  version: string,
  worker: WorkerFacts | null = null,
): Invocation {
  const { command, flags, argument } = parseCommand(argv, version);
  if (command === 'version') return { kind: 'version', json: flags.has('json') };
  if (command === 'setup') return { kind: 'setup', flags };
  const values = worker === null ? readValues(flags, env) : new Map(worker.values);
  if (command === 'serve') {
    const config = toConfig(values, worker?.sockets ?? inheritedSockets(env, process.pid));
    return { kind: 'serve', values, config: worker === null ? config : forWorker(config, worker) };
  }
  if (command === 'copy') {
    const at = (flag: string): Database => toDatabase(flag, flags.get(flag)?.[0] ?? '', toDataDir(values));
    return { kind: 'copy', from: at('from'), to: at('to') };
  }
  if (command === 'workers restart') {
    const worker = wholeNumber(flags, 'worker', null, { first: 1, last: 65 });
    const request = { operation: 'restart-workers', worker } as const;
    return { kind: 'restart-workers', dataDir: toDataDir(values), request, json: flags.has('json') };
  }
  if (command === 'ca fingerprint')
    return { kind: 'ca-fingerprint', dataDir: toDataDir(values), json: flags.has('json') };
  const place = toPlace(values);
  if (command === 'restore') return { kind: 'restore', plan: { ...place, directory: resolve(argument) } };
  const request = toRequest(command, flags, argument, place);
  return { kind: 'operate', place, request, json: flags.has('json') };
}

/** Commands with invocations of their own kind. */
type OwnKind = 'serve' | 'setup' | 'workers restart' | 'copy' | 'restore' | 'ca fingerprint' | 'version';

function toRequest(
  command: Exclude<CommandName, OwnKind>,
  flags: Values,
  argument: string,
  { dataDir }: Place,
): OperatorRequest {
  const text = (flag: string): string => flags.get(flag)?.[0] ?? '';
  switch (command) {
    case 'account create':
      return { operation: 'create-account', name: text('name'), email: emailAddress(text('email')) };
    case 'account list':
      return { operation: 'list-accounts' };
    case 'key create':
      return {
        operation: 'create-key',
        account: idOf('ac', text('account'), '--account'),
        owner: flags.has('owner') ? text('owner') : null,
        description: text('description'),
      };
    case 'key revoke':
      return {
        operation: 'revoke-key',
        key: idOf('ak', argument, 'the key'),
        account: flags.has('account') ? idOf('ac', text('account'), '--account') : null,
      };
    case 'backup':
      return { operation: 'backup', directory: resolve(argument) };
    case 'rotate-master-key':
      return { operation: 'rotate-master-key' };
    case 'nodes':
      return { operation: 'list-nodes' };
    case 'nodes drain':
      return {
        operation: 'drain-node',
        node: argument,
        drains: !flags.has('undo'),
        isForced: flags.has('force'),
      };
    case 'console link':
      return {
        operation: 'console-link',
        account: flags.has('account') ? idOf('ac', text('account'), '--account') : null,
        user: flags.has('user') ? idOf('usr', text('user'), '--user') : null,
        dataDir,
      };
    case 'restriction lift':
      return { operation: 'lift-restriction', account: idOf('ac', text('account'), '--account') };
  }
}

const idSources = {
  ac: 'underpassd account list prints them',
  usr: 'GET /users lists them',
  ak: 'GET /api_keys lists them, and events name the key of a change',
};

function idOf(prefix: keyof typeof idSources, text: string, what: string): string {
  if (parseId(text)?.prefix === prefix) return text;
  throw new ConfigError(
    `${what} ${text}: must be an id of the form ${prefix}_ and 27 letters and digits; ${idSources[prefix]}`,
  );
}

function emailAddress(text: string): string {
  if (text === '' || /^[^\s@]+@[^\s@]+$/.test(text)) return text;
  throw new ConfigError(`--email ${text}: must be an e-mail address, for example ada@example.com`);
}

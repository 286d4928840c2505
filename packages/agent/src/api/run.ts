/** Runs one operation of the management API and prints what came back. */
import type { ResourceTable, VerbTable } from '@underpass/client/operations';
import { InvalidInput } from '../address.ts';
import { withBackends } from './backends.ts';
import { joinLine } from './join-line.ts';
import { jsonText } from './json.ts';
import { resolveArguments, resolveBody, resolveIn } from './lookup.ts';
import { recordText } from './record.ts';
import { Resources, type Row } from './resources.ts';
import { withApi } from './session.ts';
import type { ApiFlags } from './settings.ts';
import { tableLines, tableText } from './table.ts';
import { type View, watch } from './watch.ts';
import { writeAll } from './write-all.ts';

export interface VerbFlags extends ApiFlags, Readonly<Record<string, unknown>> {
  readonly data?: string;
  readonly json?: boolean;
  readonly limit?: string;
  readonly filter?: string;
  readonly query?: string;
  readonly all?: boolean;
  readonly watch?: boolean;
}

export interface Invocation {
  readonly resource: ResourceTable;
  readonly verb: VerbTable;
  readonly args: readonly string[];
  readonly body: Record<string, unknown> | undefined;
  /** Parameters of the query. */
  readonly query: Record<string, unknown>;
  readonly flags: VerbFlags;
}

const PAGE = 100;

/**
 * Sends the request, prints the result, and returns the exit code: 0, or 1 with the reason on stderr. Throws
 * InvalidInput.
 */
export async function runVerb(invocation: Invocation): Promise<number> {
  const { args, flags, verb } = invocation;
  const limit = verb.list === null ? 0 : limitOf(flags);
  if (args.includes('')) throw new InvalidInput('An id is empty. Give the whole id.');
  if (flags.watch === true) return watch(flags, (resources) => viewOf(resources, invocation, limit));
  return withApi(flags, async (client) => {
    const resources = new Resources(client);
    const ids = await resolveArguments(resources, verb, args);
    const text =
      verb.list === null
        ? await one(resources, invocation, ids)
        : await several(resources, invocation, ids, limit);
    await writeAll(process.stdout, text);
    if (flags.json === true || process.stdout.isTTY !== true) return 0;
    await writeAll(process.stdout, await joinLine(client, invocation.resource, verb));
    return 0;
  });
}

/** 0 for all of them. */
function limitOf({ limit, all }: VerbFlags): number {
  if (all === true && limit !== undefined) throw new InvalidInput('Give one of --limit and --all.');
  if (all === true) return 0;
  if (limit === undefined) return PAGE;
  if (!/^[1-9]\d{0,8}$/.test(limit))
    throw new InvalidInput(`--limit "${limit}" is not a whole number from 1 up.`);
  return Number(limit);
}

async function one(
  resources: Resources,
  { resource, verb, body, query, flags }: Invocation,
  ids: readonly string[],
): Promise<string> {
  const resolved =
    body === undefined ? body : await resolveBody(resolveIn(resources), verb.fields ?? [], body);
  const result = await resources.call(resource, verb, ids, resolved, query);
  if (result === undefined) return '';
  return flags.json === true ? jsonText(result) : recordText(result);
}

async function several(
  resources: Resources,
  { resource, verb, query, flags }: Invocation,
  ids: readonly string[],
  limit: number,
): Promise<string> {
  const { rows, isCut } = await resources.list(resource, verb, ids, limit, query);
  if (isCut) process.stderr.write(`The newest ${limit} of more; --limit and --all show others.\n`);
  if (flags.json === true) return jsonText(rows);
  if (rows.length === 0) process.stderr.write('The list is empty.\n');
  const shown = await withBackends(resources, rows);
  return tableText(shown, process.stdout.isTTY === true ? process.stdout.columns : null, Date.now());
}

/** A list or a resource that is read again and again. */
function viewOf(
  resources: Resources,
  { resource, verb, args, query, flags }: Invocation,
  limit: number,
): View {
  if (verb.list !== null) {
    return {
      read: async () => {
        const ids = await resolveArguments(resources, verb, args);
        const { rows } = await resources.list(resource, verb, ids, limit, query);
        return flags.json === true ? rows : withBackends(resources, rows);
      },
      lines: tableLines,
      isRecord: false,
    };
  }
  return {
    read: async () => {
      const ids = await resolveArguments(resources, verb, args);
      const item = await resources.call(resource, verb, ids, undefined, query);
      return item === undefined ? [] : [item];
    },
    lines: (rows: readonly Row[]) => rows.flatMap((row) => recordText(row).trimEnd().split('\n')),
    isRecord: true,
  };
}

/** Runs one operation of the management API and prints what came back. */
import { ApiError, Client, ClientError, type Retry } from '@underpass/client';
import type { ResourceTable, VerbTable } from '@underpass/client/operations';
import { InvalidInput } from '../address.ts';
import { printableMessage } from '../printable.ts';
import { jsonText } from './json.ts';
import { recordText } from './record.ts';
import { type ApiFlags, readApiSettings } from './settings.ts';
import { tableText } from './table.ts';
import { writeAll } from './write-all.ts';

export interface VerbFlags extends ApiFlags, Readonly<Record<string, unknown>> {
  readonly data?: string;
  readonly json?: boolean;
  readonly limit?: string;
  readonly all?: boolean;
}

export interface Invocation {
  readonly resource: ResourceTable;
  readonly verb: VerbTable;
  readonly ids: readonly string[];
  readonly body: Record<string, unknown> | undefined;
  readonly flags: VerbFlags;
}

type Row = Readonly<Record<string, unknown>>;
/** A client whose methods go by the names of the table. */
type NamedClient = Readonly<
  Record<string, Readonly<Record<string, (...args: readonly unknown[]) => unknown>>>
>;

const PAGE = 100;
const NOTICEABLE_MS = 1000;

/** Does it, prints what came of it, and answers the exit code: 0, or 1 with the reason on stderr. Throws InvalidInput. */
export async function runVerb(invocation: Invocation): Promise<number> {
  const { ids, flags, verb } = invocation;
  const limit = verb.list === null ? 0 : limitOf(flags);
  if (ids.includes('')) throw new InvalidInput('An id is empty. Give the whole id.');
  const client = clientOf(flags);
  try {
    const text =
      verb.list === null ? await one(client, invocation) : await several(client, invocation, limit);
    await writeAll(process.stdout, text);
    return 0;
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    await writeAll(process.stderr, `${errorLines(error).join('\n')}\n`);
    return 1;
  } finally {
    client.close();
  }
}

function clientOf(flags: VerbFlags): Client {
  const settings = readApiSettings(flags, process.env, process.cwd());
  try {
    return new Client({ ...settings, onRetry });
  } catch (error) {
    if (error instanceof TypeError) throw new InvalidInput(error.message);
    throw error;
  }
}

function onRetry({ error, delayMs }: Retry): void {
  if (delayMs < NOTICEABLE_MS) return;
  process.stderr.write(
    `underpass: ${printableMessage(error.message)} (next try in ${Math.ceil(delayMs / 1000)} s)\n`,
  );
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

function call(
  client: Client,
  { resource, verb, ids, body }: Invocation,
  ...more: readonly unknown[]
): unknown {
  const methods = (client as unknown as NamedClient)[resource.name];
  return methods?.[verb.name]?.(...ids, ...(body === undefined ? [] : [body]), ...more);
}

async function one(client: Client, invocation: Invocation): Promise<string> {
  const result = (await call(client, invocation)) as Row | undefined;
  if (result === undefined) return '';
  return invocation.flags.json === true ? jsonText(result) : recordText(result);
}

async function several(client: Client, invocation: Invocation, limit: number): Promise<string> {
  const { verb, flags } = invocation;
  const paging = verb.list?.isPaged === true ? [{ limit: limit === 0 ? PAGE : Math.min(limit, PAGE) }] : [];
  const listing = call(client, invocation, ...paging) as { pages(): AsyncIterable<Row> };
  const rows: Row[] = [];
  let isMore = false;
  for await (const page of listing.pages()) {
    rows.push(...(page[verb.list?.key ?? ''] as readonly Row[]));
    isMore = typeof page.next_page_uri === 'string' || rows.length > limit;
    if (limit !== 0 && rows.length >= limit) break;
  }
  const isCut = limit !== 0 && isMore && verb.list?.isPaged === true;
  if (isCut) process.stderr.write(`The newest ${limit} of more; --limit and --all show others.\n`);
  const shown = isCut ? rows.slice(0, limit) : rows;
  if (flags.json === true) return jsonText(shown);
  return tableText(shown, process.stdout.isTTY === true ? process.stdout.columns : null);
}

function errorLines(error: ClientError): string[] {
  const message = `underpass: ${printableMessage(error.message)}`;
  if (!(error instanceof ApiError)) return [message];
  const facts = { code: `${error.code} (HTTP ${error.status})`, ...error.details };
  return [
    message,
    ...Object.entries(facts).map(([name, value]) => `  ${printableMessage(`${name}: ${value}`)}`),
  ];
}

/** `underpass logs`: prints requests of visitors, and follows them. */
import type { Client, TrafficRequest } from '@underpass/client';
import { InvalidInput } from '../address.ts';
import { printable } from '../printable.ts';
import { clockText, colourOf, durationText, RESET, takesColours } from '../terminal-text.ts';
import { withApi } from './session.ts';
import type { ApiFlags } from './settings.ts';
import { untilInterrupt } from './until-interrupt.ts';
import { writeAll } from './write-all.ts';

export interface LogsFlags extends ApiFlags {
  readonly follow?: boolean;
  readonly filter?: string;
  readonly limit?: string;
  readonly json?: boolean;
}

/** Resolves with the exit code. Throws InvalidInput. */
export async function runLogs(flags: LogsFlags): Promise<number> {
  const limit = limitOf(flags);
  return await withApi(flags, async (client) => {
    if (flags.follow === true) return await untilInterrupt((signal) => follow(client, flags, limit, signal));
    const requests = await last(client, flags, limit);
    await print(requests, flags);
    if (requests.length === 0 && limit > 0) await note(noneText(flags), flags);
    return 0;
  });
}

/** Raises InvalidInput. */
function limitOf({ limit = '20' }: LogsFlags): number {
  if (!/^(?:\d{1,2}|100)$/.test(limit))
    throw new InvalidInput(`--limit "${limit}" is not a whole number from 0 to 100.`);
  return Number(limit);
}

/** Returns the last requests, oldest first. */
async function last(
  client: Client,
  { filter }: LogsFlags,
  limit: number,
  signal?: AbortSignal,
): Promise<readonly TrafficRequest[]> {
  if (limit === 0) return [];
  const selected = filter === undefined ? {} : { filter };
  const { requests } = await client.trafficRequests.list({ limit, ...selected, signal }).page();
  return requests.toReversed();
}

/** The stream is open before the list is read, so that no request is between them. */
async function follow(client: Client, flags: LogsFlags, limit: number, signal: AbortSignal): Promise<number> {
  const printed = new Set<string>();
  let isFirst = true;
  const { filter } = flags;
  for await (const { event, data } of client.stream({ topics: ['traffic'], filter }, { signal })) {
    if (event === 'ready' && isFirst) {
      isFirst = false;
      const requests = await last(client, flags, limit, signal);
      for (const { id } of requests) printed.add(id);
      await print(requests, flags);
      if (requests.length === 0) await note('Waiting for requests, until Ctrl-C.', flags);
    } else if (event === 'traffic' && !printed.has(data.id)) await print([data], flags);
    else if (event === 'dropped')
      await writeAll(process.stderr, `underpass: ${data.count} requests or more are left out\n`);
  }
  return 0;
}

async function print(requests: readonly TrafficRequest[], { json }: LogsFlags): Promise<void> {
  const hasColours = takesColours(process.stdout, process.env);
  const lines = requests.map((one) => (json === true ? JSON.stringify(one) : requestLine(one, hasColours)));
  if (lines.length > 0) await writeAll(process.stdout, `${lines.join('\n')}\n`);
}

function noneText({ filter }: LogsFlags): string {
  if (filter !== undefined) return 'No recorded request matches the filter.';
  return 'No request is recorded. Failures are recorded, and all requests while "underpass logs --follow" runs.';
}

/** Prints a line beside the requests, for people. */
async function note(text: string, { json }: LogsFlags): Promise<void> {
  if (json !== true) await writeAll(process.stderr, `${text}\n`);
}

/** A request for people, on one line. */
export function requestLine(request: TrafficRequest, hasColours: boolean): string {
  const {
    end_ts: end,
    kind,
    status_code: status,
    method,
    host,
    path,
    client_ip: client,
    duration_ms: ms,
  } = request;
  const { decisions, error_code: code, error, reason } = request;
  const outcome = kind === 'bytes' ? 'TCP' : String(status);
  const colour = hasColours ? colourOf(status) : '';
  const refusing = decisions.findLast(({ decision }) => decision !== 'allow')?.module ?? '';
  const why = code === '' ? reason : `${refusing} ${code}: ${reason === '' ? error : reason}`;
  const facts = [
    clockText(Date.parse(end)),
    colour === '' ? outcome : `${colour}${outcome}${RESET}`,
    ...(method === '' ? [] : [printable(method)]),
    printable(`${host}${path}`),
    durationText(ms),
    printable(client),
    ...(why === '' ? [] : [printable(why.trim())]),
  ];
  return facts.join('  ');
}

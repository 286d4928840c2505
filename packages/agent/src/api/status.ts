/** `underpass status`: prints the overview of an account, warnings first. */
import { setTimeout as wait } from 'node:timers/promises';
import type { AccountOverview, Client } from '@underpass/client';
import { printable, printableMessage } from '../printable.ts';
import { durationText, RED, RESET, takesColours } from '../terminal-text.ts';
import { jsonText } from './json.ts';
import { isRefusal, withApi } from './session.ts';
import type { ApiFlags } from './settings.ts';
import { untilInterrupt } from './until-interrupt.ts';
import { writeAll } from './write-all.ts';

export interface StatusFlags extends ApiFlags {
  readonly watch?: boolean;
  readonly json?: boolean;
}

/** Milliseconds between two refreshes: a quarter of the requests that an account has. */
const INTERVAL_MS = 2_000;
const CLEAR = '\x1b[H\x1b[J';

/** Resolves with the exit code. Throws InvalidInput. */
export async function runStatus(flags: StatusFlags): Promise<number> {
  return await withApi(flags, async (client) => {
    if (flags.watch !== true) {
      await writeAll(process.stdout, textOf(await client.overview.get(), flags));
      return 0;
    }
    return await untilInterrupt((signal) => refresh(client, flags, signal));
  });
}

/** Prints the overview again and again: in place on a terminal, and whenever it has changed elsewhere. */
async function refresh(client: Client, flags: StatusFlags, signal: AbortSignal): Promise<number> {
  const isInPlace = process.stdout.isTTY === true && flags.json !== true;
  let last = '';
  for (let isFirst = true; ; isFirst = false) {
    try {
      const overview = await client.overview.get({ signal });
      const text = textOf(overview, flags);
      const compared = flags.json === true ? JSON.stringify({ ...overview, as_of: '' }) : text;
      if (compared !== last) await writeAll(process.stdout, isInPlace ? `${CLEAR}${text}` : text);
      last = compared;
    } catch (error) {
      if (isFirst || signal.aborted || !isRefusal(error)) throw error;
      await writeAll(process.stderr, `underpass: ${printableMessage(error.message)}\n`);
    }
    await wait(INTERVAL_MS, undefined, { signal });
  }
}

function textOf(overview: AccountOverview, { json, watch }: StatusFlags): string {
  if (json === true) return watch === true ? `${JSON.stringify(overview)}\n` : jsonText(overview);
  return `${statusLines(overview, takesColours(process.stdout, process.env)).join('\n')}\n`;
}

/** The overview for people. */
export function statusLines(overview: AccountOverview, hasColours: boolean): readonly string[] {
  const { warnings, warning_count: all, counts } = overview;
  const red = (text: string): string => (hasColours ? `${RED}${text}${RESET}` : text);
  const shown = warnings.flatMap(({ msg, remedy, resource }) => [
    `${red('!')} ${printable(msg)}`,
    `  ${printable(remedy)}${resource === null ? '' : ` (${printable(resource.id)})`}`,
  ]);
  const more = all - warnings.length;
  return [
    ...shown,
    ...(more > 0 ? [`${red('!')} ${more} more: underpass api status get`] : []),
    ...(all === 0 ? ['No warnings.'] : ['']),
    countsLine(counts),
    figuresLine('last minute', overview.last_minute),
    figuresLine('last hour', overview.last_hour),
  ].filter((line) => line !== null);
}

function countsLine({ names, agents, tunnels, edges }: AccountOverview['counts']): string {
  const counted = Object.entries({ name: names, agent: agents, tunnel: tunnels, edge: edges });
  return counted.map(([what, count]) => `${count} ${what}${count === 1 ? '' : 's'}`).join(', ');
}

function figuresLine(name: string, figures: AccountOverview['last_minute']): string | null {
  if (figures === null) return null;
  const { requests, errors, p50_ms: median, p95_ms: slow } = figures;
  const times =
    median === null || slow === null ? '' : `, p50 ${durationText(median)}, p95 ${durationText(slow)}`;
  return `${name}: ${requests} request${requests === 1 ? '' : 's'}, ${errors} failed${times}`;
}

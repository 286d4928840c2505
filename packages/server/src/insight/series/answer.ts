/** Runs `GET /traffic/series`. */
import { formatTime } from '../../core/time-text.ts';
import { Problem } from '../../errors/problem.ts';
import type { StandaloneCall, StandaloneRun } from '../../resources/standalone/definition.ts';
import type { Cell } from './cell.ts';
import { columnsOf } from './columns.ts';
import type { SeriesHistory } from './history.ts';
import { ACCOUNT, keyOf, type Subject } from './keys.ts';
import { rangeOf } from './range.ts';

/** Error codes of a response. */
const MOST_CODES = 20;

export interface AnswerParts {
  readonly history: Pick<SeriesHistory, 'read'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly errorPrefix: string;
}

export function answerSeries({ history, now, errorPrefix }: AnswerParts): StandaloneRun {
  return async (call) => {
    const key = keyIn(call.query);
    const { step, from, until } = rangeOf(call.query, now());
    const { account } = call.principal;
    const { cells, missing } = await history.read(account, [key], step, { from, until });
    call.missing(missing);
    const ofKey = cells.get(key) ?? [];
    return {
      by: call.query.by ?? '',
      key: call.query.id ?? '',
      resolution: step.name,
      since: formatTime(new Date(from * 1000)),
      until: formatTime(new Date(until * 1000)),
      points: ofKey.length,
      ...columnsOf(ofKey),
      error_codes: codesOf(ofKey, errorPrefix),
    };
  };
}

function keyIn({ by, id }: StandaloneCall['query']): string {
  const text = id === undefined ? '' : String(id);
  if (by === undefined && text === '') return ACCOUNT;
  if (by === undefined) throw new Problem('seriesKindMissing', { id: text }, { field: 'by' });
  if (text === '') throw new Problem('seriesIdMissing', { by: String(by) }, { field: 'id' });
  return keyOf(by as Subject, text);
}

function codesOf(cells: readonly (Cell | null)[], errorPrefix: string) {
  const counts = new Map<number, number>();
  for (const cell of cells)
    for (const [number, count] of cell?.errors ?? []) counts.set(number, (counts.get(number) ?? 0) + count);
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST_CODES)
    .map(([number, count]) => ({ error_code: number === 0 ? '' : `${errorPrefix}${number}`, count }));
}

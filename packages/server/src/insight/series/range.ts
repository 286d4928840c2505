/** The span of time that a request for series selects. */
import { Problem } from '../../errors/problem.ts';
import { type Step, steps } from './steps.ts';

/** Points of a response. */
export const MOST_POINTS = 1440;
/** Points without `since`. */
const USUAL_POINTS: Readonly<Record<Step['name'], number>> = { '1s': 600, '1m': 1440, '1h': 720 };

export interface Range {
  readonly step: Step;
  /** Start of the first step, in seconds since 1970. */
  readonly from: number;
  /** End of the last step. */
  readonly until: number;
}

/** A time as RFC 3339 writes it. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i;

/**
 * Returns the span of the parameters; `nowMs` in milliseconds since 1970. It is cut to what is kept, and without `until`
 * ends with the last step that has passed. Raises Problem.
 */
export function rangeOf(query: Readonly<Record<string, string | number | boolean>>, nowMs: number): Range {
  const now = Math.floor(nowMs / 1000);
  const step = steps[query.resolution as Step['name']];
  const { seconds } = step;
  const floor = (time: number): number => time - (time % seconds);
  const end = query.until === undefined ? floor(now) : Math.min(timeOf('until', query.until, now), now + 1);
  const until = Math.ceil(end / seconds) * seconds;
  const usual = until - USUAL_POINTS[step.name] * seconds;
  const since = query.since === undefined ? usual : timeOf('since', query.since, now);
  if (since >= end)
    throw new Problem(
      'seriesSpanEmpty',
      { since: formatted(since), until: formatted(end) },
      { field: 'since' },
    );
  const from = Math.min(floor(Math.max(since, now - step.kept)), until);
  const points = (until - from) / seconds;
  if (points > MOST_POINTS)
    throw new Problem(
      'seriesTooLong',
      { actual: points, limit: MOST_POINTS },
      { field: 'since', limit: MOST_POINTS },
    );
  return { step, from, until };
}

/** Reads a time as RFC 3339, or as seconds before now. Returns seconds since 1970. */
function timeOf(field: string, value: string | number | boolean, now: number): number {
  const text = String(value);
  if (/^\d{1,10}$/.test(text)) return Math.max(0, now - Number(text));
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isFinite(time) || time < 0)
    throw new Problem('seriesTimeInvalid', { field, value: text }, { field });
  return Math.floor(time / 1000);
}

function formatted(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/** Wires series of traffic: counted at the edge, kept in the database, read over all daemons. */
import { readRunning } from '../insight/series/history.ts';
import { TrafficSeries } from '../insight/series/traffic-series.ts';
import type { Carrying } from './carrying.ts';
import type { Foundation } from './foundation.ts';

/** The name of the question to other daemons, with its version. */
const QUESTION = 'series.1';

/** Starts the series, which stop after the edge and before the store. */
export async function startTrafficSeries({ parts, store, errorPrefix }: Foundation): Promise<TrafficSeries> {
  return await parts.start({
    start: () => new TrafficSeries({ store, errorPrefix, now: Date.now }),
    stop: (series) => series.stop(),
  });
}

/** Connects the series to the edge and to the other daemons. */
export function connectTrafficSeries(series: TrafficSeries, { observers, questions }: Carrying): void {
  observers.push(series.observe);
  questions.answer(QUESTION, (body) => series.answer(body));
  series.use((body) => questions.ask({ name: QUESTION, body, read: readRunning }));
}

/**
 * The used parts of `prom-client`. Its index also loads a client of gateways and a collector over processes, with
 * Node's HTTP and cluster, which takes a tenth of a start.
 */
import Counter from 'prom-client/lib/counter.js';
import collectDefaultMetrics from 'prom-client/lib/defaultMetrics.js';
import Gauge from 'prom-client/lib/gauge.js';
import Registry from 'prom-client/lib/registry.js';

export { Counter, collectDefaultMetrics, Gauge, Registry };

/** A counter whose label values are known in advance. */
interface ListedCounter<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels: Readonly<Record<L, readonly string[]>>;
  readonly registers: Registry[];
}

/**
 * One whose series are all there from the start, at 0. Prometheus takes what a series begins with for its past: where the first failure made
 * the series, no `rate` and no alert would show it.
 */
export function counterFromZero<L extends string>(listed: ListedCounter<L>): Counter<L> {
  const { labels, ...named } = listed;
  const names = Object.keys(labels) as L[];
  const counter = new Counter({ ...named, labelNames: names });
  let series: Partial<Record<L, string>>[] = [{}];
  for (const name of names)
    series = series.flatMap((one) => labels[name].map((value) => ({ ...one, [name]: value })));
  for (const one of series) counter.inc(one, 0);
  return counter;
}

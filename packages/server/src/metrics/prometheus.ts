/**
 * The parts of `prom-client` that the daemon has: its index also loads a client of gateways and a collector over processes, with Node's HTTP
 * and cluster below them, which is a tenth of a start.
 */
import Counter from 'prom-client/lib/counter.js';
import collectDefaultMetrics from 'prom-client/lib/defaultMetrics.js';
import Gauge from 'prom-client/lib/gauge.js';
import Registry from 'prom-client/lib/registry.js';

export { Counter, collectDefaultMetrics, Gauge, Registry };

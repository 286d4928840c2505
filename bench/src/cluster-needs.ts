/** Computes the cores and the memory for a number of agents and of requests a day, from the costs of one run. */
import { table } from './table.ts';

/** Costs of the daemons. A run that could not measure one has none. */
export interface Costs {
  /** Microseconds of CPU per request of a kept connection, at the agent's own daemon, the agent excluded. */
  readonly requestUs?: number;
  /** CPU of a request at another daemon, to one at the agent's own. */
  readonly hop?: number;
  /** Microseconds of CPU each second for an agent without visitors. */
  readonly idleAgentUs?: number;
  /** Kilobytes of memory of an agent with one tunnel. */
  readonly agentKb?: number;
  /** Milliseconds of CPU of the daemons for an agent that comes back. */
  readonly returnMs?: number;
  /** Milliseconds of CPU of the daemons, and of PostgreSQL, for a bind and its end. */
  readonly bindMs?: number;
  readonly bindDatabaseMs?: number;
}

const AGENTS = 100_000;
const REQUESTS_OF_DAY = 1_000_000_000;
const SECONDS_OF_DAY = 86_400;
/** The busiest moment, to the mean of the day. */
const PEAK = 3;
/** Seconds in which the agents of a lost daemon are back. */
const RETURN_SECONDS = 30;
/** One daemon of so many is lost. */
const DAEMONS = 8;

/** Returns the table of what is needed. */
export function needs(costs: Costs): string {
  const peak = (REQUESTS_OF_DAY / SECONDS_OF_DAY) * PEAK;
  const lost = AGENTS / DAEMONS;
  const { requestUs = Number.NaN, hop = Number.NaN, returnMs = Number.NaN } = costs;
  const { idleAgentUs = Number.NaN, agentKb = Number.NaN, bindDatabaseMs = Number.NaN } = costs;
  const cores = (value: number) => `${value.toFixed(1)} cores`;
  const rows = [
    [`${peak.toFixed(0)} requests/s, no hop`, `${requestUs.toFixed(1)} us`, cores((peak * requestUs) / 1e6)],
    [
      `the same, each with a hop`,
      `${(requestUs * hop).toFixed(1)} us`,
      cores((peak * requestUs * hop) / 1e6),
    ],
    [
      `${AGENTS} agents without visitors, CPU`,
      `${idleAgentUs.toFixed(0)} us/s`,
      cores((AGENTS * idleAgentUs) / 1e6),
    ],
    [
      `${AGENTS} agents, memory`,
      `${agentKb.toFixed(0)} KB`,
      `${((AGENTS * agentKb) / 1024 / 1024).toFixed(1)} GB`,
    ],
    [
      `${lost} agents back in ${RETURN_SECONDS} s`,
      `${returnMs.toFixed(2)} ms`,
      cores((lost * returnMs) / RETURN_SECONDS / 1000),
    ],
    [
      'the same, PostgreSQL',
      `${bindDatabaseMs.toFixed(2)} ms`,
      cores((lost * bindDatabaseMs) / RETURN_SECONDS / 1000),
    ],
  ];
  const title = `Needs of ${AGENTS} agents and ${REQUESTS_OF_DAY} requests a day, ${PEAK} times the mean at the peak, one of ${DAEMONS} daemons lost`;
  return `${title}\n${table(['', 'each', 'all'], rows)}`;
}

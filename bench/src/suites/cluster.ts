/**
 * Measures several daemons of one database: requests over a hop, binds, agents of a daemon that is killed, and workers.
 * Prints then what many agents and requests need.
 */
import { postgresMissing } from '@underpass/test';
import { measureClaims } from '../cluster-claims.ts';
import { measureHops } from '../cluster-hops.ts';
import { type Costs, needs } from '../cluster-needs.ts';
import { measureReturns } from '../cluster-returns.ts';
import { measureWorkers } from '../cluster-workers.ts';
import type { BenchContext } from '../main.ts';
import type { Finding } from '../targets.ts';

/** Results of one part. */
export interface Measured {
  readonly findings: readonly Finding[];
  readonly costs: Costs;
}

/** Measures the workers of one machine, beside one process. */
export async function benchWorkers(context: BenchContext): Promise<readonly Finding[]> {
  if (postgresMissing !== false) {
    console.log(`Workers: not measured, ${postgresMissing}\n`);
    return [];
  }
  return (await measureWorkers(context)).findings;
}

export async function benchCluster(context: BenchContext): Promise<readonly Finding[]> {
  if (postgresMissing !== false) {
    console.log(`Cluster: not measured, ${postgresMissing}\n`);
    return [];
  }
  const parts: Measured[] = [];
  for (const measure of [measureHops, measureClaims, measureReturns, measureWorkers])
    parts.push(await measure(context));
  console.log(`${needs(Object.assign({}, ...parts.map(({ costs }) => costs)))}\n`);
  return parts.flatMap(({ findings }) => findings);
}

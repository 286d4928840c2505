/** Measures several daemons of one database: requests over a hop, binds, and agents of a daemon that is killed. */
import { postgresMissing } from '@underpass/test';
import { measureClaims } from '../cluster-claims.ts';
import { measureHops } from '../cluster-hops.ts';
import { measureReturns } from '../cluster-returns.ts';
import { measureWorkers } from '../cluster-workers.ts';
import type { BenchContext } from '../main.ts';
import type { Finding } from '../targets.ts';

/** Measures the workers of one machine, beside one process. */
export async function benchWorkers(context: BenchContext): Promise<readonly Finding[]> {
  if (postgresMissing !== false) {
    console.log(`Workers: not measured, ${postgresMissing}\n`);
    return [];
  }
  return await measureWorkers(context);
}

export async function benchCluster(context: BenchContext): Promise<readonly Finding[]> {
  if (postgresMissing !== false) {
    console.log(`Cluster: not measured, ${postgresMissing}\n`);
    return [];
  }
  return [...(await measureHops(context)), ...(await measureClaims(context)), ...(await measureReturns())];
}

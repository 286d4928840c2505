/** Credentials that contend for names at three daemons while these have faults, for half a minute or `CHAOS_SECONDS`. */
import { describe, test } from 'node:test';
import { postgresMissing, timeoutMs } from '../harness/index.ts';
import { contendThroughChaos } from './cluster-chaos.fixture.ts';

const seconds = Number(process.env.CHAOS_SECONDS ?? 30);

describe('three daemons with faults', { skip: postgresMissing }, () => {
  test(
    'no visitor gets the response of a credential that has lost the name, and in the end all daemons agree',
    { timeout: timeoutMs(120_000) + seconds * 1000 },
    (context) => contendThroughChaos(context, seconds),
  );
});

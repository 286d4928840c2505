/** Failures of many accounts. The list of requests uses bounded memory, with the smallest and the largest entries. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { residentMissing } from '../harness/index.ts';

/** MB of all entries, as the list counts them. */
const COUNTED = 32;
/** MB of all entries with their objects, after a collection. */
const LIVE = 40;
/** Resident MB. The daemon's heap keeps garbage until it has 128 MB. */
const RESIDENT = 110;
/** Flags of the daemon, and one more. */
const FLAGS = ['--initial-heap-size=128', '--max-semi-space-size=2', '--expose-gc'];
const SCRIPT = fileURLToPath(import.meta.resolve('./traffic-requests-memory.fixture.ts'));

for (const size of ['smallest', 'largest'])
  for (const accounts of [1, 10, 50_000])
    test(`${size} entries of ${accounts} accounts stay within the bound`, {
      skip: residentMissing,
    }, async () => {
      const child = fork(SCRIPT, [size, String(accounts)], { execArgv: FLAGS });
      const [report] = await once(child, 'message');
      assert.deepEqual(await once(child, 'exit'), [0, null]);
      const { counted, live, resident } = report as Record<'counted' | 'live' | 'resident', number>;
      const shown = `counted ${counted.toFixed(1)}, live ${live.toFixed(1)}, resident ${resident.toFixed(1)} MB`;
      assert.ok(counted <= COUNTED && live <= LIVE && resident <= RESIDENT, shown);
    });

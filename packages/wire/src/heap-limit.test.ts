/** Full collections of a process through whose hands many buffers go, in a process of their own. */
import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

const FULL_COLLECTION = /Mark-Compact/g;
/** A GiB in pieces as large as a record of TLS, of which 64 MiB are kept at any time. */
const KEPT = 4_096;
const WORK = `
  const kept = [];
  for (let at = 0; at < 65_536; at++) {
    kept[at % ${KEPT}] = Buffer.allocUnsafeSlow(16 * 1024);
    if (at % 256 === 0) await new Promise(setImmediate);
  }`;

async function fullCollections(first: string): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--trace-gc',
    '--initial-heap-size=128',
    '--input-type=module',
    '--eval',
    `${first};${WORK}`,
  ]);
  return stdout.match(FULL_COLLECTION)?.length ?? 0;
}

test('buffers that come and go collect the whole heap again and again, and do not where they count in its limit', async () => {
  const counted = `(await import(${JSON.stringify(new URL('heap-limit.ts', import.meta.url))})).countBuffersInHeapLimit()`;
  const [without, withIt] = [await fullCollections(''), await fullCollections(counted)];
  assert.ok(without > 0, 'V8 has its own limit no more: leave the flag out');
  assert.ok(withIt < without, `${withIt} full collections instead of ${without}`);
});

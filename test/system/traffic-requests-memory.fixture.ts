/** A process that records many failures, and reports by how many MB it has grown. */
import { randomBytes } from 'node:crypto';
import { visit } from '../../packages/server/src/edge/sites/exchange-record.fixture.ts';
import { RequestLog, type RequestLogOptions } from '../../packages/server/src/insight/traffic/request-log.ts';
import { residentMegabytes } from '../harness/resident.ts';

const ENTRIES = 100_000;
const [size, accounts] = process.argv.slice(2);
const long = 'é"\\\x01'.repeat(1000);
const texts =
  size === 'largest' ? { method: long, path: long, query: long, reason: long, fault: long } : { path: '' };
const record = { ...visit, ...texts, status: 502 };
const options: RequestLogOptions = {
  ...{ choice: 'full', node: '', uri: '', errorPrefix: '', now: Date.now, uptime: () => performance.now() },
  random: randomBytes,
};
const [warm, log] = [new RequestLog(options), new RequestLog(options)];
const MB = 2 ** 20;

/** MB that are reachable. */
function liveMegabytes(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MB;
}

// The code is compiled, and its memory is there.
for (let index = 0; index < 20_000; index += 1) warm.observe(record);
const before = { live: liveMegabytes(), resident: residentMegabytes(process.pid) };
for (let index = 0; index < ENTRIES; index += 1)
  log.observe({ ...record, account: `ac_${index % Number(accounts)}` });
const resident = residentMegabytes(process.pid) - before.resident;
process.send?.({ counted: log.bytes / MB, live: liveMegabytes() - before.live, resident });
process.disconnect?.();

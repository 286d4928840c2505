/** API reads and creates beside a bare `node:https` server that answers with the same bytes and does nothing else. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Platform } from '@underpass/test';
import { startScript, stopChild } from '../children.ts';
import { drive, type Load } from '../driver.ts';
import type { BenchContext } from '../main.ts';
import type { Target } from '../peers/peer.ts';
import { median, ratio, table } from '../table.ts';

const CONNECTIONS = 32;
const BACKEND = {
  description: 'a bench',
  body: 'hello',
  status_code: 200,
  headers: { 'content-type': 'text/plain' },
};

export async function benchApi(context: BenchContext): Promise<void> {
  const platform = await Platform.start({ args: ['--log-level', 'warn'] });
  const created = await platform.api('POST', '/backends/http_response', BACKEND);
  const bodyFile = join(context.dir, 'resource.json');
  writeFileSync(bodyFile, created.text);
  const { certFile, keyFile } = context.certificate;
  const bare = await startScript('bare-https.ts', [certFile, keyFile, bodyFile]);
  const headers = { authorization: `Bearer ${platform.bootstrap.api_key}`, 'service-version': '2' };
  const api: Target = { scheme: 'https', host: 'api.underpass.localhost', port: platform.port, headers };
  const yardstick: Target = { scheme: 'https', host: 'bench.localhost', port: bare.port, headers };

  const rows: string[][] = [];
  const compare = async (name: string, load: Omit<Load, 'connections' | 'seconds'>): Promise<void> => {
    const results: [number[], number[]] = [[], []];
    for (let round = 0; round < context.rounds; round++) {
      for (const [index, target] of [api, yardstick].entries()) {
        const outcome = await drive(target, { ...load, connections: CONNECTIONS, seconds: context.seconds });
        if (outcome.errors > 0) console.error(`${name} at ${target.host}: ${outcome.errors} errors`);
        results[index]?.push(outcome.requestsPerSecond);
      }
    }
    const [own, bareResult] = [median(results[0]), median(results[1])];
    rows.push([name, own.toFixed(0), bareResult.toFixed(0), ratio(own, bareResult)]);
  };
  try {
    await compare('read one', { paths: [`/backends/http_response/${created.json.id}`] });
    await compare('create (durable)', {
      paths: ['/backends/http_response'],
      method: 'POST',
      body: JSON.stringify(BACKEND),
    });
    await compare('list, a page of 100', { paths: ['/backends/http_response'] });
  } finally {
    await platform.stop();
    await stopChild(bare.child);
  }
  console.log(
    `API: requests/s over ${CONNECTIONS} connections; the bare server answers with one resource each time`,
  );
  console.log(table(['', 'Underpass', 'bare node:https', 'ratio'], rows));
  console.log();
}

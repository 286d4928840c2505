/** Measures how the cost of the API grows with the number of resources in one account, on both stores. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Platform, Postgres, postgresMissing, residentMegabytes } from '@underpass/test';
import { runScript, startScript, stopChild } from '../children.ts';
import { drive, type Load } from '../driver.ts';
import type { Fill, Filled } from '../fill.ts';
import type { BenchContext } from '../main.ts';
import type { Target } from '../peers/peer.ts';
import { median, ratio, table } from '../table.ts';

const CONNECTIONS = 32;
const PATH = '/ip_policies';
const POLICY = { description: 'a bench' };

/** Powers of ten from 1,000 up to `most`. */
function sizes(most: number): number[] {
  const all: number[] = [];
  for (let size = 1000; size <= most; size *= 10) all.push(size);
  return all;
}

export async function benchResources(context: BenchContext): Promise<void> {
  await measure('SQLite', context, []);
  if (postgresMissing !== false) {
    console.log(`PostgreSQL: not measured: ${postgresMissing}\n`);
    return;
  }
  const server = await Postgres.start({ durable: true });
  try {
    await measure('PostgreSQL', context, ['--database', await server.database()]);
  } finally {
    await server.stop();
  }
}

async function measure(name: string, context: BenchContext, args: readonly string[]): Promise<void> {
  const platform = await Platform.start({ args: ['--log-level', 'warn', ...args] });
  const rows: string[][] = [];
  try {
    const api = endpoint(platform);
    const ids: string[] = [];
    let count = 0;
    for (const size of sizes(context.resources)) {
      // The creations that were measured before count, too: there may be more already.
      const missing = Math.max(size - count, 0);
      const filled = await fill(api, missing);
      count += missing;
      ids.push(...filled.ids);
      const memory = residentMegabytes(platform.daemon.pid);
      const at = count;
      const cells = await measureAt(context, platform, api, ids);
      count += cells.created;
      rows.push([
        at.toLocaleString('en'),
        missing === 0 ? '-' : filled.perSecond.toFixed(0),
        ...cells.texts,
        memory.toFixed(0),
      ]);
      console.error(`${name}: ${size.toLocaleString('en')} resources measured`);
    }
  } finally {
    await platform.stop();
  }
  console.log(
    `${name}: requests/s over ${CONNECTIONS} connections, and the ratio to a bare node:https server that sends the same bytes`,
  );
  console.log(
    table(
      [
        'resources',
        'filled at',
        'get',
        'ratio',
        'first page',
        'ratio',
        'middle page',
        'ratio',
        'create',
        'ratio',
        'patch',
        'ratio',
        'MB',
      ],
      rows,
    ),
  );
  console.log();
}

function endpoint(platform: Platform): Target {
  const headers = { authorization: `Bearer ${platform.bootstrap.api_key}`, 'service-version': '2' };
  return { scheme: 'https', host: 'api.underpass.localhost', port: platform.port, headers };
}

async function fill(target: Target, count: number): Promise<Filled> {
  if (count === 0) return { perSecond: 0, ids: [] };
  const order: Fill = { target, path: PATH, body: JSON.stringify(POLICY), connections: CONNECTIONS, count };
  return JSON.parse(await runScript('fill.ts', [JSON.stringify(order)])) as Filled;
}

async function measureAt(
  context: BenchContext,
  platform: Platform,
  api: Target,
  ids: readonly string[],
): Promise<{ texts: string[]; created: number }> {
  const middle = ids[Math.floor(ids.length / 2)] ?? '';
  const one = await platform.api('GET', `${PATH}/${middle}`);
  const page = await platform.api('GET', PATH);
  const texts: string[] = [];
  let created = 0;
  const loads: readonly (readonly [string, Omit<Load, 'connections' | 'seconds'>])[] = [
    [one.text, { paths: ids.map((id) => `${PATH}/${id}`) }],
    [page.text, { paths: [PATH] }],
    [page.text, { paths: [`${PATH}?before_id=${middle}&limit=100`] }],
    [one.text, { paths: [PATH], method: 'POST', body: JSON.stringify(POLICY) }],
    [
      one.text,
      { paths: ids.map((id) => `${PATH}/${id}`), method: 'PATCH', body: '{"description":"number {n}"}' },
    ],
  ];
  for (const [answer, load] of loads) {
    const results: [number[], number[]] = [[], []];
    const bare = await startBare(context, answer);
    const yardstick: Target = { ...api, host: 'bench.localhost', port: bare.port };
    try {
      for (let round = 0; round < context.rounds; round++) {
        for (const [index, target] of [api, yardstick].entries()) {
          const outcome = await drive(target, {
            ...load,
            connections: CONNECTIONS,
            seconds: context.seconds,
          });
          if (outcome.errors > 0)
            console.error(`${load.paths[0]} at ${target.host}: ${outcome.errors} errors`);
          results[index]?.push(outcome.requestsPerSecond);
          if (target === api && load.method === 'POST')
            created += Math.round(outcome.requestsPerSecond * context.seconds);
        }
      }
    } finally {
      await stopChild(bare.child);
    }
    const [own, other] = [median(results[0]), median(results[1])];
    texts.push(own.toFixed(0), ratio(own, other));
  }
  return { texts, created };
}

function startBare(context: BenchContext, answer: string) {
  const file = join(context.dir, 'answer.json');
  writeFileSync(file, answer);
  const { certFile, keyFile } = context.certificate;
  return startScript('bare-https.ts', [certFile, keyFile, file]);
}

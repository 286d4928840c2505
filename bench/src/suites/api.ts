/**
 * Measures API reads and creates beside a bare `node:https` server that responds with the bytes of one resource.
 * Invariant: each round measures all subjects, and ratios are of rounds.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Platform } from '@underpass/test';
import { startScript, stopChild } from '../children.ts';
import type { Load } from '../driver.ts';
import type { BenchContext } from '../main.ts';
import { type Loaded, measureLoad } from '../measured-load.ts';
import { Rounds } from '../rounds.ts';
import { table } from '../table.ts';
import type { Finding } from '../targets.ts';

const CONNECTIONS = 32;
const PAGE = 100;
/** Indexes among the subjects. */
const [BARE, READ_ONE, A_PAGE] = [0, 1, 2];
const COLLECTION = '/backends/http_response';
const BACKEND = {
  description: 'a bench',
  body: 'hello',
  status_code: 200,
  headers: { 'content-type': 'text/plain' },
};

interface Subject extends Loaded {
  readonly load: Omit<Load, 'connections' | 'seconds'>;
}

export async function benchApi(context: BenchContext): Promise<readonly Finding[]> {
  const platform = await Platform.start({ args: ['--log-level', 'warn'] });
  const created = await platform.api('POST', COLLECTION, BACKEND);
  for (let count = 1; count < PAGE; count++) await platform.api('POST', COLLECTION, BACKEND);
  const bodyFile = join(context.dir, 'resource.json');
  writeFileSync(bodyFile, created.text);
  const { certFile, keyFile } = context.certificate;
  const bare = await startScript('bare-https.ts', [certFile, keyFile, bodyFile]);
  const headers = { authorization: `Bearer ${platform.bootstrap.api_key}`, 'service-version': '2' };
  const own = (name: string, load: Subject['load']): Subject => ({
    name,
    target: { scheme: 'https', host: 'api.underpass.localhost', port: platform.port, headers },
    pids: [platform.daemon.pid],
    load,
  });
  const one = { paths: [`${COLLECTION}/${created.json.id}`] };
  const subjects: readonly Subject[] = [
    {
      name: 'bare node:https',
      target: { scheme: 'https', host: 'bench.localhost', port: bare.port, headers },
      pids: [bare.child.pid as number],
      load: one,
    },
    own('read one', one),
    own(`list, a page of ${PAGE}`, { paths: [COLLECTION] }),
    own('create (durable)', { paths: [COLLECTION], method: 'POST', body: JSON.stringify(BACKEND) }),
  ];
  try {
    const { seconds } = context;
    const rounds = await Rounds.measure(subjects, context.rounds, (subject) =>
      measureLoad(subject, { ...subject.load, connections: CONNECTIONS, seconds }),
    );
    const rows = subjects.map(({ name }, at) => [
      name,
      rounds.of(at, ({ perSecond }) => perSecond).toFixed(0),
      rounds.of(at, ({ cpu }) => cpu).toFixed(1),
      rounds.ratioText(at, BARE, ({ cpu }) => cpu),
      rounds.ratioText(at, READ_ONE, ({ cpu }) => cpu),
    ]);
    console.log(`API over ${CONNECTIONS} connections; the bare server answers with one resource each time`);
    console.log(table(['', 'requests/s', 'CPU us/request', 'to the bare one', 'to read one'], rows));
    console.log();
    const toBare = rounds.ratio(READ_ONE, BARE, ({ cpu }) => cpu);
    const toOne = rounds.ratio(A_PAGE, READ_ONE, ({ cpu }) => cpu);
    return [
      { what: 'CPU of a get by id, to a bare node:https', measured: toBare, atMost: 1.7 },
      { what: `CPU of a page of ${PAGE}, to a get by id`, measured: toOne, atMost: 12 },
    ];
  } finally {
    await platform.stop();
    await stopChild(bare.child);
  }
}

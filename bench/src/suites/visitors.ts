/**
 * Measures the memory of idle visitors, whose connections stay open after one request, beside a bare `node:https`
 * server and nginx.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { residentMegabytes, Visitor } from '@underpass/test';
import { startScript, stopChild } from '../children.ts';
import { processTree } from '../cpu.ts';
import type { BenchContext } from '../main.ts';
import type { Loaded } from '../measured-load.ts';
import { isMissing } from '../peers/peer.ts';
import { startNginx } from '../peers/proxies.ts';
import { EdgeBench } from '../peers/underpass.ts';
import { table } from '../table.ts';
import type { Finding } from '../targets.ts';

const VISITORS = 2000;
/** Connections before the measurement: their buffers and compiled code do not count for idle ones. */
const FIRST = 200;
const AT_A_TIME = 50;
const ANSWER = 'Hello, world\n';

export async function benchVisitors({ dir, certificate }: BenchContext): Promise<readonly Finding[]> {
  const upstream = await startScript('upstream.ts');
  const own = await EdgeBench.start(null);
  const nginx = await startNginx(dir, certificate, upstream.port);
  const bodyFile = join(dir, 'answer.txt');
  writeFileSync(bodyFile, ANSWER);
  const { certFile, keyFile } = certificate;
  const bare = await startScript('bare-https.ts', [certFile, keyFile, bodyFile]);
  const bareTarget = { scheme: 'https', host: 'bench.localhost', port: bare.port } as const;
  try {
    const direct = await own.staticBackend(upstream.port);
    const theirs = readFileSync(certFile, 'utf8');
    const rows = [
      await measure(
        { name: 'bare node:https', target: bareTarget, pids: [bare.child.pid as number] },
        theirs,
      ),
      await measure(await own.httpsEdge('HTTPS edge', direct), own.platform.ca),
      ...(isMissing(nginx) ? [] : [await measure(nginx, theirs)]),
    ];
    console.log(
      `Memory: ${VISITORS} visitors who are idle after one request; resident memory of all processes`,
    );
    console.log(table(['', 'MB before', 'MB with them', 'KB a visitor'], rows));
    if (isMissing(nginx)) console.log(`nginx: not measured, ${nginx.missing} is not installed`);
    console.log();
    return [];
  } finally {
    if (!isMissing(nginx)) await nginx.stop();
    await own.stop();
    await stopChild(bare.child);
    await stopChild(upstream.child);
  }
}

async function measure({ name, target, pids }: Loaded, ca: string): Promise<string[]> {
  const { host: servername, port } = target;
  const visitors: Visitor[] = [];
  const resident = (): number =>
    processTree(pids).reduce((megabytes, pid) => megabytes + residentMegabytes(pid), 0);
  const visit = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += AT_A_TIME) {
      const arriving = Array.from({ length: AT_A_TIME }, async () => {
        const visitor = await Visitor.connect({ port, servername, ca });
        visitors.push(visitor);
        await visitor.get();
      });
      await Promise.all(arriving);
    }
  };
  await visit(FIRST);
  const before = resident();
  await visit(VISITORS);
  const after = resident();
  for (const visitor of visitors) visitor.close();
  return [name, before.toFixed(0), after.toFixed(0), (((after - before) * 1024) / VISITORS).toFixed(0)];
}

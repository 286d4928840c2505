/**
 * Measures the daemon's memory for visitors that request a download and read nothing, over a static backend and over
 * a tunnel.
 */
import { Resident, residentMegabytes, residentMissing, Visitor } from '@underpass/test';
import { startScript, stopChild } from '../children.ts';
import { EdgeBench } from '../peers/underpass.ts';
import { table } from '../table.ts';

const VISITORS = 200;
/** Visitors that come first, so that code and data loaded once do not count for the others. */
const FIRST = 20;

export async function benchUnread(): Promise<void> {
  if (residentMissing) {
    console.log(`Unread: not measured, ${residentMissing}\n`);
    return;
  }
  const upstream = await startScript('upstream.ts');
  try {
    const rows = [
      await measure('static backend', upstream.port, (bench) => bench.staticBackend(upstream.port)),
      await measure('tunnel', upstream.port, (bench) => bench.tunnelBackend()),
    ];
    console.log(
      `Memory: ${VISITORS} visitors that request 256 MiB and read nothing; resident memory of the daemon`,
    );
    console.log(table(['', 'MB before', 'MB with them', 'KB a visitor'], rows));
    console.log();
  } finally {
    await stopChild(upstream.child);
  }
}

/** Measures a daemon of its own, because freed memory stays resident. */
async function measure(
  name: string,
  port: number,
  backendOf: (bench: EdgeBench) => Promise<string>,
): Promise<string[]> {
  const bench = await EdgeBench.start(port);
  const visitors: Visitor[] = [];
  try {
    const { target } = await bench.httpsEdge(name, await backendOf(bench));
    const { pid } = bench.platform.daemon;
    const resident = new Resident(pid);
    const visit = async (count: number): Promise<number> => {
      for (let visitor = 0; visitor < count; visitor++) {
        const { platform } = bench;
        const made = await Visitor.connect({ port: platform.port, servername: target.host, ca: platform.ca });
        made.socket.pause().write(`GET /bulk HTTP/1.1\r\nHost: ${target.host}\r\n\r\n`);
        visitors.push(made);
      }
      await resident.rest();
      return residentMegabytes(pid);
    };
    const before = await visit(FIRST);
    const after = await visit(VISITORS);
    const perVisitor = ((after - before) * 1024) / VISITORS;
    return [name, before.toFixed(0), after.toFixed(0), perVisitor.toFixed(0)];
  } finally {
    for (const visitor of visitors) visitor.close();
    await bench.stop();
  }
}

/** Measures the latency of small responses while one large download goes through the same edge. */
import type { BenchContext } from '../main.ts';
import { measureLoad } from '../measured-load.ts';
import { Contestants, names } from '../peers/contestants.ts';
import type { Peer } from '../peers/peer.ts';
import { Rounds } from '../rounds.ts';
import { table } from '../table.ts';
import type { Finding } from '../targets.ts';
import { download, transferMissing } from '../transfer.ts';

/** Few, so that what is measured is how long each waits and not how many the machine can answer. */
const CONNECTIONS = 2;
const AT_MOST_MS = 4;

interface Latencies {
  /** Milliseconds, alone and beside the download. */
  readonly alone: number;
  readonly beside: number;
}

export async function benchLatency(context: BenchContext): Promise<readonly Finding[]> {
  if (transferMissing !== null) {
    console.log(`Latency: not measured, ${transferMissing} is not installed\n`);
    return [];
  }
  const contestants = await Contestants.start(context);
  try {
    const rounds = await Rounds.measure(contestants.peers, context.rounds, (peer) =>
      measure(peer, context.seconds),
    );
    const rows = contestants.peers.map(({ name }, at) => [
      name,
      rounds.of(at, ({ alone }) => alone).toFixed(2),
      rounds.of(at, ({ beside }) => beside).toFixed(2),
    ]);
    console.log(`Latency: ms within which 99 of 100 are answered, over ${CONNECTIONS} connections`);
    console.log(table(['', 'alone', 'beside one download'], rows));
    contestants.sayMissing();
    console.log();
    return [names.edge, names.tunnel].map((name) => ({
      what: `p99 beside one download, ${name}`,
      measured: rounds.of(contestants.at(name), ({ beside }) => beside),
      atMost: AT_MOST_MS,
      unit: 'ms',
    }));
  } finally {
    await contestants.stop();
  }
}

async function measure(peer: Peer, seconds: number): Promise<Latencies> {
  const load = { paths: ['/'], connections: CONNECTIONS, seconds };
  const alone = await measureLoad(peer, load);
  let isOver = false;
  const downloading = (async () => {
    while (!isOver) await download(peer.target);
  })();
  // A failure is reported below; before that it must not end the process.
  downloading.catch(() => {});
  const beside = await measureLoad(peer, load);
  isOver = true;
  await downloading;
  return { alone: alone.p99Ms, beside: beside.p99Ms };
}

/** Small answers through edges and tunnels, beside plain proxies and `ssh -R`: requests per second, and what each costs. */
import type { BenchContext } from '../main.ts';
import { measureLoad } from '../measured-load.ts';
import { Contestants, names } from '../peers/contestants.ts';
import { Rounds } from '../rounds.ts';
import { table } from '../table.ts';
import { type Finding, ratioFindings } from '../targets.ts';

const CONNECTIONS = 64;
const WARM_UP_SECONDS = 4;
/** CPU time per request, to that of nginx without a tunnel. */
const AT_MOST = 1.7;

export async function benchTraffic(context: BenchContext): Promise<readonly Finding[]> {
  const contestants = await Contestants.start(context);
  try {
    const load = { paths: ['/'], connections: CONNECTIONS, seconds: context.seconds };
    // Uncounted: what was started a second ago is not compiled yet.
    for (const peer of contestants.peers) await measureLoad(peer, { ...load, seconds: WARM_UP_SECONDS });
    const rounds = await Rounds.measure(contestants.peers, context.rounds, (peer) => measureLoad(peer, load));
    const nginx = contestants.at(names.nginx);
    const rows = contestants.peers.map(({ name }, at) => [
      name,
      rounds.of(at, ({ perSecond }) => perSecond).toFixed(0),
      rounds.ratioText(at, nginx, ({ perSecond }) => perSecond),
      rounds.of(at, ({ cpu }) => cpu).toFixed(1),
      rounds.ratioText(at, nginx, ({ cpu }) => cpu),
    ]);
    console.log(
      `Traffic: 13-byte answers over ${CONNECTIONS} connections; CPU of all processes but the upstream`,
    );
    console.log(table(['', 'requests/s', 'to nginx', 'CPU us/request', 'to nginx'], rows));
    contestants.sayMissing();
    console.log();
    return ratioFindings(nginx, [names.edge, names.bytes], {
      what: (name) => `CPU per request, ${name} to nginx`,
      ratio: (name) => rounds.ratio(contestants.at(name), nginx, ({ cpu }) => cpu),
      atMost: AT_MOST,
    });
  } finally {
    await contestants.stop();
  }
}

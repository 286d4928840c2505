/** Small answers through edges and tunnels, beside plain proxies and `ssh -R`: requests per second, and what each costs. */

import { type MeasuredWindow, measureWindow } from '../load-window.ts';
import type { BenchContext } from '../main.ts';
import { PairedRounds } from '../paired-rounds.ts';
import { Contestants, names } from '../peers/contestants.ts';
import { spreadText, table } from '../table.ts';
import { type Finding, ratioFindings } from '../targets.ts';
import { warmUp } from '../warm-up.ts';

const CONNECTIONS = 64;
/** CPU time per request, to that of nginx without a tunnel. */
const AT_MOST = 1.7;

export async function benchTraffic(context: BenchContext): Promise<readonly Finding[]> {
  const contestants = await Contestants.start(context);
  try {
    const window = {
      load: { paths: ['/'], connections: CONNECTIONS },
      ...{ seconds: context.seconds, upstream: contestants.upstream },
    };
    const [base, ...subjects] = contestants.peers;
    if (base === undefined) return [];
    const unsteady: string[] = [];
    for (const peer of contestants.peers) if (!(await warmUp(peer, window))) unsteady.push(peer.name);
    const rounds = await PairedRounds.measure({
      ...{ base, subjects, rounds: context.rounds, judged: cpuOf },
      measure: (peer) => measureWindow(peer, window),
    });
    console.log(
      `Traffic: 13-byte answers over ${CONNECTIONS} connections; CPU of all processes but the upstream; ratios to ${base.name}: median (least-most)`,
    );
    const header = ['', 'requests/s', 'ratio', 'CPU us/request', 'ratio'];
    console.log(
      table(
        header,
        contestants.peers.map(({ name }, at) => [name, ...row(rounds, at - 1)]),
      ),
    );
    console.log(
      `${rounds.repeated} measures were repeated, ${rounds.unsteady} count although ${base.name} changed by more than a tenth beside them`,
    );
    if (unsteady.length > 0) console.log(`not steady after the warm-up: ${unsteady.join(', ')}`);
    contestants.sayMissing();
    console.log();
    return ratioFindings(contestants.at(names.nginx), [names.edge, names.bytes], {
      what: (name) => `CPU per request, ${name} to nginx`,
      ratio: (name) => rounds.ratio(contestants.at(name) - 1, cpuOf).median,
      atMost: AT_MOST,
    });
  } finally {
    await contestants.stop();
  }
}

function row(rounds: PairedRounds<MeasuredWindow>, subject: number): readonly string[] {
  const perSecond = ({ perSecond }: MeasuredWindow) => perSecond;
  return [
    rounds.of(subject, perSecond).toFixed(0),
    spreadText(rounds.ratio(subject, perSecond)),
    rounds.of(subject, cpuOf).toFixed(1),
    spreadText(rounds.ratio(subject, cpuOf)),
  ];
}

function cpuOf({ cpu }: MeasuredWindow): number {
  return cpu;
}

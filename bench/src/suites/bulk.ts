/** One large download and one large upload at a time, beside plain proxies and `ssh -R`: the CPU that a GiB costs. */
import type { BenchContext } from '../main.ts';
import { type Bulk, measureBulk } from '../measured-bulk.ts';
import { Contestants, names } from '../peers/contestants.ts';
import { Rounds } from '../rounds.ts';
import { table } from '../table.ts';
import { type Finding, ratioFindings } from '../targets.ts';
import { bulkFile, download, transferMissing, upload } from '../transfer.ts';

/** CPU time of a GiB, to that of nginx without a tunnel. */
const AT_MOST = { down: 3.5, up: 4.5 } as const;
/** CPU time of a GiB through a TCP tunnel, to that of nginx passing bytes on. */
const TCP_AT_MOST = 3;

export async function benchBulk(context: BenchContext): Promise<readonly Finding[]> {
  if (transferMissing !== null) {
    console.log(`Bulk: not measured, ${transferMissing} is not installed\n`);
    return [];
  }
  const contestants = await Contestants.start(context);
  const file = bulkFile(context.dir);
  try {
    const down = await Rounds.measure(contestants.peers, context.rounds, (peer) =>
      measureBulk(peer, context.seconds, download),
    );
    const up = await Rounds.measure(contestants.peers, context.rounds, (peer) =>
      measureBulk(peer, context.seconds, (target) => upload(target, file)),
    );
    print(contestants, down, up);
    return findings(contestants, down, up);
  } finally {
    await contestants.stop();
  }
}

function print(contestants: Contestants, down: Rounds<Bulk>, up: Rounds<Bulk>): void {
  const nginx = contestants.at(names.nginx);
  const rows = contestants.peers.map(({ name }, at) => [
    name,
    ...[down, up].flatMap((way) => [
      way.of(at, ({ megabytesPerSecond }) => megabytesPerSecond).toFixed(0),
      way.of(at, ({ cpu }) => cpu).toFixed(2),
      way.ratioText(at, nginx, ({ cpu }) => cpu),
    ]),
  ]);
  const columns = ['MB/s', 'CPU s/GiB', 'to nginx'];
  console.log('Bulk: one transfer of 256 MiB at a time, down and up; CPU of all processes but the upstream');
  console.log(table(['', ...columns, ...columns], rows));
  const [tcpTunnel, bareRelays] = [contestants.at(names.tcpTunnel), contestants.at(names.bareRelays)];
  const toBare = (way: Rounds<Bulk>) => way.ratioText(tcpTunnel, bareRelays, ({ cpu }) => cpu);
  console.log(`CPU of ${names.tcpTunnel}, to ${names.bareRelays}: ${toBare(down)} down, ${toBare(up)} up`);
  contestants.sayMissing();
  console.log();
}

function findings(contestants: Contestants, down: Rounds<Bulk>, up: Rounds<Bulk>): readonly Finding[] {
  const nginx = contestants.at(names.nginx);
  const ways = [
    ['down', down],
    ['up', up],
  ] as const;
  const nginxTcp = contestants.at(names.nginxTcp);
  return ways.flatMap(([direction, way]) => [
    ...ratioFindings(nginx, [names.edge, names.tunnel, names.bytes], {
      what: (name) => `CPU of bulk ${direction}, ${name} to nginx`,
      ratio: (name) => way.ratio(contestants.at(name), nginx, ({ cpu }) => cpu),
      atMost: AT_MOST[direction],
    }),
    ...ratioFindings(nginxTcp, [names.tcpTunnel], {
      what: (name) => `CPU of bulk ${direction}, ${name} to ${names.nginxTcp}`,
      ratio: (name) => way.ratio(contestants.at(name), nginxTcp, ({ cpu }) => cpu),
      atMost: TCP_AT_MOST,
    }),
  ]);
}

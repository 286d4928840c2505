/** Measures a request and a connection with ten, a thousand and a hundred thousand edges and rules of an IP policy. */
import type { BenchContext } from '../main.ts';
import { type MeasuredConnections, measureConnections } from '../measured-connections.ts';
import { type MeasuredLoad, measureLoad } from '../measured-load.ts';
import type { Peer } from '../peers/peer.ts';
import { EdgeBench, terminated } from '../peers/underpass.ts';
import { Rounds } from '../rounds.ts';
import { table } from '../table.ts';
import type { Finding } from '../targets.ts';

const SIZES = [10, 1000, 100_000] as const;
const CONNECTIONS = 16;
const NEW_CONNECTIONS = 8;
/** CPU time with the most of them, to that with the fewest. */
const AT_MOST = 1.5;

export async function benchLookup(context: BenchContext): Promise<readonly Finding[]> {
  const daemons: EdgeBench[] = [];
  try {
    const peers: Peer[] = [];
    for (const size of SIZES) {
      const own = await EdgeBench.start(null);
      daemons.push(own);
      peers.push(await fill(own, size));
      console.error(`${size.toLocaleString('en')} edges and rules are there`);
    }
    const { seconds } = context;
    const load = { paths: ['/'], connections: CONNECTIONS, seconds };
    // A daemon that has just started has more to do, and its code is not compiled yet.
    for (const peer of peers) await measureLoad(peer, load);
    const requests = await Rounds.measure(peers, context.rounds, (peer) => measureLoad(peer, load));
    const connections = await Rounds.measure(peers, context.rounds, (peer) =>
      measureConnections({ ...peer, path: '/' }, { connections: NEW_CONNECTIONS, seconds, resumed: true }),
    );
    print(requests, connections);
    const last = SIZES.length - 1;
    return [
      ['CPU of a request', requests.ratio(last, 0, ({ cpu }) => cpu)] as const,
      ['CPU of a connection', connections.ratio(last, 0, ({ cpu }) => cpu)] as const,
    ].map(([what, measured]) => ({
      what: `${what}, 100,000 edges and rules to 10`,
      measured,
      atMost: AT_MOST,
    }));
  } finally {
    for (const own of daemons) await own.stop();
  }
}

/** An edge behind a policy of so many rules, of which the last one lets the visitor in, among so many other edges. */
async function fill(own: EdgeBench, size: number): Promise<Peer> {
  const backend = await own.fixedBackend('Hello, world\n');
  const policy = await own.create('/ip_policies', {});
  await own.fill(
    '/ip_policy_rules',
    { ip_policy_id: policy, cidr: '{address}/32', action: 'allow' },
    size - 1,
  );
  await own.create('/ip_policy_rules', { ip_policy_id: policy, cidr: '127.0.0.0/8', action: 'allow' });
  await own.create('/reserved_domains', { name: '*.many.example.com' });
  const edge = {
    hostports: ['{n}.many.example.com:443'],
    backend: { backend_id: backend },
    ...terminated,
  };
  await own.fill('/edges/tls', edge, size - 1);
  const peer = await own.httpsEdge(size.toLocaleString('en'), backend, {
    ip_restriction: { ip_policy_ids: [policy] },
  });
  // After writes a daemon compares once all that it knows with the store. That grows, too, but is no look-up.
  await own.platform.restart();
  return { ...peer, pids: [own.platform.daemon.pid] };
}

function print(requests: Rounds<MeasuredLoad>, connections: Rounds<MeasuredConnections>): void {
  const rows = SIZES.map((size, at) => [
    size.toLocaleString('en'),
    requests.of(at, ({ cpu }) => cpu).toFixed(1),
    requests.ratioText(at, 0, ({ cpu }) => cpu),
    connections.of(at, ({ cpu }) => cpu).toFixed(0),
    connections.ratioText(at, 0, ({ cpu }) => cpu),
  ]);
  console.log("Look-ups: the daemon's CPU us with so many edges, and so many rules of an IP policy");
  console.log(table(['', 'a request', 'ratio', 'a connection', 'ratio'], rows));
  console.log();
}

/** What each module costs alone: the same requests to a route without it and to one with it, in turn. There is no target for that. */
import { startScript, stopChild } from '../children.ts';
import type { BenchContext } from '../main.ts';
import { measureLoad } from '../measured-load.ts';
import type { Peer } from '../peers/peer.ts';
import { EdgeBench, terminated } from '../peers/underpass.ts';
import { Rounds } from '../rounds.ts';
import { table } from '../table.ts';
import type { Finding } from '../targets.ts';

const CONNECTIONS = 64;
/** As long as that of a browser. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

interface Pair {
  readonly name: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly off: Peer;
  readonly on: Peer;
}

export async function benchModules(context: BenchContext): Promise<readonly Finding[]> {
  const upstream = await startScript('upstream.ts');
  const own = await EdgeBench.start(null);
  try {
    const pairs = await makePairs(own, await own.staticBackend(upstream.port));
    const loads = pairs.flatMap(({ path, headers, off, on }) =>
      [off, on].map((peer) => ({ path, peer: { ...peer, target: { ...peer.target, headers } } })),
    );
    const rounds = await Rounds.measure(loads, context.rounds, ({ path, peer }) =>
      measureLoad(peer, { paths: [path], connections: CONNECTIONS, seconds: context.seconds }),
    );
    const rows = pairs.map(({ name }, pair) => {
      const [off, on] = [2 * pair, 2 * pair + 1];
      return [
        name,
        rounds.of(off, ({ cpu }) => cpu).toFixed(1),
        rounds.of(on, ({ cpu }) => cpu).toFixed(1),
        rounds.ratioText(on, off, ({ cpu }) => cpu),
      ];
    });
    console.log(`Modules: the daemon's CPU us per request over ${CONNECTIONS} connections`);
    console.log(table(['', 'without', 'with', 'ratio'], rows));
    console.log();
    return [];
  } finally {
    await own.stop();
    await stopChild(upstream.child);
  }
}

async function makePairs(own: EdgeBench, backend: string): Promise<readonly Pair[]> {
  const policy = await own.create('/ip_policies', {});
  await own.create('/ip_policy_rules', { ip_policy_id: policy, cidr: '127.0.0.0/8', action: 'allow' });
  const ipRestriction = { ip_restriction: { ip_policy_ids: [policy] } };
  const headers = { 'user-agent': USER_AGENT };
  const small = { path: '/', headers };
  const page = { path: '/page', headers: { ...headers, 'accept-encoding': 'gzip, br' } };
  const modules: readonly (readonly [string, Pick<Pair, 'path' | 'headers'>, object])[] = [
    ['none, twice', small, {}],
    ['IP restriction', small, ipRestriction],
    ['circuit breaker', small, { circuit_breaker: { error_threshold_percentage: 0.5 } }],
    ['user agent filter', small, { user_agent_filter: { deny: ['(?i)bot/[0-9]+'] } }],
    ['request headers', small, { request_headers: { add: { 'x-visitor': 'bench' }, remove: ['accept'] } }],
    ['response headers', small, { response_headers: { add: { 'x-edge': 'bench' }, remove: ['server'] } }],
    ['compression, 4 KB of text', page, { compression: {} }],
  ];
  const off = await own.httpsEdge('off', backend);
  const pairs: Pair[] = [];
  for (const [name, how, module] of modules)
    pairs.push({ name, ...how, off, on: await own.httpsEdge(name, backend, module) });
  pairs.push({
    name: 'IP restriction of a TLS edge',
    ...small,
    off: await own.tlsEdge('off', backend),
    on: await own.tlsEdge('on', backend, { ...terminated, ...ipRestriction }),
  });
  return pairs;
}

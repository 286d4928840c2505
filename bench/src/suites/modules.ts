/**
 * Measures each module alone, with and without it in turn. The unit is a new connection for mutual TLS, a message for
 * the WebSocket converter, and a request for all others. These have no targets.
 */
import { ClientCertificates } from '@underpass/test';
import { startScript, stopChild } from '../children.ts';
import type { BenchContext } from '../main.ts';
import { measureConnections } from '../measured-connections.ts';
import { measureLoad } from '../measured-load.ts';
import { measureMessages } from '../measured-messages.ts';
import type { Peer } from '../peers/peer.ts';
import { EdgeBench, terminated } from '../peers/underpass.ts';
import { Rounds } from '../rounds.ts';
import { table } from '../table.ts';
import type { Finding } from '../targets.ts';

const CONNECTIONS = 64;
/** Connections at a time. */
const NEW_CONNECTIONS = 8;
/** A header value as long as a browser's. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** The daemon's CPU time in microseconds. */
type Measure = (seconds: number) => Promise<number>;

interface Pair {
  readonly name: string;
  readonly off: Measure;
  readonly on: Measure;
}

export async function benchModules({ rounds, seconds }: BenchContext): Promise<readonly Finding[]> {
  const upstream = await startScript('upstream.ts');
  const own = await EdgeBench.start(null);
  const certificates = new ClientCertificates();
  try {
    const backend = await own.staticBackend(upstream.port);
    const pairs = [
      ...(await ofRequests(own, backend)),
      await ofMutualTls(own, backend, certificates),
      await ofConverter(own, backend),
    ];
    const measures = pairs.flatMap(({ off, on }) => [off, on]);
    const measured = await Rounds.measure(measures, rounds, (measure) => measure(seconds));
    const same = (cpu: number): number => cpu;
    const rows = pairs.map(({ name }, pair) => {
      const [off, on] = [2 * pair, 2 * pair + 1];
      const cpu = [off, on].map((one) => measured.of(one, same).toFixed(1));
      return [name, ...cpu, measured.ratioText(on, off, same)];
    });
    console.log(`Modules: the daemon's CPU us per request over ${CONNECTIONS} connections`);
    console.log(table(['', 'without', 'with', 'ratio'], rows));
    console.log();
    return [];
  } finally {
    certificates.remove();
    await own.stop();
    await stopChild(upstream.child);
  }
}

interface Asked {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

const small: Asked = { path: '/', headers: { 'user-agent': USER_AGENT } };
const page: Asked = { path: '/page', headers: { ...small.headers, 'accept-encoding': 'gzip, br' } };

function requests(peer: Peer, { path, headers }: Asked): Measure {
  const asking = { ...peer, target: { ...peer.target, headers } };
  return async (seconds) =>
    (await measureLoad(asking, { paths: [path], connections: CONNECTIONS, seconds })).cpu;
}

async function ofRequests(own: EdgeBench, backend: string): Promise<readonly Pair[]> {
  const policy = await own.create('/ip_policies', {});
  await own.create('/ip_policy_rules', { ip_policy_id: policy, cidr: '127.0.0.0/8', action: 'allow' });
  const ipRestriction = { ip_restriction: { ip_policy_ids: [policy] } };
  const modules: readonly (readonly [string, Asked, object])[] = [
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
  for (const [name, asked, module] of modules) {
    const on = await own.httpsEdge(name, backend, module);
    pairs.push({ name, off: requests(off, asked), on: requests(on, asked) });
  }
  const bytes = await own.tlsEdge('off', backend);
  const restricted = await own.tlsEdge('on', backend, { ...terminated, ...ipRestriction });
  const name = 'IP restriction of a TLS edge';
  pairs.push({ name, off: requests(bytes, small), on: requests(restricted, small) });
  return pairs;
}

async function ofMutualTls(own: EdgeBench, backend: string, made: ClientCertificates): Promise<Pair> {
  const authority = made.authority('bench');
  const { pem: cert, key } = made.make('visitor', authority);
  const listed = await own.create('/certificate_authorities', { ca_pem: authority.pem });
  const connections =
    (peer: Peer): Measure =>
    async (seconds) => {
      const load = { connections: NEW_CONNECTIONS, seconds, resumed: false, identity: { cert, key } };
      return (await measureConnections({ ...peer, path: '/' }, load)).cpu;
    };
  const off = await own.httpsEdge('without certificates', backend);
  const on = await own.httpsEdge(
    'mutual TLS',
    backend,
    {},
    { mutual_tls: { certificate_authority_ids: [listed] } },
  );
  return { name: 'mutual TLS, a new connection', off: connections(off), on: connections(on) };
}

async function ofConverter(own: EdgeBench, backend: string): Promise<Pair> {
  const off = await own.httpsEdge('without messages', backend);
  const on = await own.httpsEdge('converter', backend, { websocket_tcp_converter: {} });
  return {
    name: 'WebSocket converter, a message',
    off: requests(off, small),
    on: (seconds) => measureMessages(on, { connections: CONNECTIONS, seconds }),
  };
}

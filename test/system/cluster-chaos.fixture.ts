/**
 * Credentials that contend for names at several daemons, visitors of these names at all daemons, and faults.
 * Invariant: a request that begins after another credential was given the name is never served by the old one.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { Cluster, eventually, type Way } from '../harness/index.ts';
import { addAccount } from './attacks.fixture.ts';
import { Contender } from './cluster-contender.fixture.ts';
import { handovers, hops, type LoggedBind, type LoggedVisit, violations } from './cluster-log.fixture.ts';
import { KeptVisitor } from './kept-visitor.fixture.ts';

const DAEMONS = 3;
const NAMES = ['one', 'two', 'three'].map((name) => `${name}.underpass.localhost`);
/** Visitors at each daemon. */
const VISITORS = 8;
/** Requests on one connection, for half of the visitors; the others use each connection once. */
const MOST_REQUESTS = 200;
/** Milliseconds between two requests of a visitor, and before it retries. */
const REST_MS = 5;
const AWAY_MS = 20;
/** Milliseconds of a fault, and of the calm between two. */
const FAULT_MS = [300, 3000] as const;
const CALM_MS = [200, 1500] as const;
/** Milliseconds until all daemons agree after the last fault. */
const AGREED_MS = 30_000;

interface Account {
  readonly key: string;
  readonly tokens: readonly string[];
}

export interface Run {
  readonly cluster: Cluster;
  readonly accounts: readonly Account[];
  readonly binds: LoggedBind[];
  readonly visits: LoggedVisit[];
  /** Number of responses without a tunnel, by code; '' for connections that broke. */
  readonly others: Map<string, number>;
}

const between = ([least, most]: readonly [number, number]): Promise<void> => pause(randomInt(least, most));

/** Runs for so many seconds, and then checks the log and that all daemons agree. */
export async function contendThroughChaos(context: TestContext, seconds: number): Promise<void> {
  const cluster = await Cluster.start({ daemons: DAEMONS, apart: true, args: () => ['--log-level', 'warn'] });
  context.after(() => cluster.stop());
  const faults = new Map<string, number>();
  const run = await contendDuring(context, cluster, async () => {
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end) {
      await between(CALM_MS);
      await befall(cluster, faults);
    }
  });
  report(context, run, faults);
}

/** Has credentials contend at three daemons during something. Then checks the log and that all daemons agree. */
export async function contendDuring(
  context: TestContext,
  cluster: Cluster,
  during: (run: Run) => Promise<void>,
): Promise<Run> {
  const run: Run = {
    ...{ cluster, accounts: await makeAccounts(cluster) },
    ...{ binds: [], visits: [], others: new Map() },
  };
  const contenders = contendersOf(run);
  context.after(() => Promise.all(contenders.map((contender) => contender.stop())));
  const over = new AbortController();
  const running = [
    ...contenders.map((contender) => contender.contend(over.signal)),
    ...visitorsOf(run).map((visit) => visit(over.signal)),
  ];
  try {
    await during(run);
  } finally {
    over.abort();
    await Promise.all(running);
  }
  assert.deepEqual(violations(run).slice(0, 5), []);
  await agree(run, contenders);
  assert.deepEqual(violations(run).slice(0, 5), []);
  return run;
}

const WAYS: readonly (readonly Way[])[] = [['there'], ['back'], ['there', 'back']];

type Fault = keyof typeof FAULTS;

/** Each fault of a daemon ends by itself. */
const FAULTS = {
  async kill(cluster: Cluster, index: number) {
    await cluster.kill(index);
    await between(FAULT_MS);
    await cluster.restart(index);
  },
  async freeze(cluster: Cluster, index: number) {
    cluster.freeze(index);
    await between(FAULT_MS);
    cluster.thaw(index);
  },
  async disconnect(cluster: Cluster, index: number) {
    cluster.disconnect(index);
    await between(FAULT_MS);
    cluster.reconnect(index);
  },
  async hold(cluster: Cluster, index: number) {
    cluster.node(index).relay.hold(...WAYS[randomInt(WAYS.length)]!);
    await between(FAULT_MS);
    cluster.reconnect(index);
  },
  async holdLinks(cluster: Cluster, index: number) {
    const { links } = cluster.node(index);
    links?.hold(...WAYS[randomInt(WAYS.length)]!);
    await between(FAULT_MS);
    links?.release();
  },
  async cutLinks(cluster: Cluster, index: number) {
    cluster.node(index).links?.cut();
  },
  async delayLinks(cluster: Cluster, index: number) {
    const node = cluster.node(index);
    node.linkDelayMs = randomInt(10, 100);
    await between(FAULT_MS);
    node.linkDelayMs = 0;
  },
  async delay(cluster: Cluster, index: number) {
    const node = cluster.node(index);
    node.delayMs = randomInt(10, 100);
    await between(FAULT_MS);
    node.delayMs = 0;
  },
} as const;

/** Inflicts one or two faults, each on another daemon. Resolves when they have ended. */
async function befall(cluster: Cluster, counts: Map<string, number>): Promise<void> {
  const kinds = Object.keys(FAULTS) as Fault[];
  const first = randomInt(DAEMONS);
  await Promise.all(
    Array.from({ length: randomInt(1, 3) }, async (_, at) => {
      const kind = kinds[randomInt(kinds.length)]!;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      await FAULTS[kind](cluster, (first + at) % DAEMONS);
    }),
  );
}

/** Two accounts with two credentials each. */
async function makeAccounts(cluster: Cluster): Promise<readonly Account[]> {
  const { api_key, authtoken } = cluster.bootstrap;
  const other = await addAccount(cluster.node(0).platform, ['--database', cluster.database]);
  const made = [
    { key: api_key, authtoken },
    { key: other.api_key, authtoken: other.authtoken },
  ];
  return await Promise.all(
    made.map(async ({ key, authtoken }) => {
      const { json } = await cluster.api(0, 'POST', '/credentials', {}, key);
      return { key, tokens: [authtoken, json.token as string] };
    }),
  );
}

/** One for each credential at each daemon. */
function contendersOf({ cluster, accounts, binds }: Run): readonly Contender[] {
  const credentials = accounts.flatMap(({ tokens }, account) =>
    tokens.map((token, at) => ({ token, credential: `account-${account}-${at}` })),
  );
  return credentials.flatMap((credential) =>
    Array.from(
      { length: DAEMONS },
      (_, daemon) => new Contender({ cluster, daemon, ...credential, names: NAMES, binds }),
    ),
  );
}

function visitorsOf(run: Run): readonly ((over: AbortSignal) => Promise<void>)[] {
  const secureContext = createSecureContext({ ca: run.cluster.at(0).ca });
  return Array.from({ length: DAEMONS * VISITORS }, (_, visitor) => async (over: AbortSignal) => {
    const { address, port } = run.cluster.at(visitor % DAEMONS);
    const most = visitor % 2 === 0 ? 1 : MOST_REQUESTS;
    for (let count = 0; !over.aborted; ) {
      const host = NAMES[randomInt(NAMES.length)]!;
      const options = { address, port, host, secureContext };
      const connection = await KeptVisitor.connect(options).catch(() => null);
      if (connection === null) await pause(AWAY_MS);
      const last = count + randomInt(most) + 1;
      for (; connection?.isOpen === true && count < last && !over.aborted; count++) {
        const isThere = await request(run, connection, {
          ...{ daemon: visitor % DAEMONS, name: host, path: `/${visitor}/${count}` },
        });
        await pause(isThere ? REST_MS : AWAY_MS);
      }
      connection?.close();
    }
  });
}

/** Logs one request. Returns true if a tunnel has answered it. */
async function request(
  { visits, others }: Run,
  connection: KeptVisitor,
  about: Pick<LoggedVisit, 'daemon' | 'name' | 'path'>,
): Promise<boolean> {
  const startedAt = performance.now();
  const answer = await connection.get(about.path);
  if (answer?.status === 200) {
    visits.push({ ...about, startedAt, endedAt: performance.now(), text: answer.text });
    return true;
  }
  const code = answer === null ? '' : answer.code || `status ${answer.status}`;
  others.set(code, (others.get(code) ?? 0) + 1);
  return false;
}

/** Binds each name once more. All daemons serve and list what was bound. */
async function agree(
  { cluster, accounts, binds, visits }: Run,
  contenders: readonly Contender[],
): Promise<void> {
  const last = await Promise.all(
    NAMES.map((name) => eventually(async () => await bindAny(contenders, name), AGREED_MS)),
  );
  assert.ok(binds.length >= last.length);
  for (const { name, credential, number } of last) {
    for (let daemon = 0; daemon < DAEMONS; daemon++) {
      const startedAt = performance.now();
      await eventually(async () => {
        const { text } = await cluster.visit(daemon, `https://${name}:${cluster.port}/last`);
        assert.equal(text, `${credential} ${number} /last`);
        visits.push({ name, path: '/last', daemon, startedAt, endedAt: performance.now(), text });
      }, AGREED_MS);
    }
  }
  for (let daemon = 0; daemon < DAEMONS; daemon++)
    await eventually(async () => {
      const listed = await Promise.all(accounts.map(({ key }) => listedAt(cluster, daemon, key)));
      // Agents of the test may have other names.
      const contended = listed.flat().filter((url) => !url.startsWith('https://steady-'));
      assert.deepEqual(contended.sort(), NAMES.map((name) => `https://${name}:${cluster.port}`).sort());
    }, AGREED_MS);
}

/** Rejects if no credential gets the name at the moment. */
async function bindAny(contenders: readonly Contender[], name: string): Promise<LoggedBind> {
  for (const contender of contenders) {
    const bind = await contender.bind(name).catch(() => null);
    if (bind !== null) return bind;
  }
  throw new Error(`no credential gets ${name}`);
}

async function listedAt(cluster: Cluster, daemon: number, key: string): Promise<readonly string[]> {
  const { json } = await cluster.api(daemon, 'GET', '/tunnels', undefined, key);
  return json.tunnels.map(({ public_url }: { public_url: string }) => public_url);
}

/** Prints the counts. Fails if visitors did not hop, or names did not change hands. */
export function report(
  context: TestContext,
  { binds, visits, others }: Run,
  faults: ReadonlyMap<string, number>,
): void {
  const changes = handovers(binds);
  const granted = binds.filter(({ grantedAt }) => grantedAt !== null).length;
  const counts = {
    visits: visits.length,
    hops: hops({ binds, visits }),
    granted,
    refused: binds.length - granted,
    changes,
  };
  context.diagnostic(
    JSON.stringify({ ...counts, ...Object.fromEntries(others), faults: Object.fromEntries(faults) }),
  );
  assert.ok(counts.hops > 0);
  assert.ok(changes >= NAMES.length, `names went from one credential to another ${changes} times`);
}

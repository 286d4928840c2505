/**
 * Visitors of many tunnels while agents of both families are cut off, end and start again, over a network with
 * delays.
 * Invariant: a visitor never gets the response of another tunnel or request.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { type Family, FamilyAgent, families, tagged } from '../agents/index.ts';
import { Platform, Relay } from '../harness/index.ts';
import { httpsEdge } from './attacks.fixture.ts';
import { type KeptAnswer, KeptVisitor } from './kept-visitor.fixture.ts';

export const AGENTS = 6;
/** Milliseconds before a visitor retries without an agent. */
const AWAY_MS = 20;
export const NAMES_EACH = 3;
const VISITORS = 64;
/** Maximum on one connection: new binds are visited over old connections and over new ones. */
const REQUESTS_EACH = 200;
/** Milliseconds between two disturbances, if no agent is online. */
const LONGEST_CALM_MS = 500;
const GROUP = 'chaos-group.underpass.localhost';
/** Codes of the edge for a tunnel that is offline, or ended during the request. All other responses are wrong. */
const AWAY: readonly string[] = ['ERR_SERVICE_3200', 'ERR_SERVICE_6515'];

export interface Outcomes {
  right: number;
  /** Number of responses for offline tunnels, by code. */
  readonly away: Record<string, number>;
  /** The connection broke within an answer. */
  broken: number;
  readonly wrong: string[];
}

export interface Goals {
  /** Number of responses by tunnel. */
  readonly answers: number;
  /** Number between two disturbances, so that a slow machine is not disturbed more often than a fast one. */
  readonly answersInCalm: number;
}

export async function visitThroughChaos(t: TestContext, goals: Goals): Promise<void> {
  const platform = await Platform.start({ args: ['--log-level', 'warn'] });
  t.after(() => platform.stop());
  const relay = await Relay.start({ port: platform.port, delayMs: networkDelay });
  t.after(() => relay.stop());
  await makeGroup(platform);
  const agents = await Promise.all(
    Array.from({ length: AGENTS }, (_, place) => start(platform, relay.port, place)),
  );
  t.after(() => Promise.all(agents.map((agent) => agent.stop())));

  const outcomes = noOutcomes();
  const over = new AbortController();
  const visitors = Array.from({ length: VISITORS }, (_, visitor) =>
    keepVisiting(platform, visitor, outcomes, over.signal),
  );
  try {
    while (outcomes.right < goals.answers) {
      await calm(outcomes, outcomes.right + goals.answersInCalm);
      await disturb(platform, relay, agents);
    }
  } finally {
    over.abort();
    await Promise.all(visitors);
  }
  const { wrong, ...counts } = outcomes;
  t.diagnostic(JSON.stringify({ ...counts, wrong: wrong.length }));
  assert.deepEqual(wrong.slice(0, 10), []);
  assert.deepEqual(
    agents.flatMap(({ faults }) => faults),
    [],
  );
}

export function noOutcomes(): Outcomes {
  return { right: 0, away: {}, broken: 0, wrong: [] };
}

/** The edge that leads to the labelled tunnels of all agents. */
export async function makeGroup(platform: Platform): Promise<void> {
  const { json: group } = await platform.api('POST', '/backends/tunnel_group', { labels: { chaos: 'yes' } });
  await httpsEdge(platform, GROUP.split('.')[0]!, group.id);
}

/** A few milliseconds; now and then those of a segment that was lost. */
function networkDelay(): number {
  return randomInt(100) === 0 ? 100 : randomInt(4);
}

export function namesOf(place: number): readonly string[] {
  return Array.from({ length: NAMES_EACH }, (_, index) => `chaos-${place}-${index}.underpass.localhost`);
}

/** `port`: of the daemon, or of what leads there. */
export async function start(
  platform: Platform,
  port: number,
  place: number,
  family: Family = families[place % families.length] ?? families[0],
): Promise<FamilyAgent> {
  const { authtoken, domain } = platform.bootstrap;
  const service = { port, host: `connect.${domain}`, ca: platform.ca };
  const agent = await FamilyAgent.start(family, service, authtoken);
  for (const name of namesOf(place)) await agent.bind('https', tagged(name), { name });
  await agent.bindLabelled({ chaos: 'yes' }, tagged(GROUP));
  return agent;
}

async function calm(outcomes: Outcomes, right: number): Promise<void> {
  const end = performance.now() + LONGEST_CALM_MS;
  while (outcomes.right < right && performance.now() < end) await pause(5);
}

async function disturb(platform: Platform, relay: Relay, agents: FamilyAgent[]): Promise<void> {
  const place = randomInt(AGENTS);
  const kind = randomInt(10);
  if (kind === 0) relay.cut();
  else if (kind < 8) agents[place]?.cut();
  else {
    const [gone, anew] = [agents[place], await start(platform, relay.port, place).catch(() => null)];
    // Its names are the new one's already; a cut in the meantime leaves the old one.
    if (anew === null || gone === undefined) return;
    agents[place] = anew;
    await gone.stop();
    assert.deepEqual(gone.faults, []);
  }
}

/** `mayBeDown`: retries a daemon that accepts no connection. */
export async function keepVisiting(
  { port, ca }: Platform,
  visitor: number,
  outcomes: Outcomes,
  over: AbortSignal,
  { mayBeDown = false } = {},
): Promise<void> {
  const secureContext = createSecureContext({ ca });
  for (let count = 0; !over.aborted; ) {
    const host = randomInt(4) === 0 ? GROUP : (namesOf(randomInt(AGENTS))[randomInt(NAMES_EACH)] ?? GROUP);
    const connection = await KeptVisitor.connect({ port, host, secureContext }).catch((error: unknown) => {
      if (!mayBeDown) throw error;
      return null;
    });
    if (connection === null) {
      outcomes.broken += 1;
      await pause(AWAY_MS);
      continue;
    }
    const last = count + 1 + randomInt(REQUESTS_EACH);
    for (; count < last && connection.isOpen && !over.aborted; count++) {
      const path = `/${visitor}/${count}`;
      const isThere = judge(await connection.get(path), `${host} ${path}`, outcomes);
      if (!isThere) await pause(AWAY_MS);
    }
    connection.close();
  }
}

/** Returns true if the tunnel was there. */
function judge(answer: KeptAnswer | null, wanted: string, outcomes: Outcomes): boolean {
  if (answer === null) outcomes.broken += 1;
  else if (answer.status === 200 && answer.text === wanted) outcomes.right += 1;
  else if (answer.status > 400 && AWAY.includes(answer.code))
    outcomes.away[answer.code] = (outcomes.away[answer.code] ?? 0) + 1;
  else outcomes.wrong.push(`${answer.status} ${answer.code} for ${wanted}: ${answer.text.slice(0, 200)}`);
  return answer?.status === 200;
}

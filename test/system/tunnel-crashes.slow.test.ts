/**
 * Crashes of daemon, database and agent under traffic, each alone and in pairs.
 * Invariant: a visitor never gets the response of another tunnel. Invariant: afterwards the state is as before, with
 * nothing missing or doubled.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type FamilyAgent, families } from '../agents/index.ts';
import { eventually, Platform, Postgres, postgresMissing } from '../harness/index.ts';
import {
  AGENTS,
  keepVisiting,
  makeGroup,
  NAMES_EACH,
  namesOf,
  noOutcomes,
  start,
} from './tunnel-chaos.fixture.ts';

const VISITORS = 16;
/** Number of responses before a crash, and after the recovery. */
const ANSWERS = 200;
/** Agents of the other family stay away for two minutes where a daemon with its database takes longer than they try. */
const family = families[0];
/** Longer than the longest pause that these agents make in an outage of this length. */
const BACK_MS = 30_000;

type Victim = 'daemon' | 'database' | 'agent';
const crashes: readonly (readonly Victim[])[] = [
  ['agent'],
  ['daemon'],
  ['database'],
  ['daemon', 'agent'],
  ['database', 'agent'],
  ['daemon', 'database'],
];

describe('under traffic, a crash of', { skip: postgresMissing }, () => {
  let database: Postgres;
  let platform: Platform;
  let agents: FamilyAgent[];
  const outcomes = noOutcomes();
  const over = new AbortController();
  let visitors: readonly Promise<void>[] = [];

  before(async () => {
    database = await Postgres.start();
    platform = await Platform.start({
      args: ['--log-level', 'error', '--database', await database.database()],
    });
    await makeGroup(platform);
    agents = await Promise.all(
      Array.from({ length: AGENTS }, (_, place) => start(platform, platform.port, place, family)),
    );
    visitors = Array.from({ length: VISITORS }, (_, visitor) =>
      keepVisiting(platform, visitor, outcomes, over.signal, { mayBeDown: true }),
    );
  });
  after(async () => {
    over.abort();
    await Promise.all(visitors);
    await Promise.all(agents.map((agent) => agent.stop()));
    await platform.stop();
    await database.stop();
  });

  for (const [place, victims] of crashes.entries()) {
    test(`${victims.join(' and ')}: nobody gets another answer than their own, and all is as before`, async () => {
      await answered();
      await crash(new Set(victims), place);
      await eventually(isAsBefore, BACK_MS);
      await answered();
      assert.deepEqual(outcomes.wrong.slice(0, 10), []);
      assert.deepEqual(
        agents.flatMap(({ faults }) => faults),
        [],
      );
    });
  }

  async function answered(): Promise<void> {
    const enough = outcomes.right + ANSWERS;
    await eventually(() => assert.ok(outcomes.right >= enough), BACK_MS);
  }

  async function crash(victims: ReadonlySet<Victim>, place: number): Promise<void> {
    if (victims.has('agent')) agents[place]?.cut();
    // Without a checkpoint, as after a crash.
    if (victims.has('database')) await database.halt('SIGQUIT');
    const resume = async (): Promise<void> => {
      if (victims.has('database')) await database.resume();
    };
    if (victims.has('daemon')) await platform.killAndRestart(resume);
    else await resume();
  }

  async function isAsBefore(): Promise<void> {
    const { json } = await platform.api('GET', '/tunnels?limit=100');
    const urls: string[] = json.tunnels
      .map((one: { public_url?: string }) => one.public_url ?? 'labelled')
      .sort();
    const hosts = Array.from({ length: AGENTS }, (_, place) => namesOf(place)).flat();
    const expected = hosts.map((host) => `https://${host}:${platform.port}`);
    assert.deepEqual(urls, [...expected, ...Array<string>(AGENTS).fill('labelled')].sort());
    assert.equal(urls.length, AGENTS * (NAMES_EACH + 1));
    const sessions = (await platform.api('GET', '/tunnel_sessions')).json.tunnel_sessions;
    assert.equal(sessions.length, AGENTS);
  }
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { Client } from 'pg';
import { Postgres, postgresMissing } from '../../../../../../test/harness/postgres.ts';
import { propertyRuns } from '../../../../../../test/harness/property-runs.ts';
import type { Slot } from '../../../core/names/bind-target.ts';
import { type ClaimAnswer, DirectoryDatabase, type StoredKey } from '../../../store/postgres/directory.ts';
import { prepare } from '../../../store/postgres/open.ts';
import { isLive, type KeyRows, type Wish } from '../row.ts';
import { Database } from './database.fixture.ts';

/** Hold times of which none passes during the test, or all. */
const HOLDS = [0, 1_000_000_000];
const KEYS = ['a.example', 'b.example'];
const TIMES = { leaseMs: 20, graceMs: 60 };

const party = fc.constantFrom(
  { account: 'ac_1', credential: 'cr_1', clientId: 'ag_1' },
  { account: 'ac_1', credential: 'cr_2', clientId: 'ag_2' },
  { account: 'ac_2', credential: 'cr_3', clientId: 'ag_3' },
);
const node = fc.constantFrom(0, 1, 2);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant('claim' as const),
      ...{ node, party, key: fc.constantFrom(...KEYS), isPooled: fc.boolean() },
      ...{ session: fc.constantFrom('ts_1', 'ts_2'), holdMs: fc.constantFrom(...HOLDS) },
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ op: fc.constant('give-up' as const), which: fc.nat(20), isKept: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('restart' as const), node }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** One history on both databases. Numbers of tunnels differ, so they are compared by their order. */
class Both {
  readonly #model = new Database(TIMES, null);
  readonly #real: DirectoryDatabase;
  readonly #prefix: string;
  /** The lives of the daemons: in the model, and in the database. */
  readonly #lives: { model: number; real: number }[] = [];
  readonly #tunnels: {
    readonly key: string;
    readonly model: number;
    readonly real: number;
    readonly life: { readonly model: number; readonly real: number };
  }[] = [];
  #nextLife: number;

  constructor(real: DirectoryDatabase, run: number) {
    this.#real = real;
    this.#prefix = `${run}.`;
    this.#nextLife = run * 1_000 + 1;
  }

  async start(): Promise<void> {
    for (const index of [0, 1, 2]) await this.#join(index);
  }

  async do(one: Step): Promise<void> {
    if (one.op === 'restart') await this.#join(one.node);
    else if (one.op === 'give-up') await this.#giveUp(one);
    else await this.#claim(one);
  }

  async #join(index: number): Promise<void> {
    const before = this.#lives[index];
    const joined = this.#model.execute({ op: 'join', previous: before?.model ?? null, lifeMs: 0 }, 0);
    assert.ok(joined?.kind === 'joined');
    const life = { model: joined.incarnation, real: this.#nextLife++ };
    await this.#real.join(life.real, {}, before?.real ?? null);
    this.#lives[index] = life;
  }

  async #claim({
    node: index,
    party: who,
    key,
    isPooled,
    session,
    holdMs,
  }: Step & { op: 'claim' }): Promise<void> {
    const life = this.#lives[index]!;
    const facts = { ...who, isPooled, session, bindId: 'b1', endpoint: { slot: key as Slot } };
    const wish: Wish = { facts, incarnation: life.model, holdMs };
    const expected = this.#model.execute({ op: 'claim', key, wish }, 0);
    const { account, credential, clientId: client } = who;
    const given = { account, credential, client, session, pooled: isPooled, bind: 'b1', slot: key };
    const answer = await this.#real.claim(this.#prefix + key, life.real, {
      ...given,
      facts: {},
      hold: holdMs,
    });
    assert.equal(answer.outcome, expected?.kind);
    if (expected?.kind !== 'granted') return;
    const found = answer as ClaimAnswer & { outcome: 'granted' };
    this.#tunnels.push({ key, model: expected.number, real: found.number, life });
    this.#same(key, expected.state, found);
  }

  async #giveUp({ which, isKept }: Step & { op: 'give-up' }): Promise<void> {
    const tunnel = this.#tunnels[which % Math.max(this.#tunnels.length, 1)];
    if (tunnel === undefined) return;
    const { key, model: number, life } = tunnel;
    this.#model.execute({ op: 'give-up', key, number, incarnation: life.model, isKept }, 0);
    await this.#real.giveUp(tunnel.real, life.real, isKept);
    const { keys } = await this.#real.changes('0');
    const found = keys.find((one) => one.key === this.#prefix + key);
    this.#same(key, this.#model.keys.get(key)!, found!);
  }

  #same(key: string, expected: KeyRows, found: StoredKey): void {
    const place = (number: number, base: 'model' | 'real') =>
      this.#tunnels.findIndex((one) => one.key === key && one[base] === number);
    assert.deepEqual(
      found.tunnels.map((one) => [place(one.number, 'real'), !one.over && one.held_until === null]),
      // A tunnel that is held is the last one in the model.
      [...expected.rows]
        .sort((a, b) => a.number - b.number)
        .map((row) => [place(row.number, 'model'), isLive(row)]),
    );
  }
}

describe('the directory in the database', { skip: postgresMissing }, () => {
  let server: Postgres;
  let client: Client;
  before(async () => {
    server = await Postgres.shared();
    const url = await server.database();
    await prepare(url);
    client = new Client(url);
    await client.connect();
  });
  after(async () => {
    await client.end();
    await server.stop();
  });

  test('does with every history what the model does', async () => {
    const directory = await DirectoryDatabase.on(client);
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const both = new Both(directory, ++run);
        await both.start();
        for (const one of steps) await both.do(one);
        await client.query('DELETE FROM underpass.tunnels; DELETE FROM underpass.bound_names');
      }),
      { numRuns: propertyRuns(200) },
    );
  });
});

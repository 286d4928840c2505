import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { Client } from 'pg';
import { Postgres, postgresMissing } from '../../../../../test/harness/postgres.ts';
import { propertyRuns } from '../../../../../test/harness/property-runs.ts';
import type { Slot } from '../../core/names/bind-target.ts';
import { installDecide } from '../../store/postgres/decide.ts';
import { type Claimant, type Decision, decide } from './decide.ts';
import { type DirectoryRow, type Incarnation, type NodeState, withDeaths } from './row.ts';

const NOW = 1_000_000;
/** Cases that the server decides in one round trip. */
const CASES = 50;

const party = fc.constantFrom(
  { account: 'ac_1', credential: 'cr_1', clientId: 'ag_1' },
  { account: 'ac_1', credential: 'cr_1', clientId: 'ag_2' },
  { account: 'ac_1', credential: 'cr_2', clientId: 'ag_1' },
  { account: 'ac_2', credential: 'cr_3', clientId: 'ag_3' },
);
const slot = fc.constantFrom('a.example', 'http:a.example').map((name) => ({ slot: name as Slot }));
const claimant = fc
  .record({
    party,
    session: fc.constantFrom('ts_1', 'ts_2'),
    bindId: fc.constantFrom('b1', 'b2'),
    isPooled: fc.boolean(),
    endpoint: fc.option(slot),
  })
  .map(({ party: one, ...rest }): Claimant => ({ ...one, ...rest }));
const moment = fc.constantFrom(NOW - 500, NOW, NOW + 500);
const row = fc
  .record({
    facts: claimant,
    incarnation: fc.constantFrom(1, 2, 3),
    isOver: fc.boolean(),
    holdMs: fc.constantFrom(0, 500, 700),
    heldUntil: fc.option(moment),
  })
  .map(({ heldUntil, ...rest }) => ({ ...rest, ...(heldUntil === null ? {} : { heldUntil }) }));
const rows = fc
  .array(row, { maxLength: 5 })
  .map((all) => all.map((one, index): DirectoryRow => ({ ...one, number: index + 1, entry: null })));
/** The third daemon has no row. */
const nodes = fc
  .array(fc.option(moment), { minLength: 2, maxLength: 2 })
  .map((deaths) => new Map(deaths.map((deadSince, index) => [index + 1, { round: 1, deadSince }])));
const cases = fc.array(fc.record({ rows, nodes, wish: claimant }), { minLength: CASES, maxLength: CASES });

describe('the function of the database', { skip: postgresMissing }, () => {
  let server: Postgres;
  let client: Client;
  before(async () => {
    server = await Postgres.shared();
    client = new Client(await server.database());
    await client.connect();
    await installDecide(client);
  });
  after(async () => {
    await client.end();
    await server.stop();
  });

  test('decides as the model does', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (all) => {
        const questions = all.map((one) => ({
          rows: one.rows.map((given) => columnsOf(given, one.nodes)),
          wish: factsOf(one.wish),
        }));
        const { rows: answers } = await client.query<{ decision: unknown }>(
          `SELECT pg_temp.decide(q->'rows', q->'wish', $2) AS decision
           FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS a (q, place) ORDER BY place`,
          [JSON.stringify(questions), NOW],
        );
        assert.deepEqual(
          answers.map(({ decision }) => decision),
          all.map((one) => shown(decide(withDeaths(one.rows, one.nodes), one.wish, NOW), one)),
        );
      }),
      { numRuns: propertyRuns(400) },
    );
  });
});

interface Case {
  readonly rows: readonly DirectoryRow[];
  readonly nodes: ReadonlyMap<Incarnation, NodeState>;
  readonly wish: Claimant;
}

function factsOf({ account, credential, session, clientId, bindId, isPooled, endpoint }: Claimant) {
  return {
    account,
    credential,
    session,
    client: clientId,
    bind: bindId,
    pooled: isPooled,
    slot: endpoint?.slot,
  };
}

function columnsOf(given: DirectoryRow, known: ReadonlyMap<Incarnation, NodeState>): object {
  const { facts, number, isOver, heldUntil, holdMs, incarnation } = given;
  const node = known.get(incarnation);
  return {
    ...{ ...factsOf(facts), number, over: isOver, held_until: heldUntil, hold: holdMs },
    ...{ known: node !== undefined, dead: node?.deadSince },
  };
}

/** The result of the model in the form of the function's. */
function shown(decision: Decision<DirectoryRow>, one: Case): object {
  if (decision.outcome === 'granted') {
    const { replaces, joins, frees } = decision;
    const numbers = (some: readonly DirectoryRow[]) => some.map(({ number }) => number);
    return {
      ...{ outcome: 'granted', replaces: numbers(replaces) },
      ...{ joins: numbers(joins), frees: numbers(frees) },
    };
  }
  // The first row that refuses the wish alone.
  const rival = withDeaths(one.rows, one.nodes).find(
    (given) => decide([given], one.wish, NOW).outcome === 'refused',
  );
  return { outcome: 'refused', rival: rival?.number, until: rival?.heldUntil ?? null };
}

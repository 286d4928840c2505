/**
 * Runs random schedules of the model of several daemons. `--schedules N` sets their number, `--seed N` the first one,
 * `--mutation NAME` a fault that must be found; `--mutations` tries each of them.
 */
import { parseArgs } from 'node:util';
import {
  type Mutation,
  mutations,
} from '../packages/server/src/tunnels/directory/model/mutations.fixture.ts';
import { search } from '../packages/server/src/tunnels/directory/model/search.fixture.ts';

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    mutation: { type: 'string' },
    mutations: { type: 'boolean', default: false },
  },
});
const schedules = Number(values.schedules);
const first = Number(values.seed);

if (values.mutation !== undefined && !Object.hasOwn(mutations, values.mutation)) {
  console.error(`--mutation is one of: ${Object.keys(mutations).join(', ')}`);
  process.exit(2);
}
const tried = values.mutations
  ? (Object.keys(mutations) as Mutation[])
  : [(values.mutation ?? null) as Mutation | null];
let isGood = true;
for (const mutation of tried) {
  const { found, run, visits } = search({ first, schedules, mutation });
  const outcome = found === null ? 'no violation' : `seed ${found.seed}: ${found.property}, ${found.text}`;
  console.log(`${mutation ?? 'the design'}: ${run} schedules, ${visits} visits, ${outcome}`);
  if ((found === null) !== (mutation === null)) isGood = false;
}
process.exit(isGood ? 0 : 1);

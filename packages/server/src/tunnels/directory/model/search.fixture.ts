/** Looks through random schedules for one that violates a property. */
import type { Mutation } from './mutations.fixture.ts';
import { type Violation, World } from './world.fixture.ts';

const STEPS = 600;
const CALM_STEPS = 300;

export interface Search {
  /** The first seed; each schedule has the next one. */
  readonly first: number;
  readonly schedules: number;
  readonly mutation: Mutation | null;
}

export interface Outcome {
  readonly found: (Violation & { readonly seed: number }) | null;
  /** The number of schedules that were run. */
  readonly run: number;
  readonly visits: number;
}

/** Every fourth schedule has no faults. Stops at the first violation. */
export function search({ first, schedules, mutation }: Search): Outcome {
  let visits = 0;
  for (let run = 0; run < schedules; run += 1) {
    const seed = first + run;
    const faults = seed % 4 !== 0;
    const world = new World(randomOf(seed), { faults, mutation });
    const [violation] = world.run(faults ? STEPS : CALM_STEPS);
    visits += world.visits;
    if (violation !== undefined) return { found: { ...violation, seed }, run: run + 1, visits };
  }
  return { found: null, run: schedules, visits };
}

/** A generator of the xorshift family with 32 bits of state: small, and the same on every machine. */
function randomOf(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 0x1_0000_0000;
  };
}

/** Random steps of a history of agents, credentials, reservations and edges. */
import fc from 'fast-check';

export const SLOTS = 3;
export const CREDENTIALS = 3;
const NAMES = 3;
/** The number of the name that tunnels of an account share. */
export const POOL = NAMES;

const slot = fc.nat({ max: SLOTS - 1 });
const credential = fc.nat({ max: CREDENTIALS - 1 });
const name = fc.nat({ max: NAMES - 1 });
const nameOrPool = fc.nat({ max: POOL });

const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('connect' as const), slot, credential }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('bind' as const), slot, name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('bindRandom' as const), slot }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('bindTcp' as const), slot }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('bindLabelled' as const), slot, name }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('bindPooled' as const), slot }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unbind' as const), slot, name: nameOrPool }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cut' as const), slot }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('comeBack' as const), slot }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke' as const), credential }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reserve' as const), credential, name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), name }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('attach' as const), name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('detach' as const), name }) },
);
export const steps = fc.array(step, { minLength: 20, maxLength: 40, size: 'max' });
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

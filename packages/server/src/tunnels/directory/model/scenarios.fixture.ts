/** Written schedules for faults that random ones meet too rarely. Each ends with a visit that the design refuses. */
import type { Mutation } from './mutations.fixture.ts';
import { World } from './world.fixture.ts';

export interface Scenario {
  readonly title: string;
  readonly finds: Mutation;
  /** Gets a world in which three daemons have joined, and the first agent has its name at the first daemon. */
  readonly play: (world: World) => void;
}

const NAME = 'one.example';
/** Ticks in which a daemon that cannot renew is declared dead, and the holds of its names have passed. */
const FREED = 120;

export const scenarios: readonly Scenario[] = [
  {
    title: 'a daemon loses the database, is declared dead, and its name is granted to another credential',
    finds: 'late-fence',
    play(world) {
      world.toggleDatabase(world.nodes[0]!);
      world.pass(FREED);
      grantToAnother(world);
    },
  },
  {
    title: 'another credential claims its name before its fence has fallen',
    finds: 'early-death',
    play(world) {
      world.toggleDatabase(world.nodes[0]!);
      world.pass(56);
      grantToAnother(world);
    },
  },
  {
    title: 'meanwhile its wall clock is set back',
    finds: 'fence-without-uptime',
    play(world) {
      const [node] = world.nodes;
      world.toggleDatabase(node!);
      world.pass(10);
      node!.wallOffset -= 100;
      world.pass(FREED - 10);
      grantToAnother(world);
    },
  },
  {
    title: 'it comes back just before the statement that declares it dead is executed, and is cut off again',
    finds: 'death-without-round',
    play(world) {
      const [node] = world.nodes;
      world.areBurialsLate = true;
      world.toggleDatabase(node!);
      world.pass(90);
      world.toggleDatabase(node!);
      world.pass(7);
      world.toggleDatabase(node!);
      world.areBurialsLate = false;
      world.pass(35);
      grantToAnother(world);
    },
  },
  {
    title: 'it comes back after it was declared dead, and is cut off again',
    finds: 'renews-when-dead',
    play(world) {
      const [node] = world.nodes;
      world.toggleDatabase(node!);
      world.pass(90);
      world.toggleDatabase(node!);
      world.pass(7);
      world.toggleDatabase(node!);
      world.pass(30);
      grantToAnother(world);
    },
  },
];

/** Returns the properties that a scenario violates under a mutation. */
export function violationsOf({ play }: Scenario, mutation: Mutation | null): readonly string[] {
  const world = new World(() => 0.5, { faults: true, mutation });
  world.pass(12);
  world.bindAt(0, 0, world.nodes[0]!);
  world.pass(3);
  world.visitAt(world.nodes[0]!, NAME);
  if (world.visits !== 1) throw new Error('the first agent has no tunnel');
  play(world);
  return world.violations.map(({ property }) => property);
}

function grantToAnother(world: World): void {
  const [first, second] = world.nodes;
  world.bindAt(2, 0, second!);
  world.pass(3);
  world.visitAt(first!, NAME);
}

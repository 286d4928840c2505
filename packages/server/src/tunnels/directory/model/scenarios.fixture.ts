/** Written schedules for faults that random ones meet too rarely. Each ends with a visit that the design refuses. */
import type { Mutation } from './mutations.fixture.ts';
import { type Property, World } from './world.fixture.ts';

export interface Scenario {
  readonly title: string;
  readonly finds: Mutation;
  /** Default 'exclusive'. */
  readonly violates?: Property;
  /** Gets a world in which three daemons have joined, and the first agent has its name at the first daemon. */
  readonly play: (world: World) => void;
}

const NAME = 'one.example';
/** Ticks in which a daemon that cannot renew is declared dead, and the holds of its names have passed. */
const FREED = 190;
/** Less: the fence of the first daemon has not fallen, and others would have declared each other dead. */
const FOREIGN = 100;

export const scenarios: readonly Scenario[] = [
  {
    title: 'a daemon loses the database, is declared dead, and its name is granted to another credential',
    finds: 'late-fence',
    play(world) {
      cutOff(world);
      world.pass(FREED);
      grantToAnother(world);
    },
  },
  {
    title: 'another credential claims its name before its fence has fallen',
    finds: 'early-death',
    play(world) {
      cutOff(world);
      world.pass(56);
      grantToAnother(world);
    },
  },
  {
    title: 'the daemons that observe it would serve for less time than it does',
    finds: 'foreign-grace',
    play(world) {
      cutOff(world);
      world.pass(FOREIGN);
      grantToAnother(world);
    },
  },
  {
    title: 'meanwhile its wall clock is set back',
    finds: 'fence-without-uptime',
    play(world) {
      const [node] = world.nodes;
      cutOff(world);
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
      cutOff(world);
      world.pass(150);
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
      cutOff(world);
      world.pass(150);
      world.toggleDatabase(node!);
      world.pass(7);
      world.toggleDatabase(node!);
      world.pass(30);
      grantToAnother(world);
    },
  },
  {
    title: 'a daemon loses the database and its links, and reports nothing',
    finds: 'isolation-assumed',
    play(world) {
      cutOff(world);
      world.pass(73);
      grantToAnother(world);
    },
  },
  {
    title:
      'a daemon loses the database, reports its isolation, and its name is granted to another credential',
    finds: 'isolated-serves',
    play(world) {
      world.toggleDatabase(world.nodes[0]!);
      world.pass(66);
      grantToAnother(world);
    },
  },
  {
    title:
      'a daemon loses the database, and the answer to its last renewal arrives after another credential has its name',
    finds: 'isolated-resumes',
    play(world) {
      const [first, second] = world.nodes;
      world.unanswered = first!;
      world.pass(13);
      world.toggleDatabase(first!);
      world.pass(53);
      world.bindAt(2, 0, second!);
      world.pass(3);
      world.unanswered = null;
      world.pass(1);
      world.visitAt(first!, NAME);
    },
  },
  {
    title: 'the database is away for all daemons',
    finds: 'isolates-alone',
    violates: 'goes-on',
    play(world) {
      world.database.isUp = false;
      world.pass(60);
    },
  },
  {
    title: 'it goes away while reports about renewals are under way, and these arrive late',
    finds: 'late-reports',
    violates: 'goes-on',
    play(world) {
      world.areReportsLate = true;
      world.toggleDatabase(world.nodes[0]!);
      world.pass(35);
      world.database.isUp = false;
      world.pass(20);
      world.areReportsLate = false;
      world.pass(1);
    },
  },
  {
    title: 'meanwhile the machine of the daemon that waits for them sleeps',
    finds: 'slept-over-reports',
    violates: 'goes-on',
    play(world) {
      const [first] = world.nodes;
      world.areReportsLate = true;
      world.toggleDatabase(first!);
      world.pass(35);
      world.database.isUp = false;
      first!.sleeps = true;
      world.pass(20);
      first!.sleeps = false;
      world.areReportsLate = false;
      world.pass(1);
    },
  },
  {
    title: 'it comes back for one daemon a moment before the other ones',
    finds: 'recovered-reports',
    violates: 'goes-on',
    play(world) {
      const [first, second] = world.nodes;
      world.database.isUp = false;
      world.pass(50);
      for (const node of [first!, second!]) world.toggleDatabase(node);
      world.database.isUp = true;
      world.pass(12);
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
  return [...new Set(world.violations.map(({ property }) => property))];
}

/** Cuts the first daemon from the database and from the other ones, which cannot report to it. */
function cutOff(world: World): void {
  const [first] = world.nodes;
  world.toggleDatabase(first!);
  world.toggleLinks(first!);
}

function grantToAnother(world: World): void {
  const [first, second] = world.nodes;
  world.bindAt(2, 0, second!);
  world.pass(3);
  world.visitAt(first!, NAME);
}

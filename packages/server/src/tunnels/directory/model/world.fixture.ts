/**
 * Three daemons, three agents, two names and a database, in random schedules: each message may be late, lost,
 * reordered, or executed after its sender gave up. The world holds every delivered visit against the order in which
 * the database granted claims.
 */
import type { Slot } from '../../../core/names/bind-target.ts';
import { type Claimant, sharesWith } from '../decide.ts';
import { type Incarnation, isLive, type Wish } from '../row.ts';
import { Database, type Granted, type Statement } from './database.fixture.ts';
import type { LinkMessage, Own, Session, Visit } from './messages.fixture.ts';
import type { Mutation } from './mutations.fixture.ts';
import { isListed, Node, type Surroundings } from './node.fixture.ts';

export type Property =
  /** Nothing reaches a tunnel after another credential was granted its name. */
  | 'exclusive'
  /** Nothing that begins after the answer to a bind reaches a tunnel that it replaced, if there are no faults. */
  | 'newest'
  /** Visitors of one daemon do not go back to an earlier tunnel. */
  | 'monotone'
  /** The copy of each daemon is that of the database, some time after the last fault. */
  | 'converged'
  /** Nothing is served that is not in the database, some time after the last fault. */
  | 'listed'
  /** Nothing is in the database that is not served, some time after the last fault. */
  | 'served'
  /** A daemon is isolated only if another one could renew meanwhile. */
  | 'goes-on';

export interface Violation {
  readonly property: Property;
  readonly text: string;
}

export interface Faults {
  /** Cuts, pauses, crashes and an unavailable database. */
  readonly faults: boolean;
  readonly mutation: Mutation | null;
}

interface Wire {
  readonly deliver: () => void;
  readonly canDeliver: () => boolean;
}

interface Agent {
  readonly party: Pick<Claimant, 'account' | 'credential' | 'clientId' | 'isPooled'>;
  readonly key: string;
  readonly sessions: ({ readonly node: Node; readonly life: number; readonly session: Session } | null)[];
}

interface Kept {
  readonly node: Node;
  readonly life: number;
  readonly key: string;
  readonly to: { readonly incarnation: Incarnation; readonly number: number };
}

const TIMES = { leaseMs: 20, graceMs: 120, isolationMs: 30 };
/** Each daemon has a grace of its own. */
const GRACES = [120, 30, 40] as const;
/** Ticks before an isolation in which another daemon has renewed: a moment ago, and before. */
const RENEWED = { justNow: 16, before: [20, 45] } as const;
const HOLD = 30;
const KEYS = ['one.example', 'two.example'] as const;
const PARTIES = [
  { account: 'ac_1', credential: 'cr_1', clientId: 'a', isPooled: false },
  { account: 'ac_1', credential: 'cr_1', clientId: 'b', isPooled: false },
  { account: 'ac_2', credential: 'cr_2', clientId: 'c', isPooled: false },
] as const;
/** Kept connections of visitors. */
const MOST_KEPT = 8;
/** Ticks after which all that is late has come, and all that is dead is buried. */
const HEAL_TICKS = 300;
/** Ticks in which a daemon that cannot renew is declared dead, and its names are free. */
const LONG_TICKS = 200;

export class World implements Surroundings {
  time = 0;
  readonly violations: Violation[] = [];
  readonly nodes: readonly Node[];
  readonly database: Database;
  /** The number of visits that reached a tunnel. */
  visits = 0;
  /** True while statements that declare daemons dead are on their way. */
  areBurialsLate = false;
  /** True while reports about renewals are on their way. */
  areReportsLate = false;
  /** The daemon that no answer of the database reaches for the moment; null: none. */
  unanswered: Node | null = null;
  readonly #random: () => number;
  readonly #options: Faults;
  readonly #agents: readonly Agent[];
  readonly #wire: Wire[] = [];
  readonly #kept: Kept[] = [];
  readonly #cutLinks = new Set<string>();
  readonly #cutFromDatabase = new Set<Node>();
  /** Ticks at which answered renewals were sent, by daemon. */
  readonly #renewed = new Map<Node, number[]>();
  readonly #boundAt = new Map<number, number>();
  readonly #newestSeen = new Map<
    string,
    { readonly order: number; readonly time: number; readonly facts: Claimant }
  >();
  #hadFaults = false;
  #isHealing = false;

  /** `random` returns numbers from 0 to below 1. */
  constructor(random: () => number, options: Faults) {
    this.#random = random;
    this.#options = options;
    const { mutation } = options;
    this.database = new Database(TIMES, mutation);
    this.nodes = GRACES.map((graceMs, index) => {
      const times = { ...TIMES, graceMs };
      return new Node(index, 0.95 + random() * 0.1, { world: this, times, mutation });
    });
    this.#agents = PARTIES.map((party) => ({
      party,
      key: KEYS[random() < 0.8 ? 0 : 1],
      sessions: [null, null],
    }));
  }

  /** Runs so many random steps, then ends all faults and checks the outcome. Stops at the first violation. */
  run(steps: number): readonly Violation[] {
    for (let step = 0; step < steps && this.violations.length === 0; step += 1) this.#step();
    if (this.violations.length === 0) this.#heal();
    return this.violations;
  }

  toDatabase(node: Node, statement: Statement): void {
    const sent = node.now;
    const sentAt = this.time;
    const { life } = node;
    const isCut = this.#cutFromDatabase.has(node);
    // A statement on a cut connection may have left before the cut.
    const arrives = !isCut || this.#random() < 0.3;
    this.#wire.push({
      canDeliver: () => statement.op !== 'bury' || !this.areBurialsLate,
      deliver: () => {
        const answer = arrives ? this.database.execute(statement, this.time) : null;
        if (answer !== null && !isCut && (this.#isHealing || this.#random() > 0.03))
          this.#answer(node, statement, () => {
            if (node.life !== life) return;
            if (statement.op === 'renew' || statement.op === 'join') this.#noteRenewal(node, sentAt);
            node.onAnswer(statement, answer, sent);
          });
      },
    });
  }

  toPeer(node: Node, incarnation: Incarnation, message: LinkMessage): void {
    const peer = this.nodes.find((one) => one.incarnation === incarnation);
    if (peer === undefined || this.#cutLinks.has(linkOf(node, peer))) return;
    this.#wire.push({
      canDeliver: () => !peer.isPaused && !peer.sleeps && !(message.kind === 'report' && this.areReportsLate),
      deliver: () => peer.onLink(node, message, incarnation),
    });
  }

  bound(_key: string, number: number): void {
    this.#boundAt.set(number, this.time);
  }

  delivered(visit: Visit, _node: Node, own: Own): void {
    this.visits += 1;
    const grants = this.database.grants.get(visit.key) ?? [];
    const order = grants.findIndex(({ number }) => number === own.number);
    const grant = grants[order]!;
    for (const later of grants.slice(order + 1)) {
      if (sharesWith(later.facts, grant.facts)) continue;
      if (later.facts.credential !== grant.facts.credential)
        this.#violated('exclusive', visit, `${own.number} is served, ${later.number} was granted`);
      else if (!this.#hadFaults && (this.#boundAt.get(later.number) ?? visit.began) < visit.began)
        this.#violated('newest', visit, `${own.number} is served, ${later.number} was answered`);
    }
    if (!visit.isKept) this.#monotone(visit, order, grant);
  }

  #monotone(visit: Visit, order: number, grant: Granted): void {
    const place = `${visit.at} ${visit.key}`;
    const newest = this.#newestSeen.get(place);
    if (newest === undefined || order >= newest.order)
      this.#newestSeen.set(place, { order, time: this.time, facts: grant.facts });
    else if (newest.time < visit.began && newest.facts.clientId !== grant.facts.clientId)
      this.#violated('monotone', visit, `the tunnel of grant ${order} follows that of ${newest.order}`);
  }

  #violated(property: Property, { key }: { readonly key: string }, text: string): void {
    this.violations.push({ property, text: `${key} at ${this.time}: ${text}` });
  }

  #answer(node: Node, { op }: Statement, deliver: () => void): void {
    const isHeld = () => this.unanswered === node && op !== 'join';
    this.#wire.push({ canDeliver: () => !node.isPaused && !node.sleeps && !isHeld(), deliver });
  }

  #noteRenewal(node: Node, sentAt: number): void {
    const known = this.#renewed.get(node) ?? [];
    known.push(sentAt);
    this.#renewed.set(node, known.slice(-20));
  }

  isolated(node: Node): void {
    const hasRenewed = (other: Node, from: number, to: number): boolean =>
      this.#renewed.get(other)?.some((at) => this.time - at >= from && this.time - at <= to) === true;
    const { justNow, before } = RENEWED;
    const renews = (other: Node): boolean => hasRenewed(other, 0, justNow) && hasRenewed(other, ...before);
    if (!this.nodes.some((other) => other !== node && renews(other)))
      this.#violated(
        'goes-on',
        { key: `daemon ${node.index}` },
        'it is isolated, and no other one can renew',
      );
  }

  #step(): void {
    const dice = this.#random();
    if (dice < 0.15) this.#tick();
    else if (dice < 0.6) this.#deliverOne();
    else if (dice < 0.78) this.#visit();
    else if (dice < 0.87) this.#agentComes();
    else if (dice < 0.92) this.#agentLeaves();
    else if (this.#options.faults) this.#fault();
    else this.#tick();
  }

  #tick(): void {
    this.time += 1;
    for (const node of this.nodes) {
      if (node.sleeps) node.slept += 1;
      else if (!node.isPaused) node.tick();
    }
  }

  #deliverOne(): void {
    const index = Math.floor(this.#random() * Math.min(this.#wire.length, 6));
    const message = this.#wire[index];
    if (message?.canDeliver() !== true) {
      this.#tick();
      return;
    }
    this.#wire.splice(index, 1);
    message.deliver();
  }

  #visit(): void {
    const node = this.#pick(this.nodes);
    if (node.isPaused || node.sleeps) return;
    const place = placeAt(node, this.time);
    const kept = this.#random() < 0.3 ? this.#pick(this.#kept) : undefined;
    if (kept !== undefined) {
      if (kept.node === node && kept.life === node.life)
        node.again({ ...place, key: kept.key, isKept: true }, kept.to);
      return;
    }
    const key = KEYS[this.#random() < 0.85 ? 0 : 1];
    this.visitAt(node, key);
  }

  #agentComes(): void {
    const agent = this.#pick(this.#agents);
    const leg = this.#random() < 0.3 ? 1 : 0;
    const last = agent.sessions[leg];
    const node = last?.session.hasLeft === true && this.#random() < 0.5 ? last.node : this.#pick(this.nodes);
    if (node.isPaused || node.sleeps || node.incarnation === null) return;
    this.bindAt(this.#agents.indexOf(agent), leg, node);
  }

  #agentLeaves(): void {
    const agent = this.#pick(this.#agents);
    const leg = this.#random() < 0.5 ? 1 : 0;
    const at = agent.sessions[leg];
    if (!at || at.node.life !== at.life || at.node.isPaused || at.node.sleeps || at.session.hasLeft) return;
    const wish = this.#wishOf(at.session.agent, leg);
    at.node.leave(agent.key, wish, at.session, this.#random() < 0.7);
  }

  #fault(): void {
    this.#hadFaults = true;
    const node = this.#pick(this.nodes);
    const dice = this.#random();
    if (dice < 0.2) this.toggleDatabase(node);
    else if (dice < 0.36) this.#cutLink(node, this.#pick(this.nodes));
    else if (dice < 0.5) node.isPaused = !node.isPaused;
    else if (dice < 0.58) this.#sleep(node);
    else if (dice < 0.66) node.crash();
    else if (dice < 0.74) this.database.isUp = !this.database.isUp;
    else if (dice < 0.79) this.database.clockOffset += Math.floor((this.#random() - 0.5) * 400);
    // A clock that is set back while its machine sleeps is the one case that the fence does not cover.
    else if (dice < 0.82 && node.slept === 0) node.wallOffset -= Math.floor(this.#random() * 100);
    else this.pass(dice < 0.92 ? 40 : LONG_TICKS);
  }

  /** An agent, by its index, binds its name over a leg at a daemon. */
  bindAt(agent: number, leg: number, node: Node): void {
    const { key, sessions } = this.#agents[agent]!;
    const session = { agent, leg, number: null, hasLeft: false };
    sessions[leg] = { node, life: node.life, session };
    node.bind(key, this.#wishOf(agent, leg), session);
  }

  #wishOf(agent: number, leg: number): Omit<Wish, 'incarnation'> {
    const { party, key } = this.#agents[agent]!;
    const session = `ts_${party.clientId}_${leg}`;
    return { facts: { ...party, session, bindId: 'b1', endpoint: { slot: key as Slot } }, holdMs: HOLD };
  }

  /** A visitor of a name comes to a daemon. */
  visitAt(node: Node, key: string): void {
    const to = node.visit({ ...placeAt(node, this.time), key, isKept: false });
    if (to !== null) this.#kept.push({ node, life: node.life, key, to });
    if (this.#kept.length > MOST_KEPT) this.#kept.shift();
  }

  /** Cuts or restores the connection of a daemon to the database. */
  toggleDatabase(node: Node): void {
    this.#hadFaults = true;
    toggle(this.#cutFromDatabase, node);
  }

  /** Much time passes, in which everything that can be delivered is, and agents and visitors go on. */
  pass(ticks: number): void {
    for (let tick = 0; tick < ticks && this.violations.length === 0; tick += 1) {
      this.#tick();
      this.#deliverAll();
      if (this.#isHealing) continue;
      if (this.#random() < 0.4) this.#visit();
      if (this.#random() < 0.05) this.#agentComes();
    }
  }

  #deliverAll(): void {
    for (const message of this.#wire.splice(0)) {
      if (message.canDeliver()) message.deliver();
      else this.#wire.push(message);
    }
  }

  #sleep(node: Node): void {
    if (node.wallOffset === 0) node.sleeps = !node.sleeps;
  }

  /** Cuts or restores the links of a daemon. */
  toggleLinks(node: Node): void {
    for (const other of this.nodes) this.#cutLink(node, other);
  }

  #cutLink(one: Node, other: Node): void {
    if (one !== other) toggle(this.#cutLinks, linkOf(one, other));
  }

  #heal(): void {
    this.#isHealing = true;
    for (const node of this.nodes) {
      node.isPaused = false;
      node.sleeps = false;
    }
    this.#cutLinks.clear();
    this.#cutFromDatabase.clear();
    this.database.isUp = true;
    this.areReportsLate = false;
    this.unanswered = null;
    this.pass(HEAL_TICKS);
    for (let turn = 0; turn < 3; turn += 1) this.#deliverAll();
    if (this.violations.length === 0) this.#checkOutcome();
  }

  #checkOutcome(): void {
    for (const [key, state] of this.database.keys) {
      for (const node of this.nodes) {
        const known = node.directory.get(key)?.version;
        if (known !== state.version)
          this.#violated(
            'converged',
            { key },
            `daemon ${node.index} has ${known}, the database ${state.version}`,
          );
      }
      for (const { number, incarnation, heldUntil } of state.rows) {
        const node = this.nodes.find((one) => one.incarnation === incarnation);
        if (heldUntil === undefined && node !== undefined && !node.has(key, number))
          this.#violated(
            'served',
            { key },
            `${number} is in the database, and daemon ${node.index} does not have it`,
          );
      }
    }
    for (const node of this.nodes)
      for (const [key, tunnels] of node.tunnels)
        for (const number of tunnels.keys()) {
          const state = this.database.keys.get(key);
          if (!isListed(state, number) || !state!.rows.some((row) => row.number === number && isLive(row)))
            this.#violated(
              'listed',
              { key },
              `daemon ${node.index} serves ${number}, which is not in the database`,
            );
        }
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)]!;
  }
}

function linkOf(one: Node, other: Node): string {
  return [one.index, other.index].sort().join('-');
}

function placeAt({ index, life }: Node, began: number): Pick<Visit, 'at' | 'began'> {
  return { at: `${index}/${life}`, began };
}

function toggle<Item>(set: Set<Item>, item: Item): void {
  if (!set.delete(item)) set.add(item);
}

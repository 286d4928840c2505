/** A daemon of the model: it acts on what it has heard, by the rules of the directory. */
import type { Claimant } from '../decide.ts';
import { Directory, rowOf } from '../directory.ts';
import { DeathWatch, type Moment, mayServe } from '../fence.ts';
import { canRenew, longest, Outage, type RenewalReport, Renewals } from '../isolation.ts';
import type { Incarnation, KeyRows, Wish } from '../row.ts';
import type { Answer, Listing, Statement } from './database.fixture.ts';
import type { LinkMessage, Own, Session, Visit } from './messages.fixture.ts';
import type { Mutation } from './mutations.fixture.ts';

/** The world around a daemon. */
export interface Surroundings {
  readonly time: number;
  toDatabase(node: Node, statement: Statement): void;
  toPeer(node: Node, incarnation: Incarnation, message: LinkMessage): void;
  /** A bind was answered. */
  bound(key: string, number: number): void;
  isolated(node: Node): void;
  /** A visitor's request reached a tunnel. */
  delivered(visit: Visit, node: Node, own: Own): void;
}

interface Claiming {
  readonly key: string;
  readonly wish: Wish;
  readonly session: Session;
}

interface Waiting {
  readonly statement: Statement;
  readonly claiming: Claiming | null;
  /** It may have been executed, because its answer did not come. */
  readonly isSent?: boolean;
}

interface InFlight extends Waiting {
  readonly sentAt: number;
}

/** A bind that waits until the daemons of replaced tunnels have confirmed. */
interface Unanswered {
  readonly key: string;
  readonly left: Set<number>;
  readonly since: number;
}

const RENEW_TICKS = 6;
const GIVE_UP_TICKS = 12;
const CONFIRM_TICKS = 4;
/** Ticks, by the clocks of the daemon, after which a report is too old. */
const REPORT_TICKS = 4;

export interface Times {
  readonly leaseMs: number;
  readonly graceMs: number;
  readonly isolationMs: number;
}

export class Node {
  readonly index: number;
  /** Counts lives of the process. Messages to earlier lives are lost. */
  life = 0;
  incarnation: Incarnation | null = null;
  /** True while the process is stopped. */
  isPaused = false;
  /** True while the machine sleeps, which its uptime does not count. */
  sleeps = false;
  slept = 0;
  wallOffset = 0;
  readonly #rate: number;
  readonly #world: Surroundings;
  readonly #times: Times;
  readonly #mutation: Mutation | null;
  #previous: Incarnation | null = null;
  #directory = new Directory();
  #tunnels = new Map<string, Map<number, Own>>();
  readonly #renewals: Renewals;
  #outage = new Outage(1);
  /** Daemons of the last list. */
  #others: readonly Incarnation[] = [];
  /** The next list is the first one of this life. */
  #isUnlisted = true;
  #deaths: DeathWatch;
  #waiting: Waiting[] = [];
  #inFlight: InFlight | null = null;
  readonly #unanswered = new Map<number, Unanswered>();
  /** Tunnels whose agent left, until the statement about it is sent. */
  readonly #lost = new Map<string, Own>();
  /** Tunnels that are served although a statement has given them up: the fault of a mutation. */
  readonly #ending = new Map<number, readonly [string, number]>();

  constructor(
    index: number,
    rate: number,
    options: { readonly world: Surroundings; readonly times: Times; readonly mutation: Mutation | null },
  ) {
    this.index = index;
    this.#rate = rate;
    this.#world = options.world;
    this.#times = options.times;
    this.#mutation = options.mutation;
    this.#renewals = new Renewals(options.times.isolationMs);
    this.#deaths = new DeathWatch(this.#deathTimes());
  }

  get now(): Moment {
    const { time } = this.#world;
    return { uptime: this.#rate * (time - this.slept), wall: time + this.wallOffset };
  }

  get directory(): Directory {
    return this.#directory;
  }

  get tunnels(): ReadonlyMap<string, ReadonlyMap<number, Own>> {
    return this.#tunnels;
  }

  has(key: string, number: number): boolean {
    return this.#tunnels.get(key)?.has(number) === true;
  }

  get serves(): boolean {
    const { now } = this;
    const renewed = this.#renewals.last;
    if (this.incarnation === null || this.#isSuspended) return false;
    switch (this.#mutation) {
      case 'no-fence':
        return renewed !== null;
      case 'late-fence':
        return mayServe(renewed, now, {
          leaseMs: this.#times.leaseMs * 2,
          graceMs: this.#times.graceMs * 2,
        });
      case 'fence-without-wall-clock':
        return mayServe(renewed && { ...renewed, wall: now.wall }, now, this.#times);
      case 'fence-without-uptime':
        return mayServe(renewed && { ...renewed, uptime: now.uptime }, now, this.#times);
      default:
        return mayServe(renewed, now, this.#times);
    }
  }

  /** The process ends, and starts anew. */
  crash(): void {
    for (const tunnels of this.#tunnels.values()) for (const own of tunnels.values()) leave(own.session);
    for (const { claiming } of [...this.#waiting, ...(this.#inFlight ? [this.#inFlight] : [])])
      if (claiming !== null) leave(claiming.session);
    this.life += 1;
    this.#previous = this.incarnation ?? this.#previous;
    this.incarnation = null;
    this.#isUnlisted = true;
    this.#directory = new Directory();
    this.#tunnels = new Map();
    this.#renewals.clear();
    this.#deaths = new DeathWatch(this.#deathTimes());
    this.#waiting = [];
    this.#inFlight = null;
    this.#unanswered.clear();
    this.#lost.clear();
    this.#ending.clear();
  }

  tick(): void {
    const { time } = this.#world;
    for (const [number, [key, at]] of [...this.#ending]) {
      if (time < at + CONFIRM_TICKS) continue;
      this.#ending.delete(number);
      this.#end(key, number);
    }
    if (this.incarnation === null) {
      const lifeMs = this.#times.leaseMs + this.#times.graceMs;
      if (time % RENEW_TICKS === 0)
        this.#world.toDatabase(this, { op: 'join', previous: this.#previous, lifeMs });
      return;
    }
    if (time % RENEW_TICKS === this.index * 2)
      this.#world.toDatabase(this, { op: 'renew', incarnation: this.incarnation });
    if (this.#inFlight !== null && time - this.#inFlight.sentAt > GIVE_UP_TICKS)
      this.#unknown(this.#inFlight);
    if (this.#inFlight === null) this.#sendNext();
    this.#watchIsolation();
    for (const [number, { key, since }] of [...this.#unanswered])
      if (time - since > CONFIRM_TICKS) this.#answer(key, number, false);
  }

  /** Requests reports of the others while it cannot renew. */
  #watchIsolation(): void {
    if (!this.#isCutOff(this.now)) return;
    if (this.#mutation === 'isolates-alone') this.#isolate();
    else for (const other of this.#others) this.#world.toPeer(this, other, { kind: 'renews', at: this.now });
  }

  #isCutOff(now: Moment): boolean {
    const { last } = this.#renewals;
    return last !== null && this.#outage.look(last, now) >= this.#times.isolationMs;
  }

  #onReport(report: RenewalReport | null, at: Moment): void {
    const { isolationMs } = this.#times;
    const { now } = this;
    const age = this.#mutation === 'slept-over-reports' ? now.uptime - at.uptime : longest(at, now);
    const isLate = age > REPORT_TICKS && this.#mutation !== 'late-reports';
    if (report === null || isLate || !this.#isCutOff(now)) return;
    const counted = this.#mutation === 'recovered-reports' ? { ...report, steadyMs: isolationMs } : report;
    if (canRenew(counted, isolationMs)) this.#isolate();
  }

  /** Ends everything, and with it this life: another daemon declares it dead. A late answer to a renewal changes nothing. */
  #isolate(): void {
    const { incarnation } = this;
    if (incarnation === null || this.#isSuspended) return;
    this.#world.isolated(this);
    if (this.#mutation === 'isolated-resumes') this.#isSuspended = true;
    else if (this.#mutation !== 'isolated-serves') this.crash();
    for (const other of this.#others) this.#world.toPeer(this, other, { kind: 'left', incarnation });
  }

  /** It serves nothing until the next renewal: the fault of a mutation. */
  #isSuspended = false;

  /** An agent binds a key. */
  bind(key: string, wish: Omit<Wish, 'incarnation'>, session: Session): void {
    if (this.incarnation === null) return;
    const lost = this.#lost.get(placeOf(key, wish.facts));
    // Its number may be used again only if no statement that gives it up was sent. Those that clean up follow another one.
    const isGivenUp = !this.#waiting.some(
      ({ statement, isSent = false }) =>
        !isSent && givesUp(statement, lost?.number ?? -1) && statement.op === 'give-up' && statement.isKept,
    );
    if (lost !== undefined && (!isGivenUp || this.#mutation === 'revives-numbers')) {
      this.#lost.delete(placeOf(key, wish.facts));
      this.#waiting = this.#waiting.filter(({ statement }) => !givesUp(statement, lost.number));
      this.#install(key, { ...lost, session });
      if (this.#follow(key)) return;
    }
    const claiming = { key, wish: { ...wish, incarnation: this.incarnation }, session };
    this.#waiting.push({ statement: { op: 'claim', key, wish: claiming.wish }, claiming });
  }

  /** An agent leaves, or its connection is lost. */
  leave(key: string, wish: Omit<Wish, 'incarnation'>, session: Session, isKept: boolean): void {
    const { number } = session;
    leave(session);
    const own = number === null ? undefined : this.#tunnels.get(key)?.get(number);
    if (own === undefined || own.session !== session) return;
    this.#end(key, own.number);
    if (isKept) this.#lost.set(placeOf(key, wish.facts), own);
    this.#giveUp(key, own.number, isKept);
  }

  /** A visitor comes. Returns the connection that may be kept, if there is one. */
  visit(visit: Visit): { readonly incarnation: Incarnation; readonly number: number } | null {
    if (!this.serves || this.incarnation === null || this.#isUnlisted) return null;
    const own = [...(this.#tunnels.get(visit.key)?.values() ?? [])].sort((a, b) => b.number - a.number)[0];
    if (own !== undefined) {
      this.#world.delivered(visit, this, own);
      return { incarnation: this.incarnation, number: own.number };
    }
    const remote = this.#directory
      .live(visit.key)
      .filter(({ incarnation }) => incarnation !== this.incarnation)
      .sort((a, b) => b.number - a.number)[0];
    if (remote === undefined) return null;
    const { incarnation, number } = remote;
    this.#world.toPeer(this, incarnation, { kind: 'hop', key: visit.key, number, visit });
    return { incarnation, number };
  }

  /** Another request comes on a connection that a visitor has kept. */
  again(visit: Visit, to: { readonly incarnation: Incarnation; readonly number: number }): void {
    const { number, incarnation } = to;
    if (incarnation !== this.incarnation)
      this.#world.toPeer(this, incarnation, { kind: 'hop', key: visit.key, number, visit });
    else this.#serve(visit, number);
  }

  onLink(from: Node, message: LinkMessage, incarnation: Incarnation): void {
    if (incarnation !== this.incarnation) return;
    switch (message.kind) {
      case 'rows': {
        const { key, state, by, old } = message;
        this.#learn(key, state);
        if (from.incarnation !== null)
          this.#world.toPeer(this, from.incarnation, { kind: 'confirmed', by, old });
        return;
      }
      case 'confirmed': {
        const waiting = this.#unanswered.get(message.by);
        waiting?.left.delete(message.old);
        if (waiting?.left.size === 0) this.#answer(waiting.key, message.by, true);
        return;
      }
      case 'renews':
        if (from.incarnation !== null)
          this.#world.toPeer(this, from.incarnation, {
            kind: 'report',
            at: message.at,
            report: this.#renewals.report(this.now),
          });
        return;
      case 'report':
        this.#onReport(message.report, message.at);
        return;
      case 'left':
        this.#world.toDatabase(this, { op: 'leave', incarnation: message.incarnation });
        return;
      case 'hop':
        this.#serve(message.visit, message.number);
    }
  }

  /** `sent` is the moment at which the statement was sent. */
  onAnswer(statement: Statement, answer: Answer, sent: Moment): void {
    if (answer.kind === 'dead') {
      if (statement.op === 'renew' && statement.incarnation === this.incarnation) this.crash();
    } else if (answer.kind === 'joined') {
      if (this.incarnation !== null) return;
      this.incarnation = answer.incarnation;
      this.#renewals.answered(sent);
      this.#world.toDatabase(this, { op: 'read' });
    } else if (answer.kind === 'listed') {
      if (statement.op === 'renew' && statement.incarnation === this.incarnation) this.#renew(sent);
      this.#onListing(answer);
    } else if (this.#inFlight?.statement === statement) this.#onResult(this.#inFlight, answer);
  }

  #renew(sent: Moment): void {
    const moment = this.#mutation === 'renewal-from-its-answer' ? this.now : sent;
    this.#renewals.answered(moment);
    this.#isSuspended = false;
  }

  #onListing({ keys, nodes }: Listing): void {
    this.#isUnlisted = false;
    for (const [key, state] of keys) {
      this.#learn(key, state);
      for (const row of state.rows) {
        const isMine = row.incarnation === this.incarnation && row.heldUntil === undefined;
        const isKnown = this.has(key, row.number) || this.#isPending(key, row.number);
        if (isMine && !isKnown && this.#mutation !== 'no-clean-up') this.#giveUp(key, row.number, false);
      }
    }
    const others = new Map([...nodes].filter(([incarnation]) => incarnation !== this.incarnation));
    this.#others = [...others].filter(([, { deadSince }]) => deadSince === null).map(([one]) => one);
    if (this.#mutation === 'death-by-database-clock') return;
    for (const { incarnation, round } of this.#deaths.observe(others, this.now.uptime))
      this.#world.toDatabase(this, { op: 'bury', incarnation, round });
  }

  /** A claim of the key is under way, so its row may be that of the claim; or the row is given up already. */
  #isPending(key: string, number: number): boolean {
    const { statement } = this.#inFlight ?? {};
    if (statement?.op === 'claim' && statement.key === key) return true;
    return [...this.#waiting, { statement }].some(
      ({ statement: one }) => one !== undefined && givesUp(one, number),
    );
  }

  #onResult({ statement, claiming }: InFlight, answer: Answer): void {
    this.#inFlight = null;
    if (claiming === null || statement.op !== 'claim') return;
    const { key, session } = claiming;
    if (answer.kind !== 'granted') {
      leave(session);
      return;
    }
    const { number, state } = answer;
    this.#learn(key, state);
    const isOver = this.#directory.isOver(key, number, state.version);
    if (session.hasLeft || (isOver && this.#mutation !== 'answers-unfenced')) {
      session.hasLeft = true;
      this.#giveUp(key, number, false);
      return;
    }
    this.#install(key, { number, version: state.version, session });
    const replaced = state.rows.filter(
      (row) => row.isOver && row.heldUntil === undefined && row.incarnation !== this.incarnation,
    );
    if (replaced.length === 0 || this.#mutation === 'replaced-unnotified') {
      this.#world.bound(key, number);
      return;
    }
    const left = new Set(replaced.map((row) => row.number));
    this.#unanswered.set(number, { key, left, since: this.#world.time });
    for (const row of replaced)
      this.#world.toPeer(this, row.incarnation, { kind: 'rows', key, state, by: number, old: row.number });
  }

  #answer(key: string, number: number, isConfirmed: boolean): void {
    this.#unanswered.delete(number);
    if (isConfirmed) this.#world.bound(key, number);
  }

  #learn(key: string, state: KeyRows): void {
    if (this.#mutation === 'older-rows-win') this.#directory = forgetting(this.#directory, key);
    this.#directory.merge(key, state);
    this.#follow(key);
  }

  /** Ends own tunnels that were replaced, and then deletes their rows. Returns true if one of the key is served. */
  #follow(key: string): boolean {
    for (const { number, version } of [...(this.#tunnels.get(key)?.values() ?? [])]) {
      if (!this.#directory.isOver(key, number, version) || this.#ending.has(number)) continue;
      if (this.#mutation === 'deletes-before-it-ends') this.#ending.set(number, [key, this.#world.time]);
      else this.#end(key, number);
      this.#giveUp(key, number, false);
    }
    return (this.#tunnels.get(key)?.size ?? 0) > 0;
  }

  #serve(visit: Visit, number: number): void {
    const tunnels = this.#tunnels.get(visit.key);
    const own = this.#mutation === 'hop-by-name' ? tunnels?.values().next().value : tunnels?.get(number);
    if (this.#mutation === 'kept-connections-unchecked' && visit.isKept) {
      // The connection to the agent outlives its tunnel.
      const kept = own ?? this.#ended.get(number);
      if (kept !== undefined) this.#world.delivered(visit, this, kept);
    } else if (own !== undefined && this.serves) this.#world.delivered(visit, this, own);
  }

  readonly #ended = new Map<number, Own>();

  #install(key: string, own: Own): void {
    const tunnels = this.#tunnels.get(key) ?? new Map<number, Own>();
    this.#tunnels.set(key, tunnels.set(own.number, own));
    own.session.number = own.number;
  }

  #end(key: string, number: number): void {
    const own = this.#tunnels.get(key)?.get(number);
    if (own === undefined) return;
    this.#tunnels.get(key)?.delete(number);
    leave(own.session);
    if (this.#mutation === 'kept-connections-unchecked') this.#ended.set(number, own);
  }

  #giveUp(key: string, number: number, isKept: boolean): void {
    if (this.incarnation === null || this.#waiting.some(({ statement }) => givesUp(statement, number)))
      return;
    if (this.#inFlight !== null && givesUp(this.#inFlight.statement, number)) return;
    const statement = { op: 'give-up', key, number, incarnation: this.incarnation, isKept } as const;
    this.#waiting.push({ statement, claiming: null });
  }

  #sendNext(): void {
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#inFlight = { ...next, sentAt: this.#world.time };
    this.#world.toDatabase(this, next.statement);
  }

  /** A statement whose answer did not come may still be executed. */
  #unknown({ statement, claiming }: InFlight): void {
    this.#inFlight = null;
    if (statement.op === 'give-up')
      this.#waiting.push({ statement: { ...statement }, claiming: null, isSent: true });
    if (claiming !== null) leave(claiming.session);
  }

  #deathTimes(): Pick<Times, 'leaseMs' | 'graceMs'> {
    const { leaseMs, graceMs, isolationMs } = this.#times;
    if (this.#mutation === 'isolation-assumed') return { leaseMs, graceMs: isolationMs - leaseMs };
    return this.#mutation === 'early-death' ? { leaseMs, graceMs: 0 } : { leaseMs, graceMs };
  }
}

/** Returns true if a row of the key has the number. */
export function isListed(state: KeyRows | undefined, number: number): boolean {
  return state !== undefined && rowOf(state, number) !== undefined;
}

function leave(session: Session): void {
  session.hasLeft = true;
  session.number = null;
}

function givesUp(statement: Statement, number: number): boolean {
  return statement.op === 'give-up' && statement.number === number;
}

function placeOf(key: string, { session, bindId }: Claimant): string {
  return JSON.stringify([key, session, bindId]);
}

function forgetting(directory: Directory, forgotten: string): Directory {
  const other = new Directory();
  for (const [key, state] of directory.entries()) if (key !== forgotten) other.merge(key, state);
  return other;
}

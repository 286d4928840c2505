/**
 * One daemon in the directory: it renews, follows the directory, makes changes in batches, and declares others dead.
 * Invariant: it serves a tunnel only while the fence is up and no newer version of the key has the tunnel as replaced.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { SessionFacts } from '../../online/session.ts';
import type {
  ClaimAnswer,
  ClaimedTunnel,
  DirectoryChanges,
  DirectoryDatabase,
  OverReason,
  Reserved,
  StoredKey,
  TunnelEnd,
  UpdatedTunnel,
} from '../../store/postgres/directory.ts';
import { alone } from './alone.ts';
import type { Claimant } from './decide.ts';
import { Directory } from './directory.ts';
import { DeathWatch, type Moment, mayServe } from './fence.ts';
import { FormerTunnels } from './former.ts';
import { type RenewalReport, Renewals } from './isolation.ts';
import { IsolationWatch } from './isolation-watch.ts';
import { Mark } from './mark.ts';
import { Neighbours } from './neighbours.ts';
import type { NodeOptions } from './node-options.ts';
import { onceAMinute } from './once-a-minute.ts';
import { OwnRows } from './own.ts';
import { ChangeQueue, type ClaimOutcome, type Pending } from './queue.ts';
import { Reads } from './reads.ts';
import { Replaced } from './replaced.ts';
import { type DirectoryRow, type Incarnation, isLive, type KnownNode } from './row.ts';
import { claimantOf, rowsOf, statesOf, withLife } from './stored.ts';

type Ending = Pick<TunnelEnd, 'kept' | 'forgotten'>;

/** Renewals in the time of a lease, and checks of the fence and of changes without a notification. */
const RENEWALS = 4;
const LOOKS = 20;
const SWEEP_MS = 600_000;
/** The longest time for the last changes of a daemon that stops. */
const LEAVE_MS = 5_000;

export class DirectoryNode {
  readonly #options: NodeOptions;
  readonly #directory = new Directory();
  readonly #deaths: DeathWatch;
  readonly #own = new OwnRows();
  readonly #queue: ChangeQueue;
  /** Numbers whose end waits or is under way. */
  readonly #ending = new Set<number>();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #listeners: ((key: string) => void)[] = [];
  readonly draining = new Mark();
  /** The daemon serves nothing, because it alone is cut off from the database. */
  readonly isolated = new Mark();
  readonly #isolation: IsolationWatch | null;
  readonly #renewals: Renewals;
  readonly #neighbours = new Neighbours();
  readonly #former = new FormerTunnels();
  readonly #ready = Promise.withResolvers<void>();
  #incarnation: Incarnation | null = null;
  #previous: Incarnation | null;
  /** The incarnation of a join without an answer, which may have been executed. */
  #joining: Incarnation | null = null;
  readonly #reads: Reads;
  /** The next list of all may be of another history. */
  #isOtherHistory = false;

  constructor(options: NodeOptions) {
    this.#options = options;
    this.#previous = options.previous;
    this.#deaths = new DeathWatch(options.times);
    this.#renewals = new Renewals(options.times.leaseMs);
    this.#isolation = this.#isolationWatch(options);
    if (options.previous !== null) this.#neighbours.addOwn(options.previous);
    this.#reads = new Reads({
      link: options.link,
      learn: (changes, isWhole) => (isWhole ? this.#learnAll(changes) : this.#learnChanges(changes)),
      learned: (isWhole) => this.#learned(isWhole),
    });
    this.#queue = new ChangeQueue({
      link: options.link,
      // No claim is sent before the list of a new connection, which may be of another history.
      incarnation: () => (this.#reads.isNextWhole ? null : this.#incarnation),
      isOf: (incarnation) => incarnation === this.#incarnation,
      answered: (answers, batch) => this.#batchAnswered(answers, batch),
      failed: onceAMinute(options),
    });
  }

  /** Resolves when the daemon has joined and knows the directory. */
  start(): Promise<void> {
    const { leaseMs } = this.#options.times;
    this.#options.link.start({
      connected: (isOther) => void this.#connected(isOther),
      news: () => void this.#reads.read(),
    });
    this.#timers.push(
      setInterval(
        alone(() => this.#renew()),
        leaseMs / RENEWALS,
      ).unref(),
      setInterval(() => this.#watchFence(), leaseMs / LOOKS).unref(),
      // A notification may be lost.
      setInterval(() => void this.#reads.read(), leaseMs / LOOKS).unref(),
      setInterval(
        alone(() => this.#try((database) => database.sweep())),
        SWEEP_MS,
      ).unref(),
    );
    return this.#ready.promise;
  }

  #isolationWatch({ isolation, now, times }: NodeOptions): IsolationWatch | null {
    if (isolation === undefined) return null;
    const isolate = (): void => this.#isolate();
    const renewed = (): Moment | null => this.#renewals.last;
    return new IsolationWatch({ ...isolation, now, renewed, lookMs: times.leaseMs / LOOKS, isolate });
  }

  /**
   * Ends everything and this life, so that no late answer of the database brings a tunnel back. The next life begins when
   * the database is there.
   */
  #isolate(): void {
    const incarnation = this.#incarnation;
    if (incarnation === null) return;
    this.isolated.set(true);
    this.#died('isolated');
    this.#isolation?.ended(incarnation);
  }

  /** The renewals of this life, for another daemon; null: there was none. */
  get renewals(): RenewalReport | null {
    return this.#renewals.report(this.#options.now());
  }

  /** Declares another daemon dead that has reported its isolation. Rejects without the database. */
  async bury(incarnation: Incarnation): Promise<void> {
    const ended = await this.#options.link.run((database) => database.isolate(incarnation));
    this.#options.ended?.(ended as readonly SessionFacts[]);
  }

  /** Marks this daemon as one whose agents go to others. Without the database, nothing is marked. */
  async drain(): Promise<void> {
    const incarnation = this.#incarnation;
    if (incarnation !== null) await this.#try((database) => database.drain(incarnation));
  }

  /** Leaves: call it when all tunnels have ended. Their rows are written if the database is there. */
  async stop(): Promise<void> {
    const late = new AbortController();
    const deadline = pause(LEAVE_MS, undefined, { signal: late.signal }).catch(() => {});
    await Promise.race([this.#leave(), deadline]);
    late.abort();
    for (const timer of this.#timers) clearInterval(timer);
    await this.#options.link.stop();
  }

  async #leave(): Promise<void> {
    await this.#queue.flush();
    this.#reads.stop();
    this.#queue.stop();
    const incarnation = this.#incarnation;
    if (incarnation !== null) await this.#try((database) => database.leave(incarnation));
  }

  /** True if the daemon may serve its tunnels at this moment. */
  get serves(): boolean {
    return mayServe(this.#renewals.last, this.#options.now(), this.#options.times);
  }

  /** Rows of all daemons for a key, as far as this one knows. */
  rows(key: string): readonly DirectoryRow[] {
    return this.#directory.get(key)?.rows ?? [];
  }

  keys(): Iterable<string> {
    return this.#directory.keys();
  }

  /** Null: the daemon is about to join. */
  get incarnation(): Incarnation | null {
    return this.#incarnation;
  }

  /** Daemons of the database, as far as this one knows. */
  get nodes(): ReadonlyMap<Incarnation, KnownNode> {
    return this.#neighbours.nodes;
  }

  row(number: number): DirectoryRow | undefined {
    return this.#directory.row(number);
  }

  /** Returns the tunnels of other daemons that visitors of a key may be led to. A daemon that is not known yet is alive. */
  liveElsewhere(key: string): readonly DirectoryRow[] {
    const { rows } = this.#directory.get(key) ?? { rows: [] };
    return rows.filter((row) => isLive(row) && this.#neighbours.isElsewhere(row));
  }

  /** Calls the listener for each key whose rows have changed, in the same turn, and for those of a daemon that is dead. */
  onRows(listener: (key: string) => void): void {
    this.#listeners.push(listener);
  }

  /** Claims a key for a tunnel. Waits while the database is away. */
  claim(key: string, wish: ClaimedTunnel, unless?: Reserved): Promise<ClaimOutcome> {
    const wait = this.#former.waitOf(key, claimantOf(wish), this.#options.now().uptime);
    if (wait !== null) return Promise.resolve({ outcome: 'refused', wait });
    const { promise, resolve } = Promise.withResolvers<ClaimOutcome>();
    this.#queue.push({ key, wish, ...(unless && { unless }) }, resolve);
    return promise;
  }

  /** Ends claims of a session that were not sent yet, so that sessions which come and go in an outage leave none. */
  cancel(session: string): void {
    const ended = this.#queue.takeOut(({ change }) => 'wish' in change && change.wish.session === session);
    for (const { settle } of ended) settle({ outcome: 'over' });
  }

  /** Ends own tunnels that claims of other daemons have replaced. Numbers that are not own have no effect. */
  end(numbers: readonly number[]): void {
    for (const number of numbers) {
      if (!this.#own.has(number)) continue;
      this.#options.over(number, null);
      this.giveUp(number);
    }
  }

  /**
   * Gives up a tunnel that was ended. `kept`: its name is held for its credential. `forgotten`: changes that its agent
   * made of it are forgotten everywhere.
   */
  giveUp(number: number, { kept = false, forgotten = false } = {}): void {
    const own = this.#own.get(number);
    if (own === undefined) return;
    this.#own.delete(number);
    this.#queueEnd(own.key, number, { kept, forgotten });
  }

  /** Writes other facts into the row of a tunnel of this daemon. */
  update(number: number, facts: UpdatedTunnel): void {
    const own = this.#own.get(number);
    if (own === undefined) return;
    this.#queue.takeOut(({ change }) => 'update' in change && change.number === number);
    this.#queue.push({ key: own.key, number, update: facts });
  }

  /** Marks the row of another daemon as over, so that its daemon ends what it stands for. */
  markOver({ number, facts: { credential } }: DirectoryRow, reason: OverReason): void {
    const key = this.#directory.keyOf(number);
    if (key === undefined || this.#queue.has((change) => 'over' in change && change.number === number))
      return;
    this.#queue.push({ key, number, over: reason, credential });
  }

  /** Ends the hold of a name that this daemon has made. */
  release(key: string, number: number): void {
    const isEnd = ({ change }: Pending) => 'kept' in change && change.number === number;
    this.#queue.takeOut(isEnd);
    this.#ending.delete(number);
    this.#queueEnd(key, number, { kept: false, forgotten: false });
  }

  /**
   * Takes back the tunnel of an agent that returns before any statement has given the tunnel up. Returns its number;
   * null: there is none. So an agent has its name again while the database is away. `isAlike`: false for a tunnel that
   * visitors would find another service at.
   */
  revive(
    key: string,
    { credential, clientId, isPooled }: Claimant,
    isAlike: (row: DirectoryRow) => boolean = () => true,
  ): number | null {
    for (const pending of this.#queue.waiting) {
      const { change, isSent } = pending;
      if (isSent || change.key !== key || !('kept' in change) || !change.kept) continue;
      const row = this.rows(key).find(({ number }) => number === change.number);
      if (row === undefined || !isLive(row) || row.incarnation !== this.#incarnation || !isAlike(row))
        continue;
      const { facts } = row;
      if (facts.credential !== credential || facts.clientId !== clientId || facts.isPooled !== isPooled)
        continue;
      this.#queue.takeOut((one) => one === pending);
      this.#ending.delete(row.number);
      this.#own.add(row.number, { key, version: this.#directory.get(key)!.version });
      return row.number;
    }
    return null;
  }

  #queueEnd(key: string, number: number, how: Ending): void {
    if (this.#ending.has(number)) return;
    this.#ending.add(number);
    this.#queue.push({ key, number, ...how });
  }

  #batchAnswered(answers: readonly (ClaimAnswer | null)[], batch: readonly Pending[]): void {
    const replaced = new Replaced();
    for (const [index, pending] of batch.entries()) this.#answered(answers[index] ?? null, pending, replaced);
    void replaced.end(async (numbers) => this.#options.replaced?.(numbers));
  }

  #answered(answer: ClaimAnswer | null, pending: Pending, replaced: Replaced): void {
    const { settle, change } = pending;
    if ('kept' in change) this.#ending.delete(change.number);
    if (answer === null) return;
    if (answer.outcome === 'refused' || answer.outcome === 'reserved') settle(answer);
    else if (answer.outcome === 'dead') {
      this.#queue.again(pending);
      this.#died('dead');
    } else {
      const { key, version, number } = answer;
      this.#own.add(number, { key, version });
      this.#learn(answer);
      const settled = (): void =>
        settle(this.#own.has(number) ? { outcome: 'granted', number } : { outcome: 'over' });
      const serves = (one: Incarnation) => one !== this.#incarnation && !this.#neighbours.isDead(one);
      const others = answer.tunnels.filter(({ over, incarnation }) => over && serves(incarnation));
      if (others.length === 0) settled();
      else replaced.add(others, settled);
    }
  }

  async #connected(isOther: boolean): Promise<void> {
    // After a failover other rows may have the versions that are known here.
    this.#reads.forget();
    this.#isOtherHistory ||= isOther;
    if (this.#incarnation === null) await this.#join();
    else await this.#renew();
    await this.#reads.read();
    void this.#queue.flush();
  }

  async #join(): Promise<void> {
    // A join without an answer may have been executed: it is the same life.
    const incarnation = this.#joining ?? randomBytes(6).readUIntBE(0, 6);
    this.#joining = incarnation;
    const sent = this.#options.now();
    await this.#try(async (database) => {
      if (this.#incarnation !== null) return;
      const facts = withLife(this.#options.facts, this.#options.times);
      const ended = await database.join(incarnation, facts, this.#previous, this.draining.is);
      this.#joining = null;
      if (ended === null) return;
      this.#options.ended?.(ended as readonly SessionFacts[]);
      this.#options.joined(incarnation);
      this.#incarnation = incarnation;
      this.#previous = incarnation;
      this.#neighbours.addOwn(incarnation);
      this.#renewals.answered(sent);
      this.#isolation?.joined();
    });
  }

  async #renew(): Promise<void> {
    const incarnation = this.#incarnation;
    if (incarnation === null) return await this.#join();
    const sent = this.#options.now();
    await this.#try(async (database) => {
      const isAlive = await database.renew(incarnation);
      if (this.#incarnation !== incarnation) return;
      if (!isAlive) return this.#died('dead');
      this.#renewals.answered(sent);
      const states = statesOf(await database.nodes(), sent.wall);
      const others = new Map([...states].filter(([one]) => one !== incarnation));
      for (const dead of this.#deaths.observe(others, this.#options.now().uptime)) {
        const ended = await database.bury(dead.incarnation, dead.round);
        this.#options.ended?.(ended as readonly SessionFacts[]);
      }
    });
    // Not awaited: it goes on while there are news.
    void this.#reads.read().then(() => this.#queue.flush());
  }

  /** The directory has given the names of this daemon away, or will: it serves nothing more under them. */
  #died(reason: 'dead' | 'lost' | 'isolated'): void {
    if (this.#incarnation === null) return;
    this.#incarnation = null;
    this.#renewals.clear();
    this.#reads.forget();
    this.#own.clear();
    this.#options.fenced(reason);
    void this.#join().then(() => this.#reads.read());
  }

  #watchFence(): void {
    this.#isolation?.look();
    if (this.#incarnation === null || this.serves) return;
    if (this.#own.size > 0) this.#options.fenced('silent');
  }

  #learned(isWhole: boolean): void {
    if (this.isolated.is && this.#incarnation !== null) this.#isolation?.back(() => this.isolated.set(false));
    if (!isWhole) return;
    this.#ready.resolve();
    void this.#queue.flush();
  }

  #learnChanges({ keys, nodes }: DirectoryChanges): void {
    const died = this.#neighbours.learn(nodes);
    this.draining.set(nodes.find(({ incarnation }) => incarnation === this.#incarnation)?.draining);
    this.#options.nodes?.(this.#neighbours.others(this.#incarnation));
    for (const key of keys) this.#learn(key);
    this.#changed(this.#keysOf(died));
  }

  #learnAll(changes: DirectoryChanges): void {
    const before = new Map([...this.#directory.entries()].map(([key, { rows }]) => [key, rows]));
    this.#directory.clear();
    this.#learnChanges(changes);
    this.#changed([...before.keys()].filter((key) => this.#directory.get(key) === undefined));
    const hasAll = this.#hasAllOwn();
    if (this.#isOtherHistory || !hasAll) this.#keepFormer(before);
    this.#isOtherHistory = false;
    if (!hasAll) this.#died('lost');
  }

  /** Commits of the former history may be lost: names of tunnels that are missing now stay with their credentials. */
  #keepFormer(before: ReadonlyMap<string, readonly DirectoryRow[]>): void {
    const { now } = this.#options;
    const until = now().uptime + this.#neighbours.longestLifeMs;
    this.#former.keep(before, (number) => this.#directory.row(number) === undefined, until);
    const waitOf = (key: string, wish: ClaimedTunnel) =>
      this.#former.waitOf(key, claimantOf(wish), now().uptime);
    const refused = this.#queue.takeOut(
      ({ change }) => 'wish' in change && waitOf(change.key, change.wish) !== null,
    );
    for (const { change, settle } of refused)
      if ('wish' in change) settle({ outcome: 'refused', wait: waitOf(change.key, change.wish) });
  }

  #learn(state: StoredKey): void {
    const { key } = state;
    const before = this.#directory.get(key)?.version ?? 0;
    if (!this.#directory.merge(key, rowsOf(state))) return;
    const forgotten = state.forgotten.filter(({ version }) => version > before);
    if (forgotten.length > 0) this.#options.forgotten?.(forgotten);
    for (const row of this.rows(key)) {
      if (row.incarnation !== this.#incarnation || row.heldUntil !== undefined) continue;
      const own = this.#own.get(row.number);
      if (own === undefined) this.#cleanUp(key, row.number);
    }
    for (const number of [...this.#own.at(key)]) {
      if (!this.#directory.isOver(key, number, this.#own.get(number)!.version)) continue;
      this.#options.over(number, this.#directory.row(number)?.overBy ?? null);
      this.giveUp(number);
    }
    // One connection brings all, in the order of the database.
    this.#directory.forgetEmpty(key);
    this.#changed([key]);
  }

  *#keysOf(daemons: ReadonlySet<Incarnation>): Iterable<string> {
    if (daemons.size === 0) return;
    for (const [key, { rows }] of this.#directory.entries())
      if (rows.some(({ incarnation }) => daemons.has(incarnation))) yield key;
  }

  #changed(keys: Iterable<string>): void {
    for (const key of keys) for (const listener of this.#listeners) listener(key);
  }

  /** Returns false if the database, which may be another one after a failover, lacks a tunnel of this daemon. */
  #hasAllOwn(): boolean {
    return [...this.#own.all()].every(([number, { key }]) =>
      this.rows(key).some((row) => row.number === number),
    );
  }

  /** Deletes the row of a claim whose answer was lost, unless it is that of a claim under way. */
  #cleanUp(key: string, number: number): void {
    if (this.#queue.has((change) => change.key === key && 'wish' in change)) return;
    this.#queueEnd(key, number, { kept: false, forgotten: false });
  }

  /** Calls the database if it is there. Errors are those of the connection, which is made again. */
  async #try(call: (database: DirectoryDatabase) => Promise<void>): Promise<void> {
    await this.#options.link.run(call).catch(() => {});
  }
}

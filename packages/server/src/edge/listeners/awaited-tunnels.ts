/**
 * Holds visitors who come before the agents do: to a restarted daemon, and to names whose agents were lost a moment ago.
 * Visitors of an inherited socket are first in its queue. All listeners of the edge share it.
 * Invariant: a served name never waits, and no name waits longer than agents take to return.
 * Invariant: one network cannot use up all places.
 */
import { PlacesBySource } from '../../core/limits/places-by-source.ts';
import type { Hostname, HostPattern } from '../../core/names/hostname.ts';
import { namesFrom } from '../compile/nearest-reservation.ts';

/** Milliseconds between checks for the tunnels. */
const LOOK_MS = 20;
/** Milliseconds of one check: strangers may wait for any number of names, and agents use the same thread. */
const LOOK_FOR_MS = 2;
/** Connections that wait at a time; beyond it one of the network that has most is answered as things are. */
const MOST_WAITING = 4096;
/** Names whose agents are expected: the oldest ones are not, if there are more. */
const MOST_NAMES = 100_000;

interface Waiting {
  /** The key of the visitor's address, from `sourceKey`. */
  readonly source: string;
  /** Absent: it comes to a port. */
  readonly name?: Hostname;
  /** Also true of one that waits for nothing any more. */
  readonly isServed: () => boolean;
  readonly goOn: () => void;
}

export class AwaitedTunnels {
  readonly #now: () => number;
  /** Waiting visitors. The first one is checked next. */
  readonly #waiting = new Set<Waiting>();
  readonly #places = new PlacesBySource<Waiting>();
  #until = Number.NEGATIVE_INFINITY;
  /** Times until which agents of names and patterns are expected, the oldest first. */
  readonly #names = new Map<HostPattern | Hostname, number>();
  /** The last of all these times; minus infinity when it has passed. */
  #latest = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Visitors that wait. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Expects agents for so many milliseconds from now. */
  expect(ms: number): void {
    this.#until = this.#now() + ms;
    this.#latest = Math.max(this.#latest, this.#until);
  }

  /** Expects the agent of one name or pattern for so many milliseconds from now. */
  expectAt(name: HostPattern | Hostname, ms: number): void {
    const now = this.#now();
    for (const [known, until] of this.#names) {
      if (until > now && this.#names.size < MOST_NAMES) break;
      this.#names.delete(known);
    }
    this.#names.delete(name);
    this.#names.set(name, now + ms);
    this.#latest = Math.max(this.#latest, now + ms);
  }

  /** Calls `goOn` at once, or later: when `isServed` is true, the time has passed, or others need the place. */
  whenServed(waiting: Waiting): void {
    if (!this.isExpected(waiting) || waiting.isServed() || !this.#hasPlaceFor(waiting)) {
      waiting.goOn();
      return;
    }
    this.#waiting.add(waiting);
    this.#places.add(waiting.source, waiting);
    this.#timer ??= setInterval(() => this.look(), LOOK_MS);
  }

  /** Returns true if an agent may still come for it. Called for each request: cheap while none is expected. */
  isExpected({ name }: Pick<Waiting, 'name'>): boolean {
    if (this.#latest === Number.NEGATIVE_INFINITY) return false;
    const now = this.#now();
    if (now >= this.#latest) {
      this.#latest = Number.NEGATIVE_INFINITY;
      this.#names.clear();
      return false;
    }
    if (now < this.#until) return true;
    if (name === undefined || this.#names.size === 0) return false;
    return namesFrom(name).some((one) => (this.#names.get(one) ?? now) > now);
  }

  #hasPlaceFor({ source }: Waiting): boolean {
    if (this.#waiting.size < MOST_WAITING) return true;
    const displaced = this.#places.oldestBefore(source);
    if (displaced !== undefined) this.#letGo(displaced);
    return displaced !== undefined;
  }

  #letGo(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    this.#places.delete(waiting.source, waiting);
    waiting.goOn();
  }

  /** Lets go on who needs to wait no longer. Whom it does not get to is first the next time. */
  look(): void {
    const began = this.#now();
    const isOver = began >= this.#until && this.#names.size === 0;
    for (const waiting of [...this.#waiting]) {
      if (!isOver && this.#now() - began >= LOOK_FOR_MS) break;
      if (!this.isExpected(waiting) || waiting.isServed()) {
        this.#letGo(waiting);
        continue;
      }
      this.#waiting.delete(waiting);
      this.#waiting.add(waiting);
    }
    if (this.#waiting.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}

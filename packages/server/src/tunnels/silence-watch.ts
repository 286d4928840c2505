/**
 * Detects within about two seconds that an agent with an open request has fallen silent, long before its heartbeat is
 * due.
 * Invariant: an agent that sent a byte since the request does not count as silent.
 */

/** Checks all waiting agents with one timer. */
export class Rounds {
  readonly #members = new Set<SilenceWatch>();
  #timer: NodeJS.Timeout | null = null;

  start(everyMs: number): void {
    this.#timer = setInterval(() => this.go(), everyMs).unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  add(member: SilenceWatch): void {
    this.#members.add(member);
  }

  delete(member: SilenceWatch): void {
    this.#members.delete(member);
  }

  go(): void {
    for (const member of this.#members) member.look();
  }
}

/** Rounds without a byte until a heartbeat request. */
export const silentRounds = 5;

export interface SilenceWatchParts {
  readonly rounds: Rounds;
  /** Number of times that data came from the agent so far. */
  readonly received: () => number;
  /** Requests a heartbeat from the agent. */
  readonly probe: () => void;
}

export class SilenceWatch {
  readonly #parts: SilenceWatchParts;
  #isWaiting = false;
  /** Number of received bytes at the time of the request. */
  #mark = 0;
  #silent = 0;

  constructor(parts: SilenceWatchParts) {
    this.#parts = parts;
  }

  /** True if a heartbeat was requested and none has arrived. */
  get isSuspect(): boolean {
    return this.#silent >= silentRounds && this.#parts.received() === this.#mark;
  }

  /** Something was sent that wants an answer. Called for every request: cheap. */
  expect(): void {
    const received = this.#parts.received();
    if (this.#isWaiting && received === this.#mark) return;
    this.#mark = received;
    this.#silent = 0;
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#parts.rounds.add(this);
  }

  look(): void {
    if (this.#parts.received() !== this.#mark) {
      this.stop();
      return;
    }
    this.#silent += 1;
    if (this.#silent === silentRounds) this.#parts.probe();
  }

  stop(): void {
    this.#isWaiting = false;
    this.#silent = 0;
    this.#parts.rounds.delete(this);
  }
}

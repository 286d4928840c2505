/**
 * Reports agents and tunnels that come online, change and go offline, for accounts with open streams.
 * It compares the facts of all daemons once a second.
 * Invariant: an account without a stream costs nothing.
 */
import type { OnlineFacts } from '../../online/online.ts';
import type { JsonObject } from '../../store/store.ts';

type Facts = object;

/** The state of one account that was reported last. */
interface Known {
  readonly sessions: Map<string, Facts>;
  readonly tunnels: Map<string, Facts>;
}

export interface SessionWatchOptions {
  readonly online: Pick<OnlineFacts, 'sessions' | 'tunnels'>;
  /** Receives the data of events. */
  readonly report: (account: string, events: readonly JsonObject[]) => void;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

const PERIOD_MS = 1000;
/** The part of the time that comparisons may take: one in this many. */
const SHARE = 20;

export class SessionWatch {
  readonly #options: SessionWatchOptions;
  readonly #known = new Map<string, Known>();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: SessionWatchOptions) {
    this.#options = options;
  }

  /** Begins to report. The state of this moment is taken as known. */
  add(account: string): void {
    if (this.#known.has(account)) return;
    const { online } = this.#options;
    this.#known.set(account, {
      sessions: byId(online.sessions(account)),
      tunnels: byId(online.tunnels(account)),
    });
    this.#timer ??= this.#next(PERIOD_MS);
  }

  delete(account: string): void {
    this.#known.delete(account);
    if (this.#known.size > 0 || this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Compares the facts of every account now. */
  look(): void {
    const { online, report } = this.#options;
    for (const [account, { sessions, tunnels }] of this.#known) {
      const events = [
        ...differences('tunnel_session', sessions, online.sessions(account)),
        ...differences('tunnel', tunnels, online.tunnels(account)),
      ];
      if (events.length > 0) report(account, events);
    }
  }

  #next(delayMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      const { now } = this.#options;
      const began = now();
      this.look();
      const tookMs = now() - began;
      if (this.#timer !== null) this.#timer = this.#next(Math.max(PERIOD_MS, tookMs * SHARE));
    }, delayMs).unref();
  }
}

function byId(facts: Iterable<Facts & { readonly id: string }>): Map<string, Facts> {
  return new Map(Array.from(facts, (one) => [one.id, one]));
}

/** Brings `known` up to date, and returns the differences. */
function differences(
  kind: string,
  known: Map<string, Facts>,
  facts: Iterable<Facts & { readonly id: string }>,
): readonly JsonObject[] {
  const events: JsonObject[] = [];
  const now = byId(facts);
  for (const [id, one] of now) {
    const before = known.get(id);
    if (before === undefined) events.push({ kind, id, what: 'online' });
    else if (before !== one && JSON.stringify(before) !== JSON.stringify(one))
      events.push({ kind, id, what: 'changed' });
    known.set(id, one);
  }
  for (const id of known.keys()) {
    if (now.has(id)) continue;
    known.delete(id);
    events.push({ kind, id, what: 'offline' });
  }
  return events;
}

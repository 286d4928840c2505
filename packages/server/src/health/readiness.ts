/**
 * The answer of `/readyz`: reasons against new traffic, and warnings about a daemon that serves.
 *
 * A cause that all daemons of a database share is no reason against traffic: a balancer would refuse what each of them serves.
 * It is a warning, and a reason only for callers that need the API.
 * Invariant: a source of a reason that fails or does not answer counts as not ready.
 */
import { deadline } from '@underpass/wire';

/** Meanings of reasons, for docs/run/metrics.md. The names are published: one may be added, none renamed. */
export const reasonMeanings = {
  starting: 'not everything runs yet',
  draining:
    'the daemon stops, or an operator drains it: what runs may finish, and agents go to other daemons',
  isolated:
    'the daemon alone is cut off from the database, and serves nothing: agents and visitors go to other daemons',
  follower_behind: 'the database can be read, but what is served is as it was more than 15 s ago',
} as const;

/** Meanings of the reasons that `/readyz?for=api` reports; for `/readyz` they are warnings. The daemon still serves traffic. */
export const apiReasonMeanings = {
  store_away: 'the database cannot be read; the last known state is served, the API is not',
  database_removed: 'the database file is gone, or another one is in its place; writes are refused',
} as const;
export type ApiReasonName = keyof typeof apiReasonMeanings;
export type ReasonName = keyof typeof reasonMeanings | ApiReasonName;

/** Meanings of the conditions that the operator should know of. No other daemon would do better. */
export const warningMeanings = {
  writes_refused: 'the last write failed because of the database (full, read-only, away)',
  other_history:
    'less than an hour ago the database went on from another history, as after a failover that lost writes',
  worker_not_ready:
    'a worker of `--workers` is not ready, and others serve; the message has its number and the reason',
  clock_ahead: 'ids, and with them `created_at`, are ahead of the clock',
} as const;
export type WarningName = keyof typeof warningMeanings | ApiReasonName;

/** The traffic of tunnels and edges, or also requests to the API. */
export type Purpose = 'traffic' | 'api';

export interface Reason {
  readonly reason: ReasonName;
  readonly message: string;
}

export interface Warning {
  readonly warning: WarningName;
  readonly message: string;
}

/** A sentence for the operator, without secrets; null when nothing speaks against traffic. */
export type ReasonSource = () => string | null | Promise<string | null>;

/** Milliseconds without a response after which a source counts as a reason itself. */
const ANSWER_MS = 1_500;

export class Readiness {
  readonly #sources = new Map<keyof typeof reasonMeanings, ReasonSource>();
  readonly #apiSources = new Map<ApiReasonName, ReasonSource>();
  readonly #warnings = new Map<keyof typeof warningMeanings, ReasonSource>();
  readonly #answerMs: number;

  constructor(answerMs = ANSWER_MS) {
    this.#answerMs = answerMs;
  }

  /** A name has one source: the last that was registered. */
  register(name: keyof typeof reasonMeanings, source: ReasonSource): void {
    this.#sources.set(name, source);
  }

  /** Registers the one source of a reason for callers of the API, which is a warning for traffic. */
  registerForApi(name: ApiReasonName, source: ReasonSource): void {
    this.#apiSources.set(name, source);
  }

  remove(name: keyof typeof reasonMeanings): void {
    this.#sources.delete(name);
  }

  /** Registers the one source of a warning, which leaves the daemon ready. */
  registerWarning(name: keyof typeof warningMeanings, source: ReasonSource): void {
    this.#warnings.set(name, source);
  }

  /** Returns reasons in the order in which their names were first registered. Never rejects. */
  async reasons(purpose: Purpose = 'traffic'): Promise<readonly Reason[]> {
    const sources = purpose === 'api' ? [...this.#sources, ...this.#apiSources] : [...this.#sources];
    return (await this.#said<ReasonName>(sources)).map(([reason, message]) => ({ reason, message }));
  }

  /** Returns warnings as `reasons` returns reasons. Never rejects. */
  async warnings(purpose: Purpose = 'traffic'): Promise<readonly Warning[]> {
    const sources = purpose === 'api' ? [...this.#warnings] : [...this.#apiSources, ...this.#warnings];
    return (await this.#said<WarningName>(sources)).map(([warning, message]) => ({ warning, message }));
  }

  async #said<Name>(
    sources: readonly (readonly [Name, ReasonSource])[],
  ): Promise<readonly (readonly [Name, string])[]> {
    const asked = sources.map(async ([name, source]) => {
      const message = await this.#ask(source);
      return message === null ? [] : [[name, message] as const];
    });
    return (await Promise.all(asked)).flat();
  }

  async #ask(source: ReasonSource): Promise<string | null> {
    const { promise: silence, resolve } = Promise.withResolvers<string>();
    const late = deadline(this.#answerMs, () => resolve('the part that knows does not answer'));
    try {
      return await Promise.race([source(), silence]);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      late.met();
    }
  }
}

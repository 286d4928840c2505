/**
 * Why the daemon should get no new traffic now, and what is wrong although it serves: what `/readyz` says. Never that a source
 * which fails or does not answer counts as ready.
 */
import { deadline } from '@underpass/wire';

/** What each reason means, for docs/metrics.md. Published names: one may be added, none renamed. */
export const reasonMeanings = {
  starting: 'not everything runs yet',
  draining: 'the daemon stops: what runs may finish, nothing new is taken',
  store_away: 'the database cannot be read; what is known goes on being served, the API is not',
  database_removed: 'the database file is gone, or another one is in its place; writes are refused',
  follower_behind: 'what is served is as the database was more than 15 s ago',
} as const;
export type ReasonName = keyof typeof reasonMeanings;

/** As `reasonMeanings`: what somebody must look at, and what no other daemon would do better. */
export const warningMeanings = {
  clock_ahead: 'ids, and with them `created_at`, are ahead of the clock',
} as const;
export type WarningName = keyof typeof warningMeanings;

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

/** A source that says nothing for so long is a reason itself, in milliseconds. */
const ANSWER_MS = 2_000;

export class Readiness {
  readonly #sources = new Map<ReasonName, ReasonSource>();
  readonly #warnings = new Map<WarningName, ReasonSource>();
  readonly #answerMs: number;

  constructor(answerMs = ANSWER_MS) {
    this.#answerMs = answerMs;
  }

  /** A name has one source: the last that was registered. */
  register(name: ReasonName, source: ReasonSource): void {
    this.#sources.set(name, source);
  }

  remove(name: ReasonName): void {
    this.#sources.delete(name);
  }

  /** As `register`, for what leaves the daemon ready. */
  registerWarning(name: WarningName, source: ReasonSource): void {
    this.#warnings.set(name, source);
  }

  /** In the order in which the names were first registered. Never rejects. */
  async reasons(): Promise<readonly Reason[]> {
    return (await this.#said(this.#sources)).map(([reason, message]) => ({ reason, message }));
  }

  /** As `reasons`. */
  async warnings(): Promise<readonly Warning[]> {
    return (await this.#said(this.#warnings)).map(([warning, message]) => ({ warning, message }));
  }

  async #said<Name>(sources: ReadonlyMap<Name, ReasonSource>): Promise<readonly (readonly [Name, string])[]> {
    const asked = [...sources].map(async ([name, source]) => {
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

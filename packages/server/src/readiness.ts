/**
 * Why the daemon should get no new traffic now: what `/readyz` says.
 * In: sources, one for each part that may have a reason. Out: the reasons of this moment. Never that a source which fails or does
 * not answer counts as ready.
 */
import { deadline } from '@underpass/wire';

/** Published names: one may be added, none renamed. */
export type ReasonName = 'starting' | 'draining' | 'store_away' | 'follower_behind' | 'clock_ahead';

export interface Reason {
  readonly reason: ReasonName;
  readonly message: string;
}

/** A sentence for the operator, without secrets; null when nothing speaks against traffic. */
export type ReasonSource = () => string | null | Promise<string | null>;

/** A source that says nothing for so long is a reason itself, in milliseconds. */
const ANSWER_MS = 2_000;

export class Readiness {
  readonly #sources = new Map<ReasonName, ReasonSource>();
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

  /** In the order in which the names were first registered. Never rejects. */
  async reasons(): Promise<readonly Reason[]> {
    const asked = [...this.#sources].map(async ([reason, source]) => {
      const message = await this.#ask(source);
      return message === null ? [] : [{ reason, message }];
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

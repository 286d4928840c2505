/**
 * Questions to all other daemons about what each of them has seen, such as requests of visitors.
 * Invariant: a question waits a limited time, and an answer has a limited length. A daemon without an answer is counted.
 */
import { LinkStream, type Peer, type Peers } from './peers.ts';

/** Milliseconds for the answers of other daemons. */
const WAIT_MS = 1_500;

/** Answers a question. `body` is unchecked: it may come from a daemon of another version. */
export type AnswerQuestion = (body: unknown) => unknown;

export interface Answers<Value> {
  readonly values: readonly Value[];
  /** Number of daemons without an answer. They are unreachable, late, or of a version without the question. */
  readonly missing: number;
}

/** A question of the API to other daemons. Its name states its version, such as `requests.1`. */
export interface Question<Body extends object, Value> {
  readonly name: string;
  readonly body: Body;
  /** Checks an answer. Null: the daemon counts as missing. */
  readonly read: (answer: unknown) => Value | null;
  /** Milliseconds to wait for answers; default 1,500. */
  readonly waitMs?: number;
}

export class Questions {
  readonly #peers: Pick<Peers, 'all' | 'answer'>;
  readonly #answers = new Map<string, AnswerQuestion>();

  constructor(peers: Pick<Peers, 'all' | 'answer'>) {
    this.#peers = peers;
    peers.answer(LinkStream.question, async (body) => {
      const { name, body: asked } = Object(body) as { readonly name?: unknown; readonly body?: unknown };
      const respond = typeof name === 'string' ? this.#answers.get(name) : undefined;
      return respond === undefined ? {} : { answer: await respond(asked) };
    });
  }

  /** Answers a question of other daemons. An answer is at most 1 MiB of JSON. */
  answer(name: string, respond: AnswerQuestion): void {
    this.#answers.set(name, respond);
  }

  /** Sends a question to all other daemons. Resolves with what came in time, in no particular order. */
  async ask<Body extends object, Value>(question: Question<Body, Value>): Promise<Answers<Value>> {
    const calls = Array.from(this.#peers.all(), (peer) => answerOf(peer, question));
    const answers = await Promise.all(calls);
    const values = answers.filter((value) => value !== null);
    return { values, missing: answers.length - values.length };
  }
}

async function answerOf<Body extends object, Value>(
  peer: Peer,
  { name, body, read, waitMs = WAIT_MS }: Question<Body, Value>,
): Promise<Value | null> {
  if (!peer.isUp) return null;
  try {
    const answer = await peer.call(LinkStream.question, { name, body }, waitMs);
    const isKnown = typeof answer === 'object' && answer !== null && 'answer' in answer;
    return isKnown ? read(answer.answer) : null;
  } catch {
    return null;
  }
}

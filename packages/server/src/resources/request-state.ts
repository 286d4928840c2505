/**
 * Tags of the states of stored resources, and the condition of a request on them (RFC 9110, sections 8.8.3 and 13.1.1).
 * Invariant: two states with one tag have the same content, also if a database continues from another history.
 */
import { hash } from 'node:crypto';
import { Problem } from '../errors/problem.ts';
import type { JsonObject, Revision, StoredDocument } from '../store/store.ts';

type State = Pick<StoredDocument, 'revision' | 'body'>;

/** Characters of the digest of a body: 72 bits. */
const DIGEST_LENGTH = 12;

/** Tags by the bodies that a store keeps for the next reads. */
const known = new WeakMap<JsonObject, { readonly revision: Revision; readonly tag: string }>();

/** Returns the tag without its quotes. A lost revision may be assigned again, so that the tag depends on the body, too. */
export function tagOf({ revision, body }: State): string {
  const made = known.get(body);
  if (made?.revision === revision) return made.tag;
  const digest = hash('sha256', JSON.stringify(body), 'base64url').slice(0, DIGEST_LENGTH);
  const tag = `${revision}-${digest}`;
  known.set(body, { revision, tag });
  return tag;
}

/** Tags without their quotes, of which one must be that of the resource; `*`: the resource must exist. */
export type Expected = '*' | readonly string[];

/** The state that a request requires, and the state that its response shows. */
export class RequestState {
  readonly #expected: Expected;
  #shown: State | null = null;

  constructor(expected: Expected = '*') {
    this.#expected = expected;
  }

  /** Raises `stateChanged` unless the document is in an expected state. Writes call it for each state that they replace. */
  require(document: State): void {
    if (this.#expected === '*') return;
    const tag = tagOf(document);
    if (!this.#expected.includes(tag)) throw new Problem('stateChanged', { tag: `"${tag}"` });
  }

  show(document: State): void {
    this.#shown = document;
  }

  /** The tag of the state in the response; null if it shows none. */
  get tag(): string | null {
    return this.#shown === null ? null : tagOf(this.#shown);
  }
}

/** Applies a route's edits and body stages to a response of the upstream or of the edge. */

import { Field } from '../../http-syntax/fields.ts';
import type { Head } from '../../http-syntax/head.ts';
import type { AnswerFacts, BodyChange, ByteFilter, Fields, Reply } from '../sites/site.ts';
import { fieldLines } from './field-lines.ts';
import type { ReplyEdits } from './respond.ts';
import type { Visitor } from './visitor.ts';

/** Statuses without content to change. A 304 describes the body of another response. */
const WITHOUT_CONTENT: ReadonlySet<number> = new Set([204, 205]);

export interface AnswerEdits {
  /** Names of fields that do not go on, in lower case. */
  readonly removed: ReadonlySet<string>;
  /** Header lines to add, each with its line end; '' for none. */
  readonly lines: string;
  /** Filter of the body; null for none. */
  readonly filter: (() => ByteFilter) | null;
}

/**
 * Returns the edits for a route with edits or stages. `codeHeader` has the service's error codes; it may have had
 * another name when the edits were configured.
 */
export function answerEdits(head: Head, visitor: Visitor, codeHeader: string): AnswerEdits {
  const { removed, added, stage } = answerChanges(new HeadFacts(head, visitor.isReused), visitor);
  // Trailers belong to the framing that a stage replaces.
  if (stage !== null) removed.add('trailer');
  const lines = fieldLines(added.filter(([name]) => name !== codeHeader));
  return { removed, lines, filter: stage?.filter ?? null };
}

/** Returns the edits of the edge's own response; null: the route has none. */
export function replyEdits(
  { status, headers, body }: Reply,
  visitor: Pick<Visitor, 'route' | 'requestFacts' | 'decided' | 'saved'>,
): ReplyEdits | null {
  const { responseEdits, bodyStages } = visitor.route;
  if (responseEdits.length === 0 && bodyStages.length === 0) return null;
  const field = (name: string): string => headers.find(([one]) => one === name)?.[1] ?? '';
  const answer = { status, length: body.length, isOwn: true, isReused: false, field };
  const { removed, added, stage } = answerChanges(answer, visitor);
  if (stage === null) return { removed, added, body };
  const changed = stage.whole(body);
  visitor.saved(body.length - changed.length);
  return { removed, added, body: changed };
}

export interface AnswerChanges {
  readonly removed: Set<string>;
  readonly added: Fields;
  /** The one that changes the body; null: none does. */
  readonly stage: BodyChange | null;
}

/** Stages decide first, so that edits see their decisions and have the last word. */
export function answerChanges(
  answer: AnswerFacts,
  visitor: Pick<Visitor, 'route' | 'requestFacts' | 'decided'>,
): AnswerChanges {
  const { route, requestFacts } = visitor;
  const removed = new Set<string>();
  let added: Fields = [];
  let stage: BodyChange | null = null;
  const { status } = answer;
  for (const one of status < 200 || WITHOUT_CONTENT.has(status) ? [] : route.bodyStages) {
    const { decision, remove, add, body } = one.decide(requestFacts, answer);
    visitor.decided(one.name, decision);
    for (const name of remove) removed.add(name);
    added = [...added, ...add];
    if (status !== 304) stage ??= body;
  }
  for (const edit of route.responseEdits) {
    const instead = edit.replace?.(requestFacts, answer) ?? [];
    for (const name of [...edit.remove, ...instead.map(([one]) => one.toLowerCase())]) removed.add(name);
    added = [
      ...added.filter(([name]) => !edit.remove.has(name.toLowerCase())),
      ...instead,
      ...edit.add(requestFacts, answer),
    ];
  }
  return { removed, added, stage };
}

/** The head that was just read. */
class HeadFacts implements AnswerFacts {
  readonly isOwn = false;
  readonly isReused: boolean;
  readonly #head: Head;

  constructor(head: Head, isReused: boolean) {
    this.#head = head;
    this.isReused = isReused;
  }

  get status(): number {
    return this.#head.status;
  }

  get length(): number | null {
    return this.#head.has(Field.contentLength) ? Number(this.#head.valueOf(Field.contentLength)) : null;
  }

  field(name: string): string {
    const head = this.#head;
    const values: string[] = [];
    for (let i = 0; i < head.count; i += 1) {
      if (head.name(i).toLowerCase() === name) values.push(head.value(i));
    }
    return values.join(', ');
  }
}

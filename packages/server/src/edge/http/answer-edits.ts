/** What a route does to the head of an answer, and whether its body goes through a stage. */
import type { AnswerFacts, ByteFilter, Fields } from '../sites/site.ts';
import { fieldLines } from './field-lines.ts';
import { Field } from './fields.ts';
import type { Head } from './head.ts';
import type { Visitor } from './visitor.ts';

export interface AnswerEdits {
  /** Names of fields that do not go on, in lower case. */
  readonly removed: ReadonlySet<string>;
  /** Header lines to add, each with its line end; '' for none. */
  readonly lines: string;
  /** What the body goes through; null: nothing. */
  readonly filter: (() => ByteFilter) | null;
}

/** For a route that has edits of answers or stages. Stages decide first, so that edits can tell of it. */
export function answerEdits(head: Head, visitor: Visitor): AnswerEdits {
  const { route, requestFacts } = visitor;
  const answer = new HeadFacts(head);
  const removed = new Set<string>();
  let added: Fields = [];
  let filter: AnswerEdits['filter'] = null;
  const { status } = head;
  for (const stage of status < 200 || status === 204 ? [] : route.bodyStages) {
    const { decision, remove, add, filter: made } = stage.decide(requestFacts, answer);
    visitor.decided(stage.name, decision);
    for (const name of remove) removed.add(name);
    added = [...added, ...add];
    if (status !== 304) filter ??= made;
  }
  // What comes at the end of a body is in the framing that a stage replaces.
  if (filter !== null) removed.add('trailer');
  for (const edit of route.responseEdits) {
    for (const name of edit.remove) removed.add(name);
    added = [
      ...added.filter(([name]) => !edit.remove.has(name.toLowerCase())),
      ...edit.add(requestFacts, answer),
    ];
  }
  return { removed, lines: fieldLines(added), filter };
}

/** The head that was just read. */
class HeadFacts implements AnswerFacts {
  readonly #head: Head;

  constructor(head: Head) {
    this.#head = head;
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

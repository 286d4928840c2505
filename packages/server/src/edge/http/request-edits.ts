/** Applies a route's edits to the head of a request. */
import type { Fields, HeadEdit, RequestFacts } from '../sites/site.ts';
import { fieldLines } from './field-lines.ts';
import type { RequestEdits } from './headers.ts';

/** `dropped` holds the lower-case names that Connection lists. */
export function requestEdits(
  edits: readonly HeadEdit[],
  dropped: ReadonlySet<string> | null,
  facts: RequestFacts,
): RequestEdits {
  const unwanted = new Set<string>();
  let added: Fields = [];
  for (const edit of edits) {
    for (const name of edit.remove) unwanted.add(name);
    // Removes fields of earlier edits, too: the owner of the last edit has the last word.
    added = [...added.filter(([name]) => !edit.remove.has(name.toLowerCase())), ...edit.add(facts, null)];
  }
  return { removed: new Set([...(dropped ?? []), ...unwanted]), unwanted, lines: fieldLines(added) };
}

/** Reads the header If-Match (RFC 9110, section 13.1.1). */
import { Problem } from '../errors/problem.ts';
import type { Expected } from '../resources/request-state.ts';

/** One element of the list and its comma. Elements may be empty (RFC 9110, section 5.6.1). */
const ELEMENT = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)")?[ \t]*(?:,|$)/y;

/** Returns the tags of the states that a request accepts. Weak tags never match and are left out. Raises Problem. */
export function expectedStates(header: string | undefined): Expected {
  if (header === undefined || header.trim() === '*') return '*';
  const tags: string[] = [];
  let isEmpty = true;
  for (let at = 0; at < header.length; ) {
    ELEMENT.lastIndex = at;
    const match = ELEMENT.exec(header);
    if (match === null) throw new Problem('ifMatchMalformed', { value: header });
    const [whole, weak, tag] = match;
    if (tag !== undefined) isEmpty = false;
    if (tag !== undefined && weak === undefined) tags.push(tag);
    at += whole.length;
  }
  if (isEmpty) throw new Problem('ifMatchMalformed', { value: header });
  return tags;
}

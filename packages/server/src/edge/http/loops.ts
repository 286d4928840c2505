/**
 * Detects requests that return to this service through an upstream (RFC 8586).
 * Invariant: no request loops for ever, directly or over other names. Each pass adds a mark, and no Connection field
 * removes marks.
 */
import type { Hostname } from '../../core/names/hostname.ts';
import { Field } from '../../http-syntax/fields.ts';
import type { Head } from '../../http-syntax/head.ts';

/** One name may lead to another of the same service, for good reasons, a few times over. */
export const maxPasses = 8;

/** The mark: the shared domain, which all daemons of a service have in common. */
export function loopLine(domain: Hostname): string {
  return `CDN-Loop: ${domain}\r\n`;
}

/** Returns the number of passes of the request through this service. */
export function passesOf(head: Head, domain: Hostname): number {
  if (!head.has(Field.cdnLoop)) return 0;
  let passes = 0;
  for (let i = head.first[Field.cdnLoop]!; i < head.count; i += 1) {
    if (head.kinds[i] !== Field.cdnLoop) continue;
    for (const mark of head.value(i).split(',')) if (nameIn(mark) === domain) passes += 1;
  }
  return passes;
}

/** Returns the name without parameters. */
function nameIn(mark: string): string {
  return (mark.split(';', 1)[0] ?? '').trim().toLowerCase();
}

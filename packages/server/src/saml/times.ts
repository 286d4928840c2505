/**
 * Times in SAML messages (saml-core-2.0-os, section 1.3.3), in milliseconds since 1970.
 * Invariant: an invalid text is rejected.
 */
import { dateTimeIn } from '../pki/xml-types.ts';
import { quoted, refused } from './refused.ts';

/** Milliseconds by which the clock of a provider may differ from ours. */
export const skewMs = 180_000;

/** A time without a zone is in UTC, as all times of SAML are. Throws LoginFault. */
export function timeOf(text: string): number {
  const read = dateTimeIn(text);
  if (read === null) throw refused('time', `${quoted(text)} is no time`);
  return read.time;
}

/** Returns the form for our own messages. */
export function textOfTime(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Returns start and end of a validity from its attributes; null for no end. Throws LoginFault if it does not include now. */
export function refuseUnlessNow(
  element: { getAttribute(name: string): string | null },
  what: string,
  now: number,
): number | null {
  const from = element.getAttribute('NotBefore');
  const until = element.getAttribute('NotOnOrAfter');
  if (from !== null && now < timeOf(from) - skewMs)
    throw refused('not yet', `${what} is good from ${from} on, and it is ${textOfTime(now)}`);
  if (until === null) return null;
  if (now >= timeOf(until) + skewMs)
    throw refused('expired', `${what} was good until ${until}, and it is ${textOfTime(now)}`);
  return timeOf(until);
}

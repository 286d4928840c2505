/** Times in SAML messages (saml-core-2.0-os, section 1.3.3), in milliseconds since 1970. Never that a text which is no time counts as one. */
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

/** As messages of our own have it. */
export function textOfTime(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** From when on and until when something is good, as its attributes say; null for no end. Throws LoginFault where that is not now. */
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

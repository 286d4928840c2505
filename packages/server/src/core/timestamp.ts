/** Parses clients' times: RFC 3339 with any offset, to whole seconds since 1970. */

const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** The last second that four digits of a year can express. */
const lastSecond = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;

/** Returns null for other texts, and for times before 1970 or after 9999 in UTC. A fraction of a second is dropped. */
export function parseTimestamp(text: string): number | null {
  const match = TIMESTAMP.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const [sign, offsetHours = '0', offsetMinutes = '0'] = match.slice(7, 10);
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return null;
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // Date converts a 30th of February and years below 100 into other days.
  const exact = `${match[1]}-${match[2]}-${match[3]}T${match[4]}:${match[5]}:${match[6]}.000Z`;
  if (Number.isNaN(date.getTime()) || date.toISOString() !== exact) return null;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60;
  const seconds = date.getTime() / 1000 - (sign === '-' ? -offset : offset);
  return seconds < 0 || seconds > lastSecond ? null : seconds;
}

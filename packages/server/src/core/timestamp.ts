/** Times that clients give: RFC 3339 with any offset, read to whole seconds since the epoch. */

const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** The last one that four digits of a year can write. */
const lastSecond = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;

/** Null for what is no such time, or in UTC is one before 1970 or after 9999. A fraction of a second is dropped. */
export function parseTimestamp(text: string): number | null {
  const match = TIMESTAMP.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const [sign, offsetHours = '0', offsetMinutes = '0'] = match.slice(7, 10);
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return null;
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // Date takes a 30th of February and years below 100 for other days.
  const exact = `${match[1]}-${match[2]}-${match[3]}T${match[4]}:${match[5]}:${match[6]}.000Z`;
  if (Number.isNaN(date.getTime()) || date.toISOString() !== exact) return null;
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60;
  const seconds = date.getTime() / 1000 - (sign === '-' ? -offset : offset);
  return seconds < 0 || seconds > lastSecond ? null : seconds;
}

/** Reads values of simple types of XML Schema (W3C, xmlschema-2): white space is that of XML alone, and nothing outside the type is accepted. */

/** Space, tab, carriage return and line feed: the white space of XML. Other characters that look like it are text. */
const around = /^[ \t\r\n]+|[ \t\r\n]+$/g;

/** Returns the text without XML white space around it. */
export function trimXml(text: string): string {
  return text.replace(around, '');
}

/** The items of a list type. */
export function listIn(text: string): readonly string[] {
  return text.split(/[ \t\r\n]+/).filter((item) => item !== '');
}

/** xs:base64Binary, with white space anywhere; null: it is not that, or empty. */
export function base64Bytes(text: string): Buffer | null {
  const compact = text.replace(/[ \t\r\n]+/g, '');
  if (compact === '' || compact.length % 4 !== 0) return null;
  // The last character before the padding has no bits beyond the last byte.
  const isBase64 = /^[A-Za-z0-9+/]*(?:[A-Za-z0-9+/]|[AEIMQUYcgkosw048]=|[AQgw]==)$/.test(compact);
  return isBase64 ? Buffer.from(compact, 'base64') : null;
}

const dateTime =
  /^(\d{4})-(\d\d)-(\d\d)T(?:([01]\d|2[0-3]):([0-5]\d):([0-5]\d)|24:00:00)(\.\d+)?(Z|[+-](?:0\d|1[0-3]):[0-5]\d|[+-]14:00)?$/;

export interface XmlTime {
  /** Milliseconds since 1970; a time without a zone counts as UTC. */
  readonly time: number;
  /** `Z`, `+hh:mm`, `-hh:mm`, or '' for none. */
  readonly zone: string;
}

/** xs:dateTime of the years 0001 to 9999; null: it is not that. */
export function dateTimeIn(text: string): XmlTime | null {
  const trimmed = trimXml(text);
  const found = dateTime.exec(trimmed);
  if (found === null) return null;
  const [, year, month, day, hour, , , fraction = '', zone = ''] = found;
  const isEndOfDay = hour === undefined;
  if (isEndOfDay && /[1-9]/.test(fraction)) return null;
  const midnight = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  const isOnCalendar =
    !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(`${year}-${month}-${day}`);
  if (!isOnCalendar || year === '0000') return null;
  // Digits below the millisecond do not matter here, and not all readers of dates take any number of them.
  const clock = isEndOfDay ? 'T24:00:00' : trimmed.slice(10, 19) + fraction.slice(0, 4);
  const time = Date.parse(`${year}-${month}-${day}${clock}${zone || 'Z'}`);
  return Number.isNaN(time) ? null : { time, zone };
}

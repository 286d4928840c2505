/** What JSON may hold as it is, but a terminal would obey. */
const STEERING = /[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g;

/** A value of the API as the JSON that it is, a line for each field. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return `${text.replace(STEERING, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}

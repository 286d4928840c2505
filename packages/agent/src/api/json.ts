/** Characters that JSON may hold as they are, but a terminal would obey. */
const STEERING = /[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g;

/** A value of the API as the JSON that it is, a line for each field. */
export function jsonText(value: unknown): string {
  return `${safe(JSON.stringify(value, null, 2))}\n`;
}

/** A value as JSON on one line, without a line end. */
export function jsonLine(value: unknown): string {
  return safe(JSON.stringify(value));
}

function safe(text: string): string {
  return text.replace(STEERING, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

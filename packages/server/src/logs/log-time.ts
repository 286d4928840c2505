/** The time of a line of the log. */

/** RFC 3339, in UTC with milliseconds. */
export function timeText(now: number = Date.now()): string {
  return new Date(now).toISOString();
}

/** A field of JSON, as pino appends it to what a line begins with. */
export function timeField(): string {
  return `,"time":"${timeText()}"`;
}

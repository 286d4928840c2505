/** Texts of moments on the axis of a chart. Pure. */

const MINUTE = 60;
const DAY = 86_400;

/** `at`: seconds since 1970. `step`: seconds between two moments of the axis. Midnight and longer steps have the date. */
export function momentText(at: number, step: number): string {
  const moment = new Date(at * 1000);
  const text = moment.toTimeString();
  if (step >= DAY || text.startsWith('00:00:00'))
    return moment.toLocaleDateString(undefined, { month: 'short', day: 'numeric' });
  return text.slice(0, step < MINUTE ? 8 : 5);
}

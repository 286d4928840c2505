/** Points in time, as the API and events write them. */

/** RFC 3339 in UTC with whole seconds (open points, decision 1). */
export function formatTime(time: Date): string {
  const at = time.getTime();
  // What is written of one moment, or stands on one page, was often made within one second.
  if (at !== lastTime) {
    lastText = `${time.toISOString().slice(0, 19)}Z`;
    lastTime = at;
  }
  return lastText;
}

let lastTime = Number.NaN;
let lastText = '';

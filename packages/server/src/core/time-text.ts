/** Formats times for the API and events. */

/** Formats RFC 3339 in UTC with whole seconds (open points, decision 1). */
export function formatTime(time: Date): string {
  const at = time.getTime();
  // Times of one page, or of one event, often have the same second.
  if (at !== lastTime) {
    lastText = `${time.toISOString().slice(0, 19)}Z`;
    lastTime = at;
  }
  return lastText;
}

let lastTime = Number.NaN;
let lastText = '';

/** Colours and units of what people read on a terminal. */

export const RESET = '\x1b[0m';
export const RED = '\x1b[31m';
export const GREEN = '\x1b[32m';
export const YELLOW = '\x1b[33m';

/**
 * Returns true if the terminal shows colours, and no variable disables them (no-color.org: an empty variable does not
 * count).
 */
export function takesColours(
  { isTTY = false }: { readonly isTTY?: boolean },
  { NO_COLOR: refused = '', TERM: terminal }: Readonly<Record<string, string | undefined>>,
): boolean {
  return isTTY && refused === '' && terminal !== 'dumb';
}

export function colourOf(status: number): string {
  if (status >= 500) return RED;
  if (status >= 400) return YELLOW;
  return status >= 200 && status < 300 ? GREEN : '';
}

export function durationText(ms: number): string {
  if (ms < 100) return `${ms.toFixed(1)} ms`;
  return ms < 10_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** Local time, HH:MM:SS. */
export function clockText(ms: number): string {
  return new Date(ms).toTimeString().slice(0, 8);
}

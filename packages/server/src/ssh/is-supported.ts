/** Detects what the running Node can do. */

/** Runs `trial`; returns false if it throws. */
export function isSupported(trial: () => unknown): boolean {
  try {
    trial();
    return true;
  } catch {
    return false;
  }
}

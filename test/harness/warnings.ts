/** The warnings of this process that are a test's own. Never those of others: files share a process, and Node warns of its own features once. */
import type { Cleanup } from './socket-pair.ts';

/** Returns the matching warnings from now on until the end of the test, in their order. */
export function warningsOf(t: Cleanup, pattern: RegExp): readonly Error[] {
  const warnings: Error[] = [];
  const keep = (warning: Error): void => {
    if (pattern.test(`${warning.name}: ${warning.message}`)) warnings.push(warning);
  };
  process.on('warning', keep);
  t.after(() => process.off('warning', keep));
  return warnings;
}

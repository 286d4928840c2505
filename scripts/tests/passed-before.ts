/**
 * Files that a run on a bare machine has passed whole need not run again on a machine with all tools. The gate has such
 * a run before the other one.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The variable with the path of a file that the run writes at its end: the test files that passed whole, one a line. */
const WRITTEN = 'TEST_PASSED_TO';
/** The variable with the path of such a file of a run before. */
const READ = 'TEST_PASSED_BEFORE';
/** A file with this does more in CI, or where a server is installed, and skips no test elsewhere. */
const DOES_MORE =
  /property-runs|env\.CI|[mM]issing (?:===|!==|\?|&&)|!\w+Missing|\(skip\b|skip (?:===|!==|\?)|isOnPath/;

/** Paths relative to the folder of the run; none without a run before. */
export function passedBefore(): ReadonlySet<string> {
  const path = process.env[READ];
  return new Set(path === undefined ? [] : readFileSync(path, 'utf8').split('\n'));
}

/** Writes the list of those of `files` that are not among `partial` (absolute paths). Does nothing without the variable. */
export function writePassed(files: readonly string[], partial: readonly string[]): void {
  const path = process.env[WRITTEN];
  if (path === undefined) return;
  const excluded = new Set(partial);
  const whole = files.filter(
    (file) => !excluded.has(resolve(file)) && !DOES_MORE.test(readFileSync(file, 'utf8')),
  );
  writeFileSync(path, whole.map((file) => `${file}\n`).join(''));
}

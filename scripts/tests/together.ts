/**
 * Runs several test files in this process, one after the other. What a file sets while it is loaded is set for all.
 * Invariant: hooks and environment of a file do not reach the next file.
 */
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { after, before, describe } from 'node:test';
import { forgetMisses } from '../../test/harness/until.ts';
import { Stopwatch } from './measure.ts';

/** Loads at once, within the suite: what the file registers then is that suite's. */
const require = createRequire(import.meta.url);

/** `files` are absolute paths. */
export function together(files: readonly string[]): void {
  for (const file of files) {
    describe(relative(process.cwd(), file), () => {
      let found: NodeJS.ProcessEnv = {};
      const watch = new Stopwatch(file);
      before(() => {
        watch.start();
        forgetMisses();
        found = { ...process.env };
      });
      watch.start();
      require(file);
      watch.stop();
      // After the hooks of the file, in the order in which they were registered.
      after(() => {
        restoreEnvironment(found);
        watch.stop();
        watch.write();
      });
    });
  }
}

function restoreEnvironment(found: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in found)) delete process.env[name];
  Object.assign(process.env, found);
}

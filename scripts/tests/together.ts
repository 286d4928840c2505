/** Runs several test files in this process, one after the other. Never that the hooks of one file are those of another. */
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { before, describe } from 'node:test';
import { forgetMisses } from '../../test/harness/until.ts';

/** Loads at once, within the suite: what the file registers then is that suite's. */
const require = createRequire(import.meta.url);

/** `files` are absolute paths. */
export function together(files: readonly string[]): void {
  for (const file of files) {
    describe(relative(process.cwd(), file), () => {
      before(forgetMisses);
      require(file);
    });
  }
}

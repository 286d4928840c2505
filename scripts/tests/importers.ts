/** Finds the test files behind a file in which tests were declared, which may be a fixture that several of them call. */
import { globSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';

/**
 * Returns the absolute paths of the test files among `files` that are one of `paths`, or import one of them, directly
 * or through other fixtures. A file that only names the other one is taken for an importer.
 */
export function testFilesBehind(paths: readonly string[], files: readonly string[]): readonly string[] {
  const found = new Set(paths.map((path) => resolve(path)));
  const fixtures = globSync('{packages,test,bench,scripts}/**/*.fixture.ts', {
    exclude: (name) => name === 'node_modules',
  });
  const sources = new Map([...fixtures, ...files].map((file) => [resolve(file), readFileSync(file, 'utf8')]));
  // A set goes on with what is added meanwhile.
  for (const path of found) {
    if (path.endsWith('.test.ts')) continue;
    for (const [file, source] of sources) if (source.includes(basename(path))) found.add(file);
  }
  return [...found].filter((file) => file.endsWith('.test.ts'));
}

/** Reads the imports of all files of the packages, including type imports and dynamic ones. */
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** Imports by file: paths of files, and names of packages. */
export type Imports = ReadonlyMap<string, readonly string[]>;

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'";]*?from\s*'([^']+)'|(?:^|\n)\s*import\s*'([^']+)'|\bimport\('([^']+)'\)/g;

/** Reads all files below the packages. */
export function readImports(): Imports {
  const files = globSync('packages/*/src/**/*.{ts,tsx}').sort();
  return new Map(files.map((file) => [file, importsOf(file, readFileSync(file, 'utf8'))]));
}

export function importsOf(file: string, source: string): readonly string[] {
  const names = [...source.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
  return names.map((name) => (name.startsWith('.') ? posix.join(posix.dirname(file), name) : name));
}

/** Parses YAML with a package of many files, loaded at the first use because most starts need none. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export function yaml(): typeof import('yaml') {
  return require('yaml');
}

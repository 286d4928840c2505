/** YAML, read by a package of many files that is loaded with the first text to read: most starts have none. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export function yaml(): typeof import('yaml') {
  return require('yaml');
}

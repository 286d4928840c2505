/** Locates a thread's module. */
import { extname } from 'node:path';

/**
 * Returns the URL of `name`, without its extension, beside the module with this `import.meta.url`. Sources are
 * TypeScript, an installed package is JavaScript.
 */
export function moduleBeside(url: string, name: string): URL {
  return new URL(`./${name}${extname(new URL(url).pathname)}`, url);
}

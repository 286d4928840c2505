/** Locates a thread's module. */
import { extname } from 'node:path';
import { embeddedFile } from '@underpass/wire';

/**
 * Returns the URL of `name`, without its extension, beside the module with this `import.meta.url`. Sources are
 * TypeScript, an installed package is JavaScript. In a single executable the URL holds the whole module.
 */
export function moduleBeside(url: string, name: string): URL {
  const embedded = embeddedFile(`${name}.js`);
  if (embedded !== null) return new URL(`data:text/javascript;base64,${embedded.toString('base64')}`);
  return new URL(`./${name}${extname(new URL(url).pathname)}`, url);
}

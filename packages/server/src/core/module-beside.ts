/** Where a thread's module is. */
import { extname } from 'node:path';

/** `name`, without its extension, beside the module that asks with its `import.meta.url`: sources are TypeScript, an installed package is JavaScript. */
export function moduleBeside(url: string, name: string): URL {
  return new URL(`./${name}${extname(new URL(url).pathname)}`, url);
}

/** Bundles sources that are loaded on demand. They are in the bundle, and evaluated at their first use. */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

const OWN = 'const require = createRequire(import.meta.url);\n';

/** Bundles have a `require` in their banner. One that a source makes itself is no more than a function to esbuild. */
export const onDemand: Plugin = {
  name: 'what is required on demand',
  setup({ onLoad }) {
    onLoad({ filter: /\/on-demand\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes(OWN)) throw new Error(`${path} has no "${OWN.trim()}"`);
      return { contents: text.replace(OWN, ''), loader: 'ts' };
    });
  },
};

/** Bundles all packages that sources load with a `require` of their own. */
export const allOnDemand: Plugin = {
  name: 'all that is required on demand',
  setup({ onLoad }) {
    onLoad({ filter: /\/packages\/\w+\/src\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      return text.includes(OWN) ? { contents: text.replace(OWN, ''), loader: 'ts' } : undefined;
    });
  },
};

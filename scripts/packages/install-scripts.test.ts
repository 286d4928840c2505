/** What packages may run when they are installed. Never that one does without having been looked at, nor that npm warns of it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));

test('of each package with a script for its installation it is said whether that runs', () => {
  const { allowScripts } = read('package.json') as { allowScripts: Readonly<Record<string, boolean>> };
  const { packages } = read('package-lock.json') as {
    packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
  };
  const having = Object.entries(packages)
    .filter(([, { hasInstallScript = false }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  assert.deepEqual(Object.keys(allowScripts).sort(), [...new Set(having)].sort());
  // It brings the Node that runs the platform.
  assert.deepEqual(
    Object.keys(allowScripts).filter((name) => allowScripts[name]),
    ['node'],
  );
});

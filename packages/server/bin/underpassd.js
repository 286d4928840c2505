#!/usr/bin/env node
// Plain JavaScript on purpose: a Node too old for the sources must still be able to say so.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `underpassd: needs Node 24 or newer, this is ${process.version}. ` +
      'Run it with "npx underpassd" inside the checkout: "npm ci" installed the right Node there.',
  );
  process.exit(1);
}
// Compiled sources are kept between starts: they load faster and leave less garbage on the heap.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('../../../node_modules/.cache/underpass', import.meta.url),
);
module.enableCompileCache();
await import('../src/main.ts');
module.flushCompileCache();

#!/usr/bin/env -S node --disable-sigusr1 --initial-heap-size=128 --max-semi-space-size=2
// The first line is how it is started everywhere, and has what cannot be set from inside: no signal opens an inspector, and a heap
// in which what TLS reads is collected soon and cheaply (docs/performance.md).
// Plain JavaScript on purpose: a Node too old for the sources must still be able to say so.
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';

// The heap has its size by now. While the flag is set V8 takes no code that was compiled without it, such as what Node brings along.
v8.setFlagsFromString('--initial-heap-size=0');
// For whoever starts this file with a node of their own, without these flags.
process.on('SIGUSR1', () => {});
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `underpassd: needs Node 24 or newer, this is ${process.version}. ` +
      'Run it with "npx underpassd" inside the checkout, where "npm ci" installs Node 26, or install Node 24 or newer.',
  );
  process.exit(1);
}
// Half of them may look names up, which takes as long as a name server lets it (system/fair-lookups.ts): of the usual four two.
process.env.UV_THREADPOOL_SIZE ??= '36';
// Compiled sources are kept between starts: they load faster and leave less garbage on the heap.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('../../../node_modules/.cache/underpass', import.meta.url),
);
module.enableCompileCache();
await import('../src/main.ts');
module.flushCompileCache();

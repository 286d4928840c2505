#!/usr/bin/env -S node --disable-sigusr1 --initial-heap-size=128 --max-semi-space-size=2
// Starts underpassd under a Node that is there already. Installed commands come here from the launcher beside this file (.cjs).
// The flags of the first line cannot be set from inside: no signal opens an inspector, and the heap collects TLS records
// soon and cheaply (docs/about/performance.md). Plain JavaScript, so that an old Node can print that it is too old.
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';

// The heap has its size by now. While the flag is set V8 takes no code that was compiled without it, such as what Node brings along.
v8.setFlagsFromString('--initial-heap-size=0');
// Without the flags, a signal must not open an inspector either.
process.on('SIGUSR1', () => {});
if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `underpassd: needs Node 24 or newer, this is ${process.version}. ` +
      'Install Node 24 or newer, and put it first in PATH. In a checkout "npx underpassd" has one.',
  );
  process.exit(1);
}
// Half of them may look names up, which takes as long as a name server lets it (system/fair-lookups.ts): of the usual four two.
process.env.UV_THREADPOOL_SIZE ??= '36';
// Compiled sources are kept between starts: they load faster and leave less garbage on the heap.
// A single executable has no folder for them.
const isSingle = process.getBuiltinModule('node:sea').isSea();
if (!isSingle) {
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
    new URL('../../../node_modules/.cache/underpass', import.meta.url),
  );
  module.enableCompileCache();
}
await import('../src/main.ts');
if (!isSingle) module.flushCompileCache();

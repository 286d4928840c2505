#!/usr/bin/env -S node --disable-sigusr1 --initial-heap-size=128 --max-semi-space-size=2
// Starts underpass under a Node that is there already. Installed commands come here from the launcher beside this file (.cjs).
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
    `underpass: needs Node 24 or newer, this is ${process.version}. ` +
      'Install Node 24 or newer, and put it first in PATH. In a checkout "npx underpass" has one.',
  );
  process.exit(1);
}
// Compiled sources are kept between starts: they load faster and leave less garbage on the heap.
// A single executable has no folder for them.
const isSingle = process.getBuiltinModule('node:sea').isSea();
if (!isSingle)
  module.enableCompileCache(
    fileURLToPath(new URL('../../../node_modules/.cache/underpass', import.meta.url)),
  );
const { main } = await import('../src/cli.ts');
if (!isSingle) module.flushCompileCache();
await main(process.argv);

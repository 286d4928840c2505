#!/usr/bin/env node
// Plain JavaScript without static imports: a Node too old for the sources must still be able to say so.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `underpass: needs Node 24 or newer, this is ${process.version}. ` +
      'Run it with "npx underpass" inside the checkout: "npm ci" installed the right Node there.',
  );
  process.exit(1);
} else {
  import('../src/cli.ts').then((cli) => cli.main(process.argv));
}

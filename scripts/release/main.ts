/**
 * `npm run release`: builds the files of a release into a folder, from the checkout and the package registry alone.
 * Two runs on one commit write the same bytes.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { releasesUrl } from './install/scripts.ts';
import { isPart, PARTS } from './plan.ts';
import { PLATFORMS } from './platforms.ts';
import { release } from './release.ts';
import { releaseFacts } from './release-facts.ts';

const HELP = [
  'Usage: npm run release -- [options]',
  '',
  'Builds the files of a release from this checkout and the package registry.',
  '',
  '  --out DIR          folder of the files (default release)',
  '  --version X.Y.Z    version (default that of the tag, else of package.json)',
  '  --url URL          address of all releases: also writes install.sh and the like',
  `  --platform NAME    repeatable: ${PLATFORMS.map(({ name }) => name).join(', ')} (default all)`,
  `  --part NAME        repeatable: ${PARTS.join(', ')} (default all)`,
  '',
  '  npm run release -- --out /tmp/release --platform linux-x64',
  '  npm run release -- --version 1.2.3 --part executables',
].join('\n');
const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'release' },
    version: { type: 'string' },
    url: { type: 'string' },
    platform: { type: 'string', multiple: true, default: PLATFORMS.map(({ name }) => name) },
    part: { type: 'string', multiple: true, default: [...PARTS] },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const out = resolve(values.out);
const folder = mkdtempSync(join(tmpdir(), 'underpass-release-'));
try {
  mkdirSync(out, { recursive: true });
  const { missing } = await release({
    ...{ root, out, folder, facts: releaseFacts(root, values.version, process.env) },
    platforms: values.platform.map(platformOf),
    parts: values.part.map(partOf),
    releases: values.url === undefined ? null : releasesUrl(values.url),
  });
  if (values.url === undefined)
    console.log('not built: install.sh and the like: give --url, the address of all releases');
  for (const { file, reason } of missing) console.log(`not built: ${file}: ${reason}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function platformOf(name: string) {
  const found = PLATFORMS.find((platform) => platform.name === name);
  if (found === undefined)
    throw new Error(
      `--platform ${name} is unknown. Give one of: ${PLATFORMS.map((it) => it.name).join(', ')}.`,
    );
  return found;
}

function partOf(name: string) {
  if (!isPart(name)) throw new Error(`--part ${name} is unknown. Give one of: ${PARTS.join(', ')}.`);
  return name;
}

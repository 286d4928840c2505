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

const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'release' },
    version: { type: 'string' },
    url: { type: 'string' },
    platforms: { type: 'string', default: PLATFORMS.map(({ name }) => name).join(',') },
    parts: { type: 'string', default: PARTS.join(',') },
  },
});
const out = resolve(values.out);
const folder = mkdtempSync(join(tmpdir(), 'underpass-release-'));
try {
  mkdirSync(out, { recursive: true });
  const { missing } = await release({
    ...{ root, out, folder, facts: releaseFacts(root, values.version, process.env) },
    platforms: values.platforms.split(',').map(platformOf),
    parts: values.parts.split(',').map(partOf),
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
      `--platforms ${name} is unknown. Give some of: ${PLATFORMS.map((it) => it.name).join(', ')}.`,
    );
  return found;
}

function partOf(name: string) {
  if (!isPart(name)) throw new Error(`--parts ${name} is unknown. Give some of: ${PARTS.join(', ')}.`);
  return name;
}

/**
 * Collects the licences of all packages in a bundle.
 * Invariant: a package without a licence is an error.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `files`: paths below `root` in node_modules, any of each package. */
export function licensesOf(root: string, files: readonly string[]): string {
  const folders = new Set(files.map((file) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? file));
  return [...folders]
    .sort()
    .map((folder) => licenseIn(join(root, folder)))
    .join('\n');
}

function licenseIn(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
  };
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  if (files.length === 0 && license === undefined) throw new Error(`${folder} states no license`);
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version}: ${license ?? 'see below'}`, ...texts, ''].join('\n\n');
}

/** Writes the install scripts of a release: they know the address of its files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The line of each script that has no address in the checkout. */
const PLACES = [
  {
    file: 'install.sh',
    line: `RELEASES=\${UNDERPASS_RELEASES:-}`,
    address: (url: string) => `RELEASES=\${UNDERPASS_RELEASES:-${url}}`,
  },
  {
    file: 'install.ps1',
    line: '$Releases = "$env:UNDERPASS_RELEASES"',
    address: (url: string) =>
      `$Releases = if ($env:UNDERPASS_RELEASES) { $env:UNDERPASS_RELEASES } else { '${url}' }`,
  },
] as const;

export interface InstallScript {
  readonly file: string;
  readonly text: string;
}

/** `releases`: address of all releases, checked by `releasesUrl`. Throws if a script lacks the line. */
export function installScripts(root: string, releases: string): readonly InstallScript[] {
  return PLACES.map(({ file, line, address }) => {
    const text = readFileSync(join(root, file), 'utf8');
    if (text.split(line).length !== 2) throw new Error(`${file} has not exactly one line ${line}`);
    return { file, text: text.replace(line, () => address(releases)) };
  });
}

/** Returns the address without a slash at its end. Throws for one that a script could misread. */
export function releasesUrl(text: string): string {
  const url = text.replace(/\/+$/, '');
  if (/^https:\/\/[\w.:-]+(\/[\w.~-]+)*$/.test(url)) return url;
  throw new Error(`--url ${text}: must be an https:// address of letters, digits, dots, hyphens and slashes`);
}

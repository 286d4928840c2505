/** Makes the archive of the Helm chart, in the version of the release. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileEntry } from './archives/entry.ts';
import { gzipped, tar } from './archives/tar.ts';
import type { Made, Plan } from './plan.ts';

const NAME = 'underpass';

export async function makeChart({ root, facts: { version, time } }: Plan): Promise<Made> {
  const folder = join(root, 'deploy/helm', NAME);
  const files = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  const entries = files.map((file) => {
    const path = join(file.parentPath, file.name);
    const name = path.slice(folder.length + 1);
    const text = readFileSync(path, 'utf8');
    return fileEntry(`${NAME}/${name}`, name === 'Chart.yaml' ? inVersion(text, version) : text);
  });
  const content = await gzipped(tar(entries, time));
  return { file: `underpass-chart-${version}.tgz`, content, part: 'chart' };
}

/** Sets the version of the chart, and the one of the image that it starts. */
export function inVersion(text: string, version: string): string {
  const changed = text
    .replace(/^version: .*$/m, `version: ${version}`)
    .replace(/^appVersion: .*$/m, `appVersion: ${JSON.stringify(version)}`);
  if (!/^version: /m.test(text) || !/^appVersion: /m.test(text))
    throw new Error('Chart.yaml has no version, or no appVersion');
  return changed;
}

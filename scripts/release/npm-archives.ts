/** Makes the npm archives, in the version of the release. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stagePackages } from '../packages/stage.ts';
import type { Made, Plan } from './plan.ts';

export async function makeNpmArchives({ root, folder, facts }: Plan): Promise<readonly Made[]> {
  const [staged, packed] = [join(folder, 'staged'), join(folder, 'packed')];
  for (const one of [staged, packed]) mkdirSync(one);
  const made: Made[] = [];
  for (const place of await stagePackages(root, staged, facts.version)) {
    const flags = ['--silent', '--pack-destination', packed];
    const printed = execFileSync('npm', ['pack', ...flags], { cwd: place, encoding: 'utf8' });
    const file = printed.trim();
    made.push({ file, content: readFileSync(join(packed, file)), part: 'npm' });
  }
  return made;
}

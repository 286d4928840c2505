/** Builds the parts of a release and writes them. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseList, sums } from './about.ts';
import { makeChart } from './chart.ts';
import { archiveName, archiveOf, buildExecutable, type Executable } from './executables.ts';
import { makeNpmArchives } from './npm-archives.ts';
import type { Made, Missing, Plan } from './plan.ts';
import { bundleProgram } from './program.ts';

const PROGRAMS = ['underpass', 'underpassd'] as const;
/** Most bytes of an archive of an executable. */
const MOST_BYTES = 60_000_000;

/** Files of an earlier run that do not belong to this one stay. Resolves with the files that were not built. */
export async function release(plan: Plan): Promise<{ readonly missing: readonly Missing[] }> {
  const { out, facts, parts } = plan;
  rmSync(join(out, 'SHA256SUMS'), { force: true });
  const made: Made[] = [];
  const keep = (one: Made): void => {
    console.log(`${one.file}: ${one.content.length} bytes`);
    writeFileSync(join(out, one.file), one.content);
    made.push(one);
  };
  if (parts.includes('npm')) for (const one of await makeNpmArchives(plan)) keep(one);
  if (parts.includes('chart')) keep(await makeChart(plan));
  if (parts.includes('executables'))
    for (const name of PROGRAMS) {
      const program = await bundleProgram(plan.root, name, facts.version);
      for (const platform of plan.platforms)
        keep(await archived(buildExecutable(program, platform, plan), plan));
    }
  const list = Buffer.from(releaseList(made, facts));
  keep({ file: 'release.json', content: list, part: 'about' });
  writeFileSync(join(out, 'SHA256SUMS'), sums(made));
  return { missing: [] };
}

async function archived(executable: Executable, { facts }: Plan): Promise<Made> {
  const { program, platform } = executable;
  const file = archiveName(executable, facts);
  const content = await archiveOf(executable, facts);
  if (content.length > MOST_BYTES)
    throw new Error(`${file} has ${content.length} bytes, more than ${MOST_BYTES}`);
  return { file, content, part: 'executables', program: program.name, platform: platform.name };
}

/** Builds the parts of a release and writes them. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { licensesOf } from '../packages/licenses.ts';
import { listText, releaseList, sums } from './about.ts';
import { makeChart } from './chart.ts';
import { archiveName, archiveOf, buildExecutable, type Executable, nodeLicense } from './executables.ts';
import { makeImages } from './image/image.ts';
import { installFiles } from './install/files.ts';
import { lockedPackage } from './node-package.ts';
import { makeNpmArchives } from './npm-archives.ts';
import { packageFiles } from './packages/daemon-package.ts';
import { deb, debName } from './packages/deb.ts';
import { rpm, rpmName } from './packages/rpm.ts';
import type { Made, Missing, Part, Plan } from './plan.ts';
import { isLinux, type LinuxName, PLATFORMS, type Platform } from './platforms.ts';
import { bundleProgram, type ProgramName } from './program.ts';
import { type Component, componentsOf, sbom } from './sbom.ts';

const PROGRAMS = ['underpass', 'underpassd'] as const;
/** Most bytes of an archive of an executable. */
const MOST_BYTES = 60_000_000;

/** Files of an earlier run that do not belong to this one stay. Resolves with the files that were not built. */
export async function release(plan: Plan): Promise<{ readonly missing: readonly Missing[] }> {
  const { out, facts, parts, root } = plan;
  rmSync(join(out, 'SHA256SUMS'), { force: true });
  const made: Made[] = [];
  const keep = (one: Made): void => {
    console.log(`${one.file}: ${one.content.length} bytes`);
    writeFileSync(join(out, one.file), one.content);
    made.push(one);
  };
  if (parts.includes('npm')) for (const one of await makeNpmArchives(plan)) keep(one);
  if (parts.includes('chart')) keep(await makeChart(plan));
  const images = parts.includes('image') ? await makeImages(plan) : { made: [], missing: [] };
  for (const one of images.made) keep(one);
  const inside: string[] = [];
  for (const name of PROGRAMS) {
    const program = await bundleProgram(root, name, facts.version);
    inside.push(...program.inside);
    for (const platform of plan.platforms) {
      const wanted = partsOf(name, platform, parts);
      if (wanted.length === 0) continue;
      const executable = buildExecutable(program, platform, plan);
      for (const part of wanted) keep(await MAKERS[part](executable, plan));
    }
  }
  for (const one of aboutFiles(plan, inside)) keep(one);
  const list = releaseList(made, facts);
  if (plan.releases !== null)
    for (const { file, text } of installFiles(root, list, plan.releases)) keep(about(file, text));
  keep(about('release.json', listText(releaseList(made, facts))));
  writeFileSync(join(out, 'SHA256SUMS'), sums(made));
  return { missing: images.missing };
}

/** The list of everything inside, and the licences. */
function aboutFiles(plan: Plan, inside: readonly string[]): readonly Made[] {
  const { root, facts } = plan;
  const components = [nodeComponent(root), ...componentsOf(root, inside)];
  return [
    about(`underpass-${facts.version}.spdx.json`, sbom(components, facts)),
    about('LICENSE', readFileSync(join(root, 'LICENSE'), 'utf8')),
    about('THIRD-PARTY-LICENSES', `${nodeLicense(plan)}\n\n${licensesOf(root, inside)}`),
  ];
}

function nodeComponent(root: string): Component {
  const [platform] = PLATFORMS;
  const { version } = lockedPackage(root, platform?.nodePackage ?? '');
  return { name: 'node', version, license: 'MIT', sha512: null, purl: `pkg:generic/node@${version}` };
}

function about(file: string, text: string): Made {
  return { file, content: Buffer.from(text), part: 'about' };
}

/** Parts that are made of an executable. */
const MAKERS = {
  executables: makeArchive,
  deb: async ({ platform, ...executable }: Executable, { root, facts }: Plan): Promise<Made> => {
    const which = { ...facts, platform: linux(platform) };
    const content = await deb(packageFiles(root, { platform, ...executable }), which);
    return {
      file: debName(which),
      content,
      part: 'deb',
      program: executable.program.name,
      platform: platform.name,
    };
  },
  rpm: async ({ platform, ...executable }: Executable, { root, facts }: Plan): Promise<Made> => {
    const which = { ...facts, platform: linux(platform) };
    const content = await rpm(packageFiles(root, { platform, ...executable }), which);
    return {
      file: rpmName(which),
      content,
      part: 'rpm',
      program: executable.program.name,
      platform: platform.name,
    };
  },
} as const;

/** Packages are for the daemon on Linux; the agent needs no installation. */
function partsOf(
  program: ProgramName,
  { name }: Platform,
  parts: readonly Part[],
): readonly (keyof typeof MAKERS)[] {
  const packages = program === 'underpassd' && isLinux(name) ? (['deb', 'rpm'] as const) : [];
  return (['executables', ...packages] as const).filter((part) => parts.includes(part));
}

function linux({ name }: Platform): LinuxName {
  if (!isLinux(name)) throw new Error(`${name} has no packages`);
  return name;
}

async function makeArchive(executable: Executable, { facts }: Plan): Promise<Made> {
  const { program, platform } = executable;
  const file = archiveName(executable, facts);
  const content = await archiveOf(executable, facts);
  if (content.length > MOST_BYTES)
    throw new Error(`${file} has ${content.length} bytes, more than ${MOST_BYTES}`);
  return { file, content, part: 'executables', program: program.name, platform: platform.name };
}

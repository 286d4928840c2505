/** Makes the archives of the images of agent and daemon. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../image/dockerfile.ts';
import { inMountNamespace } from '../../image/images.ts';
import { nodePackage } from '../node-package.ts';
import type { Made, Missing, Plan } from '../plan.ts';
import { isLinux, type LinuxName, type Platform } from '../platforms.ts';
import type { Building } from './build.ts';
import { obstacleToLibraries } from './libraries.ts';
import { ociArchive } from './oci.ts';

const ARCHITECTURES: Readonly<Record<LinuxName, 'amd64' | 'arm64'>> = {
  'linux-x64': 'amd64',
  'linux-arm64': 'arm64',
};
const NAMES = ['underpass', 'underpassd'] as const;
const OWN = `${process.platform}-${process.arch}`;
const FOREIGN = 'it contains libraries of this machine, which is for another processor';

/** Images are built in one run for all processors. Those that cannot be are missing, with the reason. */
export async function makeImages(
  plan: Plan,
): Promise<{ made: readonly Made[]; missing: readonly Missing[] }> {
  const platforms = plan.platforms.filter(({ name }) => isLinux(name));
  const reasons = platforms.map((platform) => ({ platform, reason: obstacle(platform) }));
  const missing = reasons.flatMap(({ platform, reason }) =>
    reason === null ? [] : NAMES.map((name) => ({ file: fileOf(name, platform, plan), reason })),
  );
  const possible = reasons.flatMap(({ platform, reason }) => (reason === null ? [platform] : []));
  return { made: possible.length === 0 ? [] : await imagesOf(possible, plan), missing };
}

/** The reason why this machine cannot build the image; null: it can. */
function obstacle({ name }: Platform): string | null {
  const other = name === OWN ? null : name === 'linux-arm64' ? obstacleToLibraries() : FOREIGN;
  if (other !== null) return other;
  if (process.getuid?.() !== 0) return 'building it mounts file systems, which needs root';
  if (spawnSync('unshare', ['--mount', 'true']).status !== 0)
    return 'this machine allows no mounts (unshare --mount)';
  return null;
}

async function imagesOf(platforms: readonly Platform[], plan: Plan): Promise<readonly Made[]> {
  const { root, facts } = plan;
  const folder = join(plan.folder, 'image');
  mkdirSync(folder);
  const layerOf = ({ name }: Platform): string => join(folder, `${name}.tar`);
  const [own, other] = [true, false].map((isOwn) => platforms.find(({ name }) => (name === OWN) === isOwn));
  const building: Building = {
    layer: own === undefined ? null : layerOf(own),
    other:
      other === undefined
        ? null
        : { layer: layerOf(other), node: join(nodePackage(other, root, plan.folder), other.binary), folder },
    settings: join(folder, 'settings.json'),
    time: facts.time,
  };
  const env = { ...process.env, UNDERPASS_VERSION: facts.version };
  const script = join(root, 'scripts/release/image/build.ts');
  const code = inMountNamespace(script, [JSON.stringify(building)], env);
  if (code !== 0) throw new Error(`the images were not built: exit code ${code}`);
  const settings = JSON.parse(readFileSync(building.settings, 'utf8')) as Readonly<Record<string, Settings>>;
  const made: Made[] = [];
  for (const platform of platforms)
    for (const name of NAMES)
      made.push(await imageOf(name, platform, readFileSync(layerOf(platform)), settings[name], plan));
  return made;
}

async function imageOf(
  name: (typeof NAMES)[number],
  platform: Platform,
  layer: Buffer,
  settings: Settings | undefined,
  plan: Plan,
): Promise<Made> {
  if (settings === undefined || !isLinux(platform.name)) throw new Error(`there is no image ${name}`);
  const content = await ociArchive(
    { name, layer, settings, architecture: ARCHITECTURES[platform.name] },
    plan.facts,
  );
  const file = fileOf(name, platform, plan);
  return { file, content, part: 'image', program: name, platform: platform.name };
}

function fileOf(name: string, platform: Platform, { facts }: Plan): string {
  return `${name}-image-${facts.version}-${platform.name}.oci.tar`;
}

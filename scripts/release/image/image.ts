/** Makes the archives of the images of agent and daemon. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../image/dockerfile.ts';
import { inMountNamespace } from '../../image/images.ts';
import type { Made, Missing, Plan } from '../plan.ts';
import { isLinux, type LinuxName, type Platform } from '../platforms.ts';
import { ociArchive } from './oci.ts';

const ARCHITECTURES: Readonly<Record<LinuxName, 'amd64' | 'arm64'>> = {
  'linux-x64': 'amd64',
  'linux-arm64': 'arm64',
};
const NAMES = ['underpass', 'underpassd'] as const;

/** Images of the machine's own processor are built; others are missing, with the reason. */
export async function makeImages(
  plan: Plan,
): Promise<{ made: readonly Made[]; missing: readonly Missing[] }> {
  const platforms = plan.platforms.filter(({ name }) => isLinux(name));
  const reasons = platforms.map((platform) => ({ platform, reason: obstacle(platform) }));
  const missing = reasons.flatMap(({ platform, reason }) =>
    reason === null ? [] : NAMES.map((name) => ({ file: fileOf(name, platform, plan), reason })),
  );
  const made: Made[] = [];
  for (const { platform, reason } of reasons)
    if (reason === null) made.push(...(await imagesOf(platform, plan)));
  return { made, missing };
}

/** The reason why this machine cannot build the image; null: it can. */
function obstacle({ name }: Platform): string | null {
  if (name !== `${process.platform}-${process.arch}`)
    return `it contains libraries of a machine for ${name}, and this one is for ${process.platform}-${process.arch}`;
  if (process.getuid?.() !== 0) return 'building it mounts file systems, which needs root';
  if (spawnSync('unshare', ['--mount', 'true']).status !== 0)
    return 'this machine allows no mounts (unshare --mount)';
  return null;
}

async function imagesOf(platform: Platform, plan: Plan): Promise<readonly Made[]> {
  const { root, folder, facts } = plan;
  const [layer, settings] = [join(folder, 'image/layer.tar'), join(folder, 'image/settings.json')];
  mkdirSync(join(folder, 'image'));
  const env = { ...process.env, UNDERPASS_VERSION: facts.version };
  const script = join(root, 'scripts/release/image/build.ts');
  const code = inMountNamespace(script, [layer, settings, String(facts.time)], env);
  if (code !== 0) throw new Error(`the images were not built: exit code ${code}`);
  const files = readFileSync(layer);
  const found = JSON.parse(readFileSync(settings, 'utf8')) as Readonly<Record<string, Settings>>;
  const made: Made[] = [];
  for (const name of NAMES) {
    const own = found[name];
    if (own === undefined || !isLinux(platform.name)) throw new Error(`there is no image ${name}`);
    const parts = { name, layer: files, settings: own, architecture: ARCHITECTURES[platform.name] };
    const content = await ociArchive(parts, facts);
    made.push({
      file: fileOf(name, platform, plan),
      content,
      part: 'image',
      program: name,
      platform: platform.name,
    });
  }
  return made;
}

function fileOf(name: string, platform: Platform, { facts }: Plan): string {
  return `${name}-image-${facts.version}-${platform.name}.oci.tar`;
}

/** The images of deploy/docker/Dockerfile, built without Docker in a mount namespace. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildStages, ignoredNames } from './build.ts';
import { readDockerfile, type Settings } from './dockerfile.ts';

/** Variable with the folder that the process in the namespace may mount over. */
const FOLDER = 'UNDERPASS_IMAGE_FOLDER';

export interface Image {
  /** Folder with the files of the image. */
  readonly root: string;
  readonly settings: Settings;
}

/** The folder for `buildImages`; null outside of the namespace. */
export function imageFolder(env: NodeJS.ProcessEnv): string | null {
  return env[FOLDER] ?? null;
}

/**
 * Runs a script with this Node in a mount namespace of its own, and returns its exit code. The mounts end with it.
 * It needs root.
 */
export function inMountNamespace(script: string, args: readonly string[], env: NodeJS.ProcessEnv): number {
  const folder = mkdtempSync(join(tmpdir(), 'underpass-image-'));
  const flags = ['--mount', '--propagation', 'private', process.execPath, script, ...args];
  const { status } = spawnSync('unshare', flags, { env: { ...env, [FOLDER]: folder }, stdio: 'inherit' });
  rmdirSync(folder);
  return status ?? 1;
}

/** Builds all stages from the checkout `context`. Returns an image by the name of its stage. */
export function buildImages(context: string, folder: string): (name: string) => Image {
  const file = join(context, 'deploy/docker/Dockerfile');
  const stages = readDockerfile(readFileSync(file, 'utf8'));
  const ignored = ignoredNames(readFileSync(`${file}.dockerignore`, 'utf8'));
  const roots = buildStages(stages, { context, ignored, folder });
  return (name) => {
    const settings = stages.find((stage) => stage.name === name)?.settings;
    const root = roots.get(name);
    if (settings === undefined || root === undefined) throw new Error(`there is no stage ${name}`);
    return { root, settings };
  };
}

/**
 * Fetches the Node of a platform from the registry.
 * Invariant: only bytes that the lock file names by hash are unpacked.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Platform } from './platforms.ts';

interface Locked {
  readonly version: string;
  readonly integrity: string;
}

/**
 * Returns the folder of the package. The one of this machine is in node_modules, where npm checked it. Throws if the
 * registry does not send it, or sends other bytes.
 */
export function nodePackage({ nodePackage: name }: Platform, root: string, folder: string): string {
  const installed = join(root, 'node_modules', name);
  const { version, integrity } = lockedPackage(root, name);
  if (existsSync(join(installed, 'package.json')) && versionOf(installed) === version) return installed;
  const to = join(folder, name);
  const unpacked = join(to, 'package');
  if (existsSync(unpacked)) return unpacked;
  mkdirSync(to, { recursive: true });
  const flags = ['--silent', '--prefer-offline', '--pack-destination', to];
  const printed = execFileSync('npm', ['pack', `${name}@${version}`, ...flags], { encoding: 'utf8' });
  const archive = join(to, printed.trim());
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (found !== integrity)
    throw new Error(`${name}@${version} is ${found}, not ${integrity} as package-lock.json says`);
  execFileSync('tar', ['-xzf', archive, '-C', to]);
  return unpacked;
}

/** Version and hash of a package of the root, from the lock file. */
export function lockedPackage(root: string, name: string): Locked {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const locked = packages[`node_modules/${name}`];
  if (locked === undefined) throw new Error(`package-lock.json has no ${name}`);
  return locked;
}

function versionOf(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Locked).version;
}

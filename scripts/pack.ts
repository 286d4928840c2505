/**
 * Writes archives of the packages that npm can install anywhere, into the folder of the argument (default: `dist`).
 * UNDERPASS_VERSION replaces the version of the checkout.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stagePackages } from './packages/stage.ts';

const root = join(import.meta.dirname, '..');
const to = resolve(process.argv[2] ?? 'dist');
const folder = mkdtempSync(join(tmpdir(), 'underpass-packages-'));
try {
  mkdirSync(to, { recursive: true });
  for (const place of await stagePackages(root, folder, process.env.UNDERPASS_VERSION))
    execFileSync('npm', ['pack', '--silent', '--pack-destination', to], { cwd: place, stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

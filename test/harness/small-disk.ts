/**
 * A disk of a few megabytes that can be filled: a tmpfs. To be mounted only by tests that `inNamespace` runs: there any user may, and the
 * mount ends with them.
 */
import { execFile, execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs a file of tests in a mount namespace of its own. Rejects with its output when one fails. */
export async function inNamespace(file: string): Promise<void> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = ['--map-root-user', '--mount', process.execPath, '--test-reporter=spec', file];
  await new Promise<void>((resolve, reject) => {
    execFile('unshare', args, { env }, (error, stdout, stderr) => {
      if (error === null) resolve();
      else reject(new Error(`${stdout}${stderr}`));
    });
  });
}

export class SmallDisk {
  readonly directory: string;

  constructor(megabytes: number) {
    this.directory = mkdtempSync(join(tmpdir(), 'underpass-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', this.directory]);
  }

  /** Takes every byte that is left. */
  fill(): void {
    const file = openSync(join(this.directory, 'filler'), 'a');
    try {
      for (;;) writeSync(file, Buffer.alloc(4096));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
  }

  /** Gives back what `fill` took. */
  free(): void {
    rmSync(join(this.directory, 'filler'), { force: true });
  }

  makeDirectory(name: string): string {
    const path = join(this.directory, name);
    mkdirSync(path);
    return path;
  }

  unmount(): void {
    execFileSync('umount', [this.directory]);
    rmdirSync(this.directory);
  }
}

/** Keys of OpenSSH's own making, and what OpenSSH reads in ours. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Each type of key that is taken: its algorithm, and how `ssh-keygen` makes one. */
export const keyTypes = {
  'ssh-ed25519': ['-t', 'ed25519'],
  'ecdsa-sha2-nistp256': ['-t', 'ecdsa', '-b', '256'],
  'ecdsa-sha2-nistp384': ['-t', 'ecdsa', '-b', '384'],
  'ecdsa-sha2-nistp521': ['-t', 'ecdsa', '-b', '521'],
  'ssh-rsa': ['-t', 'rsa', '-b', '2048'],
} as const;

export type Algorithm = keyof typeof keyTypes;

export class Keys {
  readonly #directory = mkdtempSync(join(tmpdir(), 'underpass-ssh-'));
  #count = 0;

  /** The line of the `.pub` file, and its path. */
  make(args: readonly string[]): { readonly line: string; readonly path: string } {
    const path = join(this.#directory, `key${++this.#count}`);
    execFileSync('ssh-keygen', ['-q', '-N', '', '-C', 'a comment', '-f', path, ...args]);
    return { line: readFileSync(`${path}.pub`, 'utf8'), path: `${path}.pub` };
  }

  /** What `ssh-keygen` prints with these arguments about a file with this text; throws when it refuses the file. */
  read(args: readonly string[], text: string): string {
    const path = join(this.#directory, `read${++this.#count}.pub`);
    writeFileSync(path, `${text}\n`);
    return execFileSync('ssh-keygen', [...args, '-f', path], {
      encoding: 'utf8',
      env: { ...process.env, TZ: 'UTC' },
      stdio: 'pipe',
    });
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

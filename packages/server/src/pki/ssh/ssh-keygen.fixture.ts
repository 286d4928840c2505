/** Keys that `ssh-keygen` makes and reads, and keys that Node makes. */
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingPrograms } from '../../../../../test/harness/missing.ts';
import { encodePublicKey, formatPublicKey } from './public-key.ts';

/** The reason to skip tests with `Keys`; false if there is none. */
export const sshKeygenMissing = missingPrograms('ssh-keygen');

/** Each type of key that is taken: its algorithm, and how `ssh-keygen` makes one. */
export const keyTypes = {
  'ssh-ed25519': ['-t', 'ed25519'],
  'ecdsa-sha2-nistp256': ['-t', 'ecdsa', '-b', '256'],
  'ecdsa-sha2-nistp384': ['-t', 'ecdsa', '-b', '384'],
  'ecdsa-sha2-nistp521': ['-t', 'ecdsa', '-b', '521'],
  'ssh-rsa': ['-t', 'rsa', '-b', '2048'],
} as const;

export type Algorithm = keyof typeof keyTypes;
export const algorithms = Object.keys(keyTypes) as readonly Algorithm[];

/** A line as in a `.pub` file, of a new key that Node makes. */
export function newKeyLine(algorithm: Algorithm): string {
  const key = encodePublicKey(newPublicKey(algorithm));
  if (key === null) throw new Error(`${algorithm} cannot be written for SSH`);
  return `${formatPublicKey(key)} a comment`;
}

function newPublicKey(algorithm: Algorithm): KeyObject {
  if (algorithm === 'ssh-rsa') return generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
  if (algorithm === 'ssh-ed25519') return generateKeyPairSync('ed25519').publicKey;
  return generateKeyPairSync('ec', { namedCurve: `P-${algorithm.slice(-3)}` }).publicKey;
}

export class Keys {
  readonly #directory = mkdtempSync(join(tmpdir(), 'underpass-ssh-'));
  #count = 0;

  /** The line of the `.pub` file, and its path. */
  make(args: readonly string[]): { readonly line: string; readonly path: string } {
    const path = join(this.#directory, `key${++this.#count}`);
    execFileSync('ssh-keygen', ['-q', '-N', '', '-C', 'a comment', '-f', path, ...args]);
    return { line: readFileSync(`${path}.pub`, 'utf8'), path: `${path}.pub` };
  }

  /** Returns the output of `ssh-keygen` with these arguments for a file with this text; throws if it refuses the file. */
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

/**
 * A hosts file for single programs, which resolve names with it as with DNS.
 * Invariant: no other program of the machine sees it.
 */
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingPrograms } from './missing.ts';

/** Reason why tests that need it are skipped; false if it works here. */
export const hostsFileMissing = missingPrograms('unshare', 'mount');

export class HostsFile {
  /** The folder of its files. The caller removes it. */
  readonly folder = mkdtempSync(join(tmpdir(), 'underpass-hosts-'));
  readonly #path = join(this.folder, 'hosts');

  /** `addresses`: those of each name. */
  constructor(addresses: ReadonlyMap<string, readonly string[]>) {
    const lines = [...addresses].flatMap(([name, all]) => all.map((address) => `${address} ${name}\n`));
    writeFileSync(this.#path, lines.join(''));
  }

  /** The command that starts another one, with its arguments behind it. */
  get through(): readonly string[] {
    const script = 'mount --bind "$0" /etc/hosts && exec "$@"';
    return ['unshare', '--map-root-user', '--mount', 'sh', '-c', script, this.#path];
  }

  /** Returns the path of a program that starts another one. */
  wrapped(program: string): string {
    const path = join(this.folder, 'program');
    const words = [...this.through, program].map((word) => `'${word}'`).join(' ');
    writeFileSync(path, `#!/bin/sh\nexec ${words} "$@"\n`);
    chmodSync(path, 0o755);
    return path;
  }
}

/**
 * A machine without Node: a root with a program and the libraries that it is linked with, and no others.
 * Only root may start programs in it. Its mounts end with the program that needs them.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { missing } from '../harness/missing.ts';
import { Process } from '../harness/process.ts';

/** Reason why there is no such machine, for node:test's `skip`; false if there is one. */
export const bareMachineMissing: string | false = missing(
  'root, which may mount,',
  process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0,
  'util-linux',
);

/** Shows /proc and /dev inside, and then becomes the program there. */
const ENTER =
  'for name in proc dev; do mount --rbind "/$name" "$0/$name"; done; cd "$0"; unset NODE_EXTRA_CA_CERTS; exec chroot "$0" "$@"';

export class BareMachine {
  readonly root: string;
  /** Names of the libraries that are in it. */
  readonly libraries: readonly string[];

  /** `programs`: files that are copied to /usr/bin. */
  constructor(programs: readonly string[]) {
    this.root = mkdtempSync(join(tmpdir(), 'underpass-bare-'));
    for (const name of ['proc', 'dev', 'tmp', 'data', 'usr/bin'])
      mkdirSync(this.path(name), { recursive: true });
    for (const program of programs) cpSync(program, this.path('usr/bin', basename(program)));
    const libraries = [...new Set(programs.flatMap(librariesOf))];
    for (const library of libraries) {
      mkdirSync(dirname(this.path(library)), { recursive: true });
      copyFileSync(library, this.path(library));
    }
    this.libraries = libraries.map((path) => basename(path)).sort();
  }

  /** Returns the path outside. */
  path(...names: readonly string[]): string {
    return join(this.root, ...names);
  }

  /** Starts a program of /usr/bin inside. */
  start(program: string, args: readonly string[]): Process {
    const inside = [this.root, join('/usr/bin', program), ...args];
    const flags = ['--mount', '--propagation', 'private', 'sh', '-euc', ENTER];
    return Process.program('unshare', [...flags, ...inside], {
      env: { PATH: '/usr/bin:/usr/sbin:/bin:/sbin', HOME: '/data' },
    });
  }

  /** Runs a program to its end, and returns what it printed. Rejects if it fails. */
  async run(program: string, args: readonly string[]): Promise<string> {
    const running = this.start(program, args);
    const { code } = await running.exited;
    if (code !== 0) throw new Error(`${program} ended with ${code}:\n${running.output}`);
    return running.output;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

function librariesOf(program: string): readonly string[] {
  const printed = execFileSync('ldd', [program], { encoding: 'utf8' });
  return [...printed.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path);
}

/**
 * A machine started by systemd: this one's files, with writes in memory, and separate processes, sockets and network.
 * Needs root.
 * Invariant: this machine is unchanged, and nothing is left.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Process } from './process.ts';
import { eventually } from './until.ts';

const SYSTEMD = '/lib/systemd/systemd';
const NAMESPACES = ['--mount', '--pid', '--net', '--uts', '--ipc'];
/** `$1`: an empty folder, `$2`: what puts files into the machine's root. Mounts are shared as systemd expects it of a machine. */
const BOOT = `
set -e
mount -t tmpfs none "$1"
mkdir "$1/root" "$1/written" "$1/work"
mount -t overlay -o "lowerdir=/,upperdir=$1/written,workdir=$1/work" overlay "$1/root"
cd "$1/root"
mount -t proc none proc
mount --rbind /dev dev
mount -t sysfs none sys
mount -t cgroup2 none sys/fs/cgroup
mount -t tmpfs none run
mount -t tmpfs none tmp
echo 0123456789abcdef0123456789abcdef > etc/machine-id
eval "$2"
mount --make-rshared "$1/root"
exec chroot . ${SYSTEMD} --system --unit=basic.target --log-target=console --show-status=no`;

/** Reason why tests that need it are skipped; false where systemd can be started so. */
export const systemdMachineMissing = canStart()
  ? false
  : 'no systemd can be started beside that of this machine';

function canStart(): boolean {
  if (process.getuid?.() !== 0 || !existsSync(SYSTEMD)) return false;
  const mounts = 'mount -t sysfs none /sys && mount -t cgroup2 none /sys/fs/cgroup';
  return spawnSync('unshare', [...NAMESPACES, '--fork', 'sh', '-c', mounts]).status === 0;
}

export class SystemdMachine {
  readonly #folder: string;
  readonly #process: Process;

  private constructor(folder: string, process: Process) {
    this.#folder = folder;
    this.#process = process;
  }

  /** `files`: commands that put files into its root, which is where they run, before it starts. */
  static async start(files: string): Promise<SystemdMachine> {
    const folder = mkdtempSync(join(tmpdir(), 'underpass-systemd-'));
    const namespaces = [...NAMESPACES, '--propagation', 'private', '--fork', '--kill-child'];
    const boot = ['sh', '-c', BOOT, 'sh', folder, files];
    const machine = new SystemdMachine(folder, Process.program('unshare', [...namespaces, ...boot]));
    try {
      await eventually(() => machine.#isUp());
    } catch (error) {
      await machine.stop();
      throw error;
    }
    return machine;
  }

  async #isUp(): Promise<void> {
    await this.run('systemctl is-active basic.target');
  }

  /** Runs the command in a shell there; returns its output. */
  async run(command: string): Promise<string> {
    const { pid } = this.#process;
    const first = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const inside = ['--target', first, ...NAMESPACES, '--root', '--wdns=/', 'sh', '-ec', command];
    const { stdout } = await promisify(execFile)('nsenter', inside);
    return stdout;
  }

  async stop(): Promise<void> {
    await this.#process.stop('SIGKILL');
    rmdirSync(this.#folder);
  }
}

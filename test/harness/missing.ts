/** Reports which parts of the machine a test needs and lacks. If CI is set, a missing part is an error: the gate has installed all of them. */
import { accessSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian's packages of programs that tests start by name. Tests may start others only if coreutils or Node has them. */
const PACKAGES = {
  bash: 'bash',
  curl: 'curl',
  dig: 'bind9-dnsutils',
  find: 'findutils',
  fish: 'fish',
  grep: 'grep',
  h2load: 'nghttp2-client',
  mount: 'mount',
  openssl: 'openssl',
  pebble: 'pebble',
  prometheus: 'prometheus',
  promtool: 'prometheus',
  python3: 'python3-minimal',
  script: 'bsdutils',
  sed: 'sed',
  setpriv: 'util-linux',
  shellcheck: 'shellcheck',
  ssh: 'openssh-client',
  'ssh-keygen': 'openssh-client',
  'systemd-analyze': 'systemd',
  tmux: 'tmux',
  tar: 'tar',
  unshare: 'util-linux',
  wget: 'wget',
  xmllint: 'libxml2-utils',
  xmlsec1: 'xmlsec1',
  zsh: 'zsh',
} as const;

export type ProgramName = keyof typeof PACKAGES;

/** Value of node:test's `skip`: false if all of these programs are on the PATH, else the reason. Throws if CI is set. */
export function missingPrograms(...names: readonly ProgramName[]): string | false {
  const absent = names.find((name) => !isOnPath(name));
  return absent === undefined ? false : missing(absent, false, PACKAGES[absent]);
}

/** A line for each program that is not on the PATH. */
export function missingProgramLines(): readonly string[] {
  const absent = (Object.keys(PACKAGES) as ProgramName[]).filter((name) => !isOnPath(name));
  return absent.map((name) => reasonOf('apt-get install', name, [PACKAGES[name]]));
}

/**
 * Value of node:test's `skip`: false if it is there, else the reason. `name` is the missing part, `install` the
 * Debian packages that have it. Throws if CI is set.
 */
export function missing(name: string, isThere: boolean, ...install: readonly string[]): string | false {
  return missingFrom('apt-get install', name, isThere, install);
}

/** The same for a program that PyPI has. */
export function missingFromPyPI(
  name: string,
  isThere: boolean,
  ...install: readonly string[]
): string | false {
  return missingFrom('pip install', name, isThere, install);
}

function missingFrom(
  command: string,
  name: string,
  isThere: boolean,
  install: readonly string[],
): string | false {
  if (isThere) return false;
  const reason = reasonOf(command, name, install);
  if (process.env.CI === 'true') throw new Error(`nothing is skipped if CI is set, and ${reason}`);
  return reason;
}

function reasonOf(command: string, name: string, install: readonly string[]): string {
  return `${name} is not installed: ${command} ${install.join(' ')}`;
}

export function isOnPath(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name));
      return true;
    } catch {
      return false;
    }
  });
}

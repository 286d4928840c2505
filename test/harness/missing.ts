/** What a test needs of the machine and may not find. Never that a test is skipped where everything has to be run. */
import { accessSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * For node:test's `skip`: false when it is there, else the reason. `name` is what is not there, `install` the Debian packages that bring
 * it. Where CI is set the gate has installed them, so that it is an error there.
 */
export function missing(name: string, isThere: boolean, ...install: readonly string[]): string | false {
  return missingFrom('apt-get install', name, isThere, install);
}

/** The same of what PyPI has. */
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
  const reason = `${name} is not installed: ${command} ${install.join(' ')}`;
  if (process.env.CI === 'true') throw new Error(`nothing is skipped where CI is set, and ${reason}`);
  return reason;
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

/**
 * Folders of this user's files.
 * Invariant: they do not depend on the current folder.
 */
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the folder of configuration files. Ignores a relative `XDG_CONFIG_HOME`, as the XDG Base Directory
 * Specification requires.
 */
export function configFolder(environment: Environment): string {
  const { XDG_CONFIG_HOME: configured = '' } = environment;
  return isAbsolute(configured) ? configured : join(homeFolder(environment), '.config');
}

/** `HOME`, else the system's record of the user. In a container there may be none: then `/`, as container engines do. */
function homeFolder({ HOME: home = '' }: Environment): string {
  if (isAbsolute(home)) return home;
  try {
    // Windows does not use HOME.
    const known = process.platform === 'win32' ? homedir() : userInfo().homedir;
    return isAbsolute(known) ? known : '/';
  } catch {
    return '/';
  }
}

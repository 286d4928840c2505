/**
 * Folders of this user's files.
 * Invariant: they do not depend on the current folder.
 */
import { homedir, userInfo } from 'node:os';
import { posix, win32 } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the folder of configuration files: `XDG_CONFIG_HOME`, else `%APPDATA%` on Windows and `~/.config` elsewhere.
 * Ignores a relative variable, as the XDG Base Directory Specification requires.
 */
export function configFolder(environment: Environment, platform = process.platform): string {
  const { XDG_CONFIG_HOME: configured = '', APPDATA: roaming = '' } = environment;
  const { isAbsolute, join } = platform === 'win32' ? win32 : posix;
  if (isAbsolute(configured)) return configured;
  if (platform !== 'win32') return dotConfigFolder(environment, platform);
  return isAbsolute(roaming) ? roaming : join(homeFolder(environment, platform), 'AppData', 'Roaming');
}

/** Returns `~/.config`, which older versions used on Windows too. */
export function dotConfigFolder(environment: Environment, platform = process.platform): string {
  const { join } = platform === 'win32' ? win32 : posix;
  return join(homeFolder(environment, platform), '.config');
}

/**
 * Returns `HOME`, else the system's record of the user. In a container there may be none: then `/`, as container
 * engines do. Windows has `USERPROFILE` instead; shells there set a `HOME` in their own spelling.
 */
export function homeFolder(environment: Environment, platform = process.platform): string {
  const { HOME: home = '', USERPROFILE: profile = '' } = environment;
  if (platform === 'win32') return win32.isAbsolute(profile) ? profile : homedir();
  if (posix.isAbsolute(home)) return home;
  try {
    const known = userInfo().homedir;
    return posix.isAbsolute(known) ? known : '/';
  } catch {
    return '/';
  }
}

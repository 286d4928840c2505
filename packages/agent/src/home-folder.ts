/** Where the files of this user are. Never a folder that depends on where a command is started. */
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where configuration belongs: a relative `XDG_CONFIG_HOME` is to be ignored (XDG Base Directory Specification). */
export function configFolder(environment: Environment): string {
  const { XDG_CONFIG_HOME: configured = '' } = environment;
  return isAbsolute(configured) ? configured : join(homeFolder(environment), '.config');
}

/** `HOME`, else what the system says of the user, who in a container may be nobody that it knows: then `/`, as container engines have it. */
function homeFolder({ HOME: home = '' }: Environment): string {
  if (isAbsolute(home)) return home;
  try {
    // On Windows it is not HOME that says it.
    const known = process.platform === 'win32' ? homedir() : userInfo().homedir;
    return isAbsolute(known) ? known : '/';
  } catch {
    return '/';
  }
}

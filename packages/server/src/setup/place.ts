/** Places of the config file, its secrets and the state, by user. */
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ConfigError, type Values } from '../command/options.ts';

export interface SetupPlace {
  /** Absolute path of the YAML file. */
  readonly config: string;
  /** Absolute path of the file with secrets, for the service. */
  readonly secrets: string;
  /** Absolute path of the folder for state, unless the file or a flag names another one. */
  readonly dataDir: string;
}

/** `flags`: those of the command line. Throws ConfigError. */
export function placeOf(flags: Values, env: NodeJS.ProcessEnv, isRoot: boolean): SetupPlace {
  const given = flags.get('config')?.[0];
  const config = given === undefined ? usualConfig(env, isRoot) : resolve(given);
  if (/\p{Cc}/u.test(config))
    throw new ConfigError('--config: has control characters; give a path without them');
  const share = env.XDG_DATA_HOME || join(homedir(), '.local/share');
  return {
    config,
    secrets: join(dirname(config), 'secrets.env'),
    dataDir: isRoot ? '/var/lib/underpass' : join(share, 'underpass'),
  };
}

function usualConfig(env: NodeJS.ProcessEnv, isRoot: boolean): string {
  if (isRoot) return '/etc/underpass/underpassd.yaml';
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'underpass/underpassd.yaml');
}

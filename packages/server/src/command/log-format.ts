/** The format of a daemon's log, also if its options are wrong. */
import { LOG_FORMATS, type LogFormat, readValues, type Values } from './options.ts';

/** Returns the format without an option; `isTerminal` is true if stderr is one. */
export function usualFormat(isTerminal: boolean): LogFormat {
  return isTerminal ? 'people' : 'json';
}

/**
 * Returns the format for an error of a command line that cannot be read as a whole. Commands beside `serve` have no
 * log: people read their errors.
 */
export function errorFormat(argv: readonly string[], env: NodeJS.ProcessEnv, isTerminal: boolean): LogFormat {
  const [first = ''] = argv;
  if (first !== '' && first !== 'serve' && !first.startsWith('-')) return 'people';
  const text = flagIn(argv, 'log-format') ?? laterValue(argv, env);
  return LOG_FORMATS.find((each) => each === text) ?? usualFormat(isTerminal);
}

/** The last one counts. */
function flagIn(argv: readonly string[], flag: string): string | undefined {
  const at = argv.findLastIndex((word) => word === `--${flag}` || word.startsWith(`--${flag}=`));
  const word = argv[at];
  return word === `--${flag}` ? argv[at + 1] : word?.slice(`--${flag}=`.length);
}

/** The value of a variable or of the file; undefined if they have none, or cannot be read. */
function laterValue(argv: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  const config = flagIn(argv, 'config');
  const flags: Values = new Map(config === undefined ? [] : [['config', [config]]]);
  try {
    return readValues(flags, env).get('log-format')?.[0];
  } catch {
    return env.UNDERPASS_LOG_FORMAT;
  }
}

/** Writes commands of this program so that a shell runs them as they are printed. */

/** The options with which a command reaches the same service. */
export interface CommandPlace {
  readonly server: string;
  readonly caFile?: string | undefined;
  readonly caFingerprint?: string | undefined;
  readonly configFile?: string | undefined;
}

/** The command in double quotes, for a sentence. Each word is quoted for a shell if it needs that. */
export function commandText(words: readonly string[]): string {
  return `"${[programName(process.env), ...words.map(shellWord)].join(' ')}"`;
}

/** A command with the options that lead to this service. */
export function commandAt(command: string, place: Partial<CommandPlace>): string {
  const { server, caFile, caFingerprint, configFile } = place;
  const option = (name: string, value: string | undefined) => (value === undefined ? [] : [name, value]);
  return commandText([
    command,
    ...option('--server', server),
    ...option('--ca', caFile),
    ...option('--ca-fingerprint', caFingerprint),
    ...option('--config', configFile),
  ]);
}

/** A program that npx has started is often not on the PATH. */
function programName({ npm_command: npm }: NodeJS.ProcessEnv): string {
  return npm === 'exec' ? 'npx underpass' : 'underpass';
}

/** One word for a POSIX shell. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

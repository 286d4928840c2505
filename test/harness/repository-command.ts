/** Which file starts a command of this repository: in a run of tests one that was made to start sooner (scripts/tests/commands.ts). */

/** The variable in which they are, as JSON, by the command's own file. */
const COMMANDS = 'TEST_COMMANDS';

/** For the environment of test files. */
export function commandsIn(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { [COMMANDS]: JSON.stringify(files) };
}

/** `file` itself, where there is no other for it. */
export function startedFor(file: string): string {
  const files = JSON.parse(process.env[COMMANDS] ?? '{}') as Readonly<Record<string, string>>;
  return files[file] ?? file;
}

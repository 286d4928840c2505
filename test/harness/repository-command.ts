/**
 * Finds the file of a command of this repository: in a run of tests a bundle that starts sooner
 * (scripts/tests/commands.ts).
 */

/** The variable in which they are, as JSON, by the command's own file. */
const COMMANDS = 'TEST_COMMANDS';

/** Returns variables for the environment of test files. */
export function commandsIn(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { [COMMANDS]: JSON.stringify(files) };
}

/** `file` itself, where there is no other for it. */
export function startedFor(file: string): string {
  const files = JSON.parse(process.env[COMMANDS] ?? '{}') as Readonly<Record<string, string>>;
  return files[file] ?? file;
}

/**
 * `underpass config edit`: changes the config file in an editor.
 * Invariant: a file with mistakes never replaces a valid one.
 */
import { existsSync, rmSync } from 'node:fs';
import { Prompt } from '@underpass/wire/prompt';
import { InvalidInput } from '../address.ts';
import { runEditor } from '../editor.ts';
import { nameBeside, writePrivateFile } from '../private-file.ts';
import { endBySignal } from '../signals.ts';
import { readText } from '../text-file.ts';
import { readTunnelsFile } from '../tunnels-file.ts';

const NEW_FILE = `# The address of the server ("underpass login" can store it), and tunnels by name:
# "underpass start web" starts one of them, "underpass start --all" all.
#
# server: connect.example.com:443
# authtoken: TOKEN
# tunnels:
#   web: {upstream: 3000, domain: demo.example.com}
`;

/** Resolves with the exit code. Throws InvalidInput; rejects with Cancelled. */
export async function editConfig(path: string): Promise<number> {
  const before = textOf(path);
  const begun = before ?? NEW_FILE;
  // Beside the file, so that paths in it mean the same.
  const copy = nameBeside(path);
  let isCopyNeeded = false;
  const ended = (signal: NodeJS.Signals): void => {
    rmSync(copy, { force: true });
    stopWatching();
    endBySignal(signal);
  };
  const stopWatching = (): unknown =>
    process.off('SIGTERM', ended).off('SIGHUP', ended).off('SIGINT', leftToEditor);
  // Before there is a copy, and until there is none: signals come at any moment.
  process.on('SIGTERM', ended).on('SIGHUP', ended).on('SIGINT', leftToEditor);
  try {
    writePrivateFile(copy, begun);
    const text = await edited(copy, path);
    if (text === null || text === begun) {
      console.log(`${path} is as it was.`);
      return text === null ? 1 : 0;
    }
    // A login, or another editor, while this one was open.
    isCopyNeeded = textOf(path) !== before;
    if (isCopyNeeded) throw new InvalidInput(`${path} was changed meanwhile. What you wrote is in ${copy}.`);
    writePrivateFile(path, text);
    console.log(`${path} is changed.`);
    return 0;
  } finally {
    if (!isCopyNeeded) rmSync(copy, { force: true });
    stopWatching();
  }
}

/** Ctrl-C ends what the editor does, or the editor; a prompt hears of it as of a key. */
function leftToEditor(): void {}

/** Null: there is no file. */
function textOf(path: string): string | null {
  return existsSync(path) ? readText(path, 'The config file') : null;
}

/** Returns null if the user cancelled. */
async function edited(copy: string, path: string): Promise<string | null> {
  for (;;) {
    await runEditor(copy, 'write the file that "underpass config path" names');
    const mistake = mistakeIn(copy);
    if (mistake === null) return readText(copy, 'The config file');
    console.error(`underpass: ${mistake.replaceAll(copy, path)}`);
    if (!(await isToGoOn())) return null;
  }
}

function mistakeIn(path: string): string | null {
  try {
    readTunnelsFile(path);
    return null;
  } catch (error) {
    if (error instanceof InvalidInput) return error.message;
    throw error;
  }
}

/** There is no user to confirm without a terminal. */
async function isToGoOn(): Promise<boolean> {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return false;
  using prompt = new Prompt(process.stdin, process.stderr, InvalidInput);
  const answer = await prompt.ask('Edit it again, or go back to what it was? [E/b] ');
  return !/^b/i.test(answer);
}

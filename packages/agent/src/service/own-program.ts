/** The command that starts this program again. */
import { realpathSync } from 'node:fs';
import { isSingleExecutable } from '@underpass/wire';

/** Returns the executable of this program, or Node with its flags and the script. */
export function ownProgram(): readonly string[] {
  if (isSingleExecutable()) return [process.execPath];
  const [, script = ''] = process.argv;
  return [process.execPath, ...process.execArgv, realpathSync(script)];
}

/** Opens the editor that the user has chosen in VISUAL or EDITOR. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { InvalidInput } from './address.ts';

/** Opens a file and waits until the editor ends. `other` is what to do without one. Throws InvalidInput. */
export async function runEditor(path: string, other: string): Promise<void> {
  const chosen = process.env.VISUAL || process.env.EDITOR;
  // vi would wait for keys that never come.
  if (!chosen && process.stdin.isTTY !== true)
    throw new InvalidInput(
      `This is no terminal, where vi would be opened. Name an editor in EDITOR, or ${other}.`,
    );
  const editor = chosen || 'vi';
  // The variable may hold a command with arguments.
  const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0)
    throw new InvalidInput(
      `The editor "${editor}" failed, and nothing was changed. Name another one in EDITOR.`,
    );
}

/** Opens the editor that the user has chosen in VISUAL or EDITOR. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { InvalidInput } from './address.ts';

/** Opens a file and waits until the editor ends. `other` is what to do without one. Throws InvalidInput. */
export async function runEditor(path: string, other: string): Promise<void> {
  const chosen = process.env.VISUAL || process.env.EDITOR;
  const usual = process.platform === 'win32' ? 'notepad' : 'vi';
  // An editor would wait for keys that never come.
  if (!chosen && process.stdin.isTTY !== true)
    throw new InvalidInput(
      `This is no terminal, where ${usual} would be opened. Name an editor in EDITOR, or ${other}.`,
    );
  const editor = chosen || usual;
  const { program, args, variables, isVerbatim } = editorCommand(editor, path);
  const child = spawn(program, args, {
    stdio: 'inherit',
    env: { ...process.env, ...variables },
    windowsVerbatimArguments: isVerbatim,
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0)
    throw new InvalidInput(
      `The editor "${editor}" failed, and nothing was changed. Name another one in EDITOR.`,
    );
}

/** A call of a shell. */
export interface EditorCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  /** True if Windows gets the arguments without further quotes. */
  readonly isVerbatim: boolean;
}

/**
 * Returns the call that opens a file. `editor` may be a command with arguments, so a shell runs it. The path is never
 * part of the shell's text: `cmd` replaces `%` even inside quotes, but not in the value of a variable.
 */
export function editorCommand(editor: string, path: string, platform = process.platform): EditorCommand {
  if (platform === 'win32')
    return {
      program: process.env.ComSpec || 'cmd.exe',
      args: ['/d', '/s', '/c', `"${editor} "%UNDERPASS_EDITED%""`],
      variables: { UNDERPASS_EDITED: path },
      isVerbatim: true,
    };
  const args = ['-c', `${editor} "$1"`, 'sh', path];
  return { program: '/bin/sh', args, variables: {}, isVerbatim: false };
}

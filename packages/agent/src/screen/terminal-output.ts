/** The stream by which the screen writes to its terminal. */
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';

/**
 * Returns a stream of the terminal's descriptor. Node's own stream makes the whole process wait while a terminal is
 * stopped (Ctrl-S). On Windows it is the own stream: only that one writes Unicode there, whatever the code page is.
 */
export function terminalOutput<Terminal extends Writable & { readonly fd: number }>(
  terminal: Terminal,
  platform = process.platform,
): Writable {
  return platform === 'win32' ? terminal : createWriteStream('', { fd: terminal.fd, autoClose: false });
}

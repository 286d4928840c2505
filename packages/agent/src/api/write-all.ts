/** Writes a text whole, also into a pipe that is read slowly or not at all. */
import type { Writable } from 'node:stream';

const guarded = new WeakSet<Writable>();

/** Resolves when the text is handed to the system; a reader that went away is no error. */
export function writeAll(out: Writable, text: string): Promise<void> {
  if (!guarded.has(out)) out.on('error', () => {});
  guarded.add(out);
  return new Promise((resolve) => out.write(text, () => resolve()));
}

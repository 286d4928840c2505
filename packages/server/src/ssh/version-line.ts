/**
 * The first line of a connection (RFC 4253, section 4.2).
 * Invariant: at most the allowed length of the line is kept.
 */
import { SshError } from './ssh-error.ts';

const longestLine = 255;
const shape = /^SSH-2\.0-([\x21-\x7e]+)(?: .*)?$/;

export interface VersionLine {
  /** The line without its end, as in the hash. */
  readonly line: string;
  /** The peer's name for its program, e.g. `OpenSSH_9.2p1`. */
  readonly software: string;
}

export class VersionReader {
  #read = Buffer.alloc(0);

  /** The line and what came after it; null: there is more to come. Raises SshError. */
  read(chunk: Buffer): { readonly version: VersionLine; readonly rest: Buffer } | null {
    const end = chunk.indexOf('\n');
    const piece = end === -1 ? chunk : chunk.subarray(0, end);
    if (this.#read.length + piece.length > longestLine)
      throw new SshError('the first line is no SSH version');
    this.#read = Buffer.concat([this.#read, piece]);
    // Fails early if the bytes cannot become a version line.
    const start = this.#read.toString('latin1', 0, 8);
    if (!'SSH-2.0-'.startsWith(start)) throw new SshError('the first line is no SSH version');
    if (end === -1) return null;
    const line = this.#read.toString('latin1').replace(/\r$/, '');
    const software = shape.exec(line)?.[1];
    if (software === undefined) throw new SshError('the first line is no SSH version');
    return { version: { line, software }, rest: chunk.subarray(end + 1) };
  }
}

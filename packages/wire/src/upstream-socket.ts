/**
 * A TCP connection to a server that may answer and close before it has read everything. Never that a write which fails for it keeps
 * from being read what the server said before.
 */
import { Socket } from 'node:net';

type Done = (error?: Error | null) => void;
type Gathered = { chunk: unknown; encoding: BufferEncoding }[];

/** What is written to a connection that the other side has reset is lost; the end of what comes, or its error, tells the user. */
export class UpstreamSocket extends Socket {
  #isBroken = false;

  /** A write has failed: where what comes ends it may have been cut. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  override _write(chunk: unknown, encoding: BufferEncoding, done: Done): void {
    super._write(chunk, encoding, (error) => this.#written(error, done));
  }

  override _writev(chunks: Gathered, done: Done): void {
    super._writev?.(chunks, (error) => this.#written(error, done));
  }

  #written(error: Error | null | undefined, done: Done): void {
    if (error) this.#isBroken = true;
    done();
  }
}

/** Whether the end of what came from a socket says nothing about whether that was everything. */
export function mayBeCut(socket: Socket): boolean {
  return socket instanceof UpstreamSocket && socket.isBroken;
}

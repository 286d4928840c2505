/**
 * A visitor's socket with what flow control needs around it: writes gathered per tick, reading stopped while something waits.
 * In: bytes to write, bytes that came too early. Out: the same, in time. What may change here: when to gather, when to read.
 */
import type { TLSSocket } from 'node:tls';
import type { Corked, Shared } from './shared.ts';

/** Writes from this size on are not gathered: gathering copies. */
const LARGE_WRITE = 8 * 1024;

export class VisitorSocket implements Corked {
  /** The visitor has not yet taken what was written. */
  blocked = false;
  /** Coarse time of the last write that went through. */
  lastWrite: number;
  /** The request's body waits for a slow upstream. */
  bodyHeld = false;
  readonly #shared: Shared;
  readonly #socket: TLSSocket;
  /** Bytes beyond the current request. */
  #early: Buffer | null = null;
  #reading = true;
  #corked = false;

  constructor(shared: Shared, socket: TLSSocket) {
    this.#shared = shared;
    this.#socket = socket;
    this.lastWrite = shared.clock;
    socket.setNoDelay(true);
    // A switched connection may end in one direction first.
    socket.allowHalfOpen = true;
  }

  get hasEarly(): boolean {
    return this.#early !== null;
  }

  get isFlushed(): boolean {
    return this.#socket.writableFinished;
  }

  /** `more`: more follows, perhaps in this tick. False: the socket is full, and `drain` will come. */
  write(bytes: Buffer, more: boolean): boolean {
    if (more && !this.#corked && bytes.length < LARGE_WRITE) {
      this.#corked = true;
      this.#socket.cork();
      this.#shared.uncorkSoon(this);
    }
    if (this.#socket.write(bytes)) {
      this.lastWrite = this.#shared.clock;
      return true;
    }
    if (!this.blocked) {
      this.blocked = true;
      this.lastWrite = this.#shared.clock;
    }
    return false;
  }

  uncork(): void {
    if (!this.#corked) return;
    this.#corked = false;
    this.#socket.uncork();
  }

  drained(): void {
    this.blocked = false;
    this.lastWrite = this.#shared.clock;
  }

  holdBody(held: boolean): void {
    this.bodyHeld = held;
    this.#applyReading();
  }

  keepEarly(chunk: Buffer): void {
    this.#early = this.#early === null ? chunk : Buffer.concat([this.#early, chunk]);
    this.#applyReading();
  }

  takeEarly(): Buffer | null {
    const early = this.#early;
    this.#early = null;
    this.#applyReading();
    return early;
  }

  /** Half-closes after what was written. */
  end(): void {
    this.uncork();
    this.#socket.end();
  }

  /** Ends, and does not wait for the visitor to end too. */
  endAtOnce(): void {
    this.uncork();
    this.#socket.destroySoon();
  }

  destroy(): void {
    this.#early = null;
    this.#socket.destroy();
  }

  #applyReading(): void {
    const reading = this.#early === null && !this.bodyHeld;
    if (reading === this.#reading) return;
    this.#reading = reading;
    if (reading) this.#socket.resume();
    else this.#socket.pause();
  }
}

/**
 * A visitor's socket with flow control: it gathers the writes of a turn, and stops reading while bytes wait.
 * Invariant: at most one read of it waits here.
 */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { BoundedWrites, resetSocket } from '@underpass/wire';
import { probePeer, watchPeer } from '../../system/silent-visitors.ts';
import type { Corked, Shared } from './shared.ts';

/** Writes from this size on are not gathered: gathering copies. */
const LARGE_WRITE = 8 * 1024;

export class VisitorSocket implements Corked {
  /** The visitor has not yet taken what was written. */
  blocked = false;
  /** Coarse time of the last write that went through. */
  lastWrite: number;
  /** The request's body waits: for a slow upstream, or for a verdict. */
  isBodyPaused = false;
  readonly #shared: Shared;
  readonly #socket: Socket;
  readonly #writes: BoundedWrites;
  /** Bytes beyond the current request. */
  #pipelined: Buffer | null = null;
  #reading = true;
  #corked = false;

  /** `drained`: there is room again, after a write that returned false. */
  constructor(shared: Shared, socket: Socket, drained: () => void) {
    this.#shared = shared;
    this.#socket = socket;
    this.#writes = new BoundedWrites(socket, () => {
      this.blocked = false;
      this.lastWrite = this.#shared.clock;
      drained();
    });
    this.lastWrite = shared.clock;
    // A switched connection may end in one direction first.
    socket.allowHalfOpen = true;
  }

  get hasPipelined(): boolean {
    return this.#pipelined !== null;
  }

  get hasUnsent(): boolean {
    return this.#socket.writableLength > 0;
  }

  /** It was ended, and everything that was written is out. */
  get isFlushed(): boolean {
    return this.#socket.writableFinished;
  }

  /** `more`: more follows, perhaps in this tick. False: the socket is full, and `drained` will be called. */
  write(bytes: Buffer, more: boolean): boolean {
    if (more && !this.#corked && bytes.length < LARGE_WRITE) {
      this.#corked = true;
      this.#socket.cork();
      this.#shared.uncorkSoon(this);
    }
    if (this.#writes.write(bytes)) {
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

  pauseBody(isPaused: boolean): void {
    this.isBodyPaused = isPaused;
    this.#applyReading();
  }

  keepPipelined(chunk: Buffer): void {
    this.#pipelined = this.#pipelined === null ? chunk : Buffer.concat([this.#pipelined, chunk]);
    this.#applyReading();
  }

  takePipelined(): Buffer | null {
    const pipelined = this.#pipelined;
    this.#pipelined = null;
    this.#applyReading();
    return pipelined;
  }

  /** Starts keep-alive probes after its end, so that the kernel detects a lost peer. */
  watchPeer(): void {
    watchPeer(this.#socket);
  }

  /** Lost, if the kernel has lost its peer. */
  probePeer(): void {
    probePeer(this.#socket);
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

  /** `isCut`: only the way in which it ends shows the visitor that the body is cut. */
  destroy(isCut = false): void {
    this.#pipelined = null;
    // TLS shows it by the missing close_notify.
    if (isCut && !(this.#socket instanceof TLSSocket)) resetSocket(this.#socket);
    else this.#socket.destroy();
  }

  #applyReading(): void {
    const reading = this.#pipelined === null && !this.isBodyPaused;
    if (reading === this.#reading) return;
    this.#reading = reading;
    if (reading) this.#socket.resume();
    else this.#socket.pause();
  }
}

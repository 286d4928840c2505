/**
 * A TCP or TLS connection in progress, as a stream like those of an agent.
 * Invariant: no byte leaves before the connection is made and, with TLS, verified. So a failed one has passed nothing
 * on.
 */
import type { Socket } from 'node:net';
import {
  BoundedWrites,
  deadline,
  ErrorCode,
  GrowingBuffer,
  mayBeCut,
  noopHandler,
  resetSocket,
  type StreamHandler,
} from '@underpass/wire';
import type { ErrorName } from '../../errors/catalogue.ts';
import { type DialFault, dialFault } from '../../errors/dial-fault.ts';
import type { ByteStream } from '../sites/site.ts';
import { faultOfSocket } from './socket-fault.ts';

/** Reason why a connection was not made, where the system has no word for it. */
export class DialError extends Error {
  readonly failure: ErrorName;

  constructor(failure: ErrorName) {
    super(failure);
    this.failure = failure;
  }
}

export interface SocketStreamOptions {
  /** A socket with `allowHalfOpen`, which may still be connecting. */
  readonly socket: Socket;
  readonly isTls: boolean;
  /** Milliseconds until it must have been made. */
  readonly dialMs: number;
  /** The socket is closed. */
  readonly released: () => void;
}

export class SocketStream implements ByteStream {
  handler: StreamHandler = noopHandler;
  failure?: ErrorName;
  dialFault?: DialFault;
  readonly #socket: Socket;
  readonly #toUpstream: BoundedWrites;
  readonly #isTls: boolean;
  /** Bytes from before the connection; null afterwards. */
  #unsent: GrowingBuffer | null = new GrowingBuffer();
  #isReached = false;
  #closed = false;
  #needDrain = false;
  #ending = false;
  #endTold = false;
  #error: NodeJS.ErrnoException | null = null;

  constructor({ socket, isTls, dialMs, released }: SocketStreamOptions) {
    this.#socket = socket;
    this.#toUpstream = new BoundedWrites(socket, () => this.#drained());
    this.#isTls = isTls;
    const inTime = deadline(dialMs, () => socket.destroy(new DialError('upstreamDialTimeout')));
    socket.once('connect', () => {
      this.#isReached = true;
    });
    socket.once(isTls ? 'secureConnect' : 'connect', () => {
      inTime.met();
      this.#made();
    });
    socket.on('data', (chunk: Buffer) => this.#tell(() => this.handler.data(chunk)));
    socket.on('end', () => {
      if (mayBeCut(socket)) {
        socket.destroy();
        return;
      }
      this.#endTold = true;
      this.#tell(() => this.handler.end());
    });
    socket.on('error', (error) => {
      this.#error = error;
    });
    socket.on('close', () => {
      inTime.met();
      released();
      this.#gone();
    });
  }

  get closed(): boolean {
    return this.#closed;
  }

  get writableNeedDrain(): boolean {
    if (this.#closed || this.#ending || this.#socket.destroyed) return false;
    // A connection with a failed write takes no further request, even if its response is complete.
    return this.#unsent !== null || this.#toUpstream.isFull || mayBeCut(this.#socket);
  }

  write(chunk: Uint8Array): boolean {
    if (this.#closed || this.#ending || this.#socket.destroyed) return true;
    if (this.#unsent !== null) this.#unsent.append(chunk);
    else if (this.#toUpstream.write(chunk)) return true;
    this.#needDrain = true;
    return false;
  }

  end(): void {
    if (this.#closed || this.#ending) return;
    this.#ending = true;
    if (this.#unsent !== null) return;
    if (this.#socket.destroyed) queueMicrotask(() => this.#close(ErrorCode.none));
    else this.#socket.end();
  }

  reset(code: ErrorCode): void {
    if (this.#closed) return;
    // With TLS, the missing close_notify shows the cut.
    if (this.#isTls || this.#unsent !== null || this.#socket.destroyed) this.#socket.destroy();
    else resetSocket(this.#socket);
    this.#close(code === ErrorCode.none ? ErrorCode.streamReset : code);
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  #made(): void {
    const unsent = this.#unsent;
    this.#unsent = null;
    this.failure = 'upstreamClosed';
    if (this.#closed) return;
    const hasRoom = unsent === null || unsent.length === 0 || this.#toUpstream.write(unsent.bytes);
    if (this.#ending) this.#socket.end();
    else if (hasRoom) this.#drained();
  }

  #drained(): void {
    if (!this.#needDrain || this.#closed || this.#ending) return;
    this.#needDrain = false;
    this.#tell(() => this.handler.drain());
  }

  #gone(): void {
    if (this.#closed) return;
    if (this.#unsent !== null) {
      this.failure = this.#whyNotMade();
      const fault = this.#faultOf(this.failure);
      if (fault !== null) this.dialFault = fault;
      this.#close(ErrorCode.streamRefused);
    } else if (!this.#endTold) {
      this.#close(ErrorCode.streamReset);
    } else if (this.#ending) {
      this.#close(ErrorCode.none);
    } else {
      // The service has sent its response, parts of which may be on their way to the visitor. It only reads no more.
      this.#drained();
    }
  }

  #whyNotMade(): ErrorName {
    const error = this.#error;
    if (error instanceof DialError) return error.failure;
    if (this.#isReached) return 'upstreamTlsFailed';
    return error?.code === 'ETIMEDOUT' ? 'upstreamDialTimeout' : 'upstreamDialFailed';
  }

  /** Null: the failure states it. */
  #faultOf(failure: ErrorName): DialFault | null {
    if (!(this.#error instanceof DialError)) return faultOfSocket(this.#error, this.#isReached);
    return failure === 'upstreamDialTimeout' ? dialFault('timeout', 'no connection in time') : null;
  }

  #close(code: ErrorCode): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#tell(() => this.handler.close(code));
  }

  /** A user that throws loses its stream, not the process. */
  #tell(call: () => void): void {
    try {
      call();
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error));
      this.reset(ErrorCode.internal);
    }
  }
}

/**
 * One port of a TCP edge.
 * Invariant: a port that cannot be opened is retried as long as it is needed.
 */
import { createServer, type Server, type Socket } from 'node:net';
import type { ListenAddress } from '../../core/settings.ts';
import { ListenError, listen } from '../../system/listen.ts';
import { socketBufferBytes } from './socket-buffer.ts';

export interface TcpListenerOptions {
  readonly address: ListenAddress;
  readonly accept: (socket: Socket) => void;
  readonly acceptFailed: (error: NodeJS.ErrnoException) => void;
  /** `isFirst`: it could be opened before, or was never tried. */
  readonly listenFailed: (error: ListenError, isFirst: boolean) => void;
  /** It could not be opened, and now it is. */
  readonly recovered: () => void;
  /** Gives it a file descriptor; false when there is none to spare. */
  readonly take: () => boolean;
  readonly release: () => void;
}

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 30_000;
const KEEP_ALIVE_MS = 60_000;

export class TcpListener {
  readonly #options: TcpListenerOptions;
  #server: Server | null = null;
  #retry: NodeJS.Timeout | undefined;
  #retryMs = 0;
  #isOpen = false;
  #isClosed = false;

  constructor(options: TcpListenerOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Resolves when it is open, or is to be tried again. Never rejects. */
  async open(): Promise<void> {
    const { address, take, release } = this.#options;
    if (!take()) {
      this.#failed(new ListenError(address, Object.assign(new Error(), { code: 'EMFILE' })));
      return;
    }
    const server = this.#createServer();
    try {
      await listen(server, address);
    } catch (error) {
      release();
      if (!this.#isClosed) this.#failed(asListenError(error, address));
      return;
    }
    this.#opened(server);
  }

  /** Takes no more connections, and resolves when the last one that it took has ended. */
  close(): Promise<void> {
    this.#isClosed = true;
    this.#isOpen = false;
    clearTimeout(this.#retry);
    const server = this.#server;
    if (server === null) return Promise.resolve();
    this.#server = null;
    return this.#closeServer(server);
  }

  #createServer(): Server {
    const options = { allowHalfOpen: true, noDelay: true, keepAlive: true, highWaterMark: socketBufferBytes };
    return createServer({ ...options, keepAliveInitialDelay: KEEP_ALIVE_MS }, this.#options.accept);
  }

  #opened(server: Server): void {
    server.on('error', this.#options.acceptFailed);
    if (this.#isClosed) {
      // Meanwhile it is no longer wanted.
      void this.#closeServer(server);
      return;
    }
    this.#server = server;
    this.#isOpen = true;
    if (this.#retryMs > 0) this.#options.recovered();
    this.#retryMs = 0;
  }

  #closeServer(server: Server): Promise<void> {
    this.#options.release();
    return new Promise((resolve) => server.close(() => resolve()));
  }

  #failed(error: ListenError): void {
    this.#options.listenFailed(error, this.#retryMs === 0);
    this.#retryMs = Math.min(Math.max(this.#retryMs * 2, FIRST_RETRY_MS), LONGEST_RETRY_MS);
    this.#retry = setTimeout(() => void this.open(), this.#retryMs).unref();
  }
}

function asListenError(error: unknown, address: ListenAddress): ListenError {
  return error instanceof ListenError ? error : new ListenError(address, error as NodeJS.ErrnoException);
}

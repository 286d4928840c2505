/**
 * A socket as the transport of a connection.
 * Invariant: the number of waiting pieces is bounded, because each small piece uses memory of its own.
 */
import type { Socket } from 'node:net';
import { BoundedWrites } from '@underpass/wire';
import type { Transport } from './output.ts';

export class SocketTransport implements Transport {
  readonly #socket: Socket;
  readonly #writes: BoundedWrites;

  /** `drained`: there is room again, after a write that returned false. */
  constructor(socket: Socket, drained: () => void) {
    this.#socket = socket;
    this.#writes = new BoundedWrites(socket, drained);
  }

  write(bytes: Buffer): boolean {
    return this.#writes.write(bytes);
  }

  end(): void {
    this.#socket.end();
  }
}

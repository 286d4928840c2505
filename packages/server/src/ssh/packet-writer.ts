/** Frames and seals what goes out. Never that a packet leaves under an old key after new ones were taken. */
import { randomFillSync } from 'node:crypto';
import type { Socket } from 'node:net';
import { uint32 } from '../pki/ssh/index.ts';
import type { PacketCipher } from './packet-cipher.ts';

const lengthBytes = 4;
const leastPadding = 4;
const plainBlock = 8;
const sealedBlock = 16;

export class PacketWriter {
  readonly #socket: Socket;
  #cipher: PacketCipher | null = null;
  #isCorked = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  use(cipher: PacketCipher): void {
    this.#cipher = cipher;
  }

  /** The payload is given in parts, so that none has to be copied before it is framed. */
  write(parts: readonly Buffer[]): void {
    const packet = this.#frame(parts);
    const length = uint32(packet.length);
    this.#cork();
    this.#socket.write(length);
    if (this.#cipher === null) {
      this.#socket.write(packet);
      return;
    }
    for (const piece of this.#cipher.seal(length, packet)) this.#socket.write(piece);
  }

  #frame(parts: readonly Buffer[]): Buffer {
    const size = parts.reduce((sum, { length }) => sum + length, 0);
    const block = this.#cipher === null ? plainBlock : sealedBlock;
    // The length counts for the blocks of a packet only while it is not sealed.
    const counted = 1 + size + (this.#cipher === null ? lengthBytes : 0);
    let padding = block - (counted % block);
    if (padding < leastPadding) padding += block;
    const packet = Buffer.allocUnsafe(1 + size + padding);
    packet[0] = padding;
    let at = 1;
    for (const part of parts) at += part.copy(packet, at);
    randomFillSync(packet, at);
    return packet;
  }

  /** What one turn writes leaves in one write of the system. */
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#socket.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      this.#socket.uncork();
    });
  }
}

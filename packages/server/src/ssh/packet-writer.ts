/** Frames and seals what goes out. Never that a packet leaves under an old key after new ones were taken. */
import { randomFillSync } from 'node:crypto';
import type { Socket } from 'node:net';
import { uint32 } from '../pki/ssh/index.ts';
import type { PacketCipher } from './packet-cipher.ts';

const lengthBytes = 4;
const leastPadding = 4;
const plainBlock = 8;
const sealedBlock = 16;
/** Packets up to this size are one piece for the socket. */
const joinedBytes = 2048;

export class PacketWriter {
  readonly #socket: Socket;
  #cipher: PacketCipher | null = null;
  #isCorked = false;
  #unsent = 0;

  readonly #allSent: () => void;

  /** `allSent`: the socket has sent every packet. */
  constructor(socket: Socket, allSent: () => void = () => {}) {
    this.#socket = socket;
    this.#allSent = allSent;
  }

  /** Packets that the socket has not sent: each takes up memory beside its bytes. */
  get unsent(): number {
    return this.#unsent;
  }

  use(cipher: PacketCipher): void {
    this.#cipher = cipher;
  }

  /** The payload is given in parts, so that none has to be copied before it is framed. */
  write(parts: readonly Buffer[]): void {
    const packet = this.#frame(parts);
    const length = uint32(packet.length);
    const pieces = this.#cipher === null ? [length, packet] : [length, ...this.#cipher.seal(length, packet)];
    this.#cork();
    this.#unsent += 1;
    if (packet.length <= joinedBytes) {
      this.#socket.write(Buffer.concat(pieces), this.#sent);
      return;
    }
    const last = pieces.length - 1;
    for (const [at, piece] of pieces.entries())
      this.#socket.write(piece, at === last ? this.#sent : undefined);
  }

  readonly #sent = (): void => {
    this.#unsent -= 1;
    if (this.#unsent === 0) this.#allSent();
  };

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

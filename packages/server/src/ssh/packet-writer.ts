/**
 * Frames and seals what goes out.
 * Invariant: no packet leaves under an old key after new ones are in use.
 */
import { randomFillSync } from 'node:crypto';
import type { Socket } from 'node:net';
import { clearText, lengthBytes, type PacketCipher } from './packet-cipher.ts';

const leastPadding = 4;
/** Packets up to this size are one piece for the socket. */
const joinedBytes = 2048;

export class PacketWriter {
  readonly #socket: Socket;
  #cipher: PacketCipher = clearText;
  /** Number of the next packet, modulo 2^32. */
  #sequence = 0;
  #packets = 0;
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

  /** Packets under the present key. */
  get packets(): number {
    return this.#packets;
  }

  /** `sequence`: the number of the next packet, if the numbers do not go on. */
  use(cipher: PacketCipher, sequence = this.#sequence): void {
    this.#cipher = cipher;
    this.#sequence = sequence;
    this.#packets = 0;
  }

  /** The payload is given in parts, so that none has to be copied before it is framed. */
  write(parts: readonly Buffer[]): void {
    const frame = this.#frame(parts);
    const pieces = this.#cipher.seal(this.#sequence, frame);
    this.#sequence = (this.#sequence + 1) >>> 0;
    this.#packets += 1;
    this.#cork();
    this.#unsent += 1;
    if (frame.length <= joinedBytes) {
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
    const { blockBytes, padsLength } = this.#cipher;
    const counted = 1 + size + (padsLength ? lengthBytes : 0);
    let padding = blockBytes - (counted % blockBytes);
    if (padding < leastPadding) padding += blockBytes;
    const length = 1 + size + padding;
    const frame = Buffer.allocUnsafe(lengthBytes + length);
    frame.writeUInt32BE(length);
    frame[lengthBytes] = padding;
    let at = lengthBytes + 1;
    for (const part of parts) at += part.copy(frame, at);
    randomFillSync(frame, at);
    return frame;
  }

  /** Sends everything that is written in one turn with one system call. */
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

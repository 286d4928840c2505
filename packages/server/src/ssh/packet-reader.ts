/**
 * Cuts what arrives into packets (RFC 4253, section 6), and opens them. Never that a peer makes it keep more than one packet, or
 * copy a byte more than twice.
 */
import { Disconnect } from './numbers.ts';
import { type PacketCipher, tagBytes } from './packet-cipher.ts';
import { SshError } from './ssh-error.ts';

const lengthBytes = 4;
/** What every implementation has to take (RFC 4253, section 6.1). */
const longestPacket = 35_000;
const shortestPacket = 8;
const leastPadding = 4;

export class PacketReader {
  readonly #deliver: (payload: Buffer) => void;
  #cipher: PacketCipher | null = null;
  /** Of a packet that is not whole: its length, then all of it. */
  readonly #length = Buffer.alloc(lengthBytes);
  #packet: Buffer | null = null;
  #filled = 0;
  #stopped = false;

  /** `deliver` is handed payloads that nothing else writes to. */
  constructor(deliver: (payload: Buffer) => void) {
    this.#deliver = deliver;
  }

  /** For what comes after the packet that is being delivered. */
  use(cipher: PacketCipher): void {
    this.#cipher = cipher;
  }

  /** What comes is no longer looked at. */
  stop(): void {
    this.#stopped = true;
    this.#packet = null;
  }

  /** Raises SshError. */
  read(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0 && !this.#stopped)
      rest = this.#packet === null ? this.#begin(rest) : this.#go(rest, this.#packet);
  }

  #begin(rest: Buffer): Buffer {
    const taken = rest.copy(this.#length, this.#filled, 0, lengthBytes - this.#filled);
    this.#filled += taken;
    if (this.#filled < lengthBytes) return rest.subarray(taken);
    this.#filled = 0;
    const size = this.#sizeOf(this.#length.readUInt32BE());
    const body = rest.subarray(taken);
    if (body.length < size) {
      this.#packet = Buffer.allocUnsafe(size);
      return body;
    }
    this.#take(body.subarray(0, size));
    return body.subarray(size);
  }

  #go(rest: Buffer, packet: Buffer): Buffer {
    const taken = rest.copy(packet, this.#filled);
    this.#filled += taken;
    if (this.#filled === packet.length) {
      this.#packet = null;
      this.#filled = 0;
      this.#take(packet);
    }
    return rest.subarray(taken);
  }

  /** Of what follows the length. */
  #sizeOf(length: number): number {
    if (length < shortestPacket || length > longestPacket)
      throw new SshError('a packet has a length that is not allowed');
    return this.#cipher === null ? length : length + tagBytes;
  }

  #take(body: Buffer): void {
    const packet = this.#open(body);
    const padding = packet[0] ?? 0;
    const end = packet.length - padding;
    if (padding < leastPadding || end < 2) throw new SshError('a packet is padded wrongly');
    this.#deliver(packet.subarray(1, end));
  }

  #open(body: Buffer): Buffer {
    // The bytes of a chunk are the socket's own only until the next one.
    if (this.#cipher === null) return Buffer.from(body);
    const sealed = body.subarray(0, body.length - tagBytes);
    const packet = this.#cipher.open(this.#length, sealed, body.subarray(sealed.length));
    if (packet === null) throw new SshError('a packet was changed on its way', Disconnect.protocolError);
    return packet;
  }
}

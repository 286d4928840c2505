/**
 * Cuts what arrives into packets (RFC 4253, section 6), and opens them.
 * Invariant: a peer makes it keep at most one packet, of bounded length.
 */
import { Disconnect } from './numbers.ts';
import { clearText, lengthBytes, type PacketCipher } from './packet-cipher.ts';
import { SshError } from './ssh-error.ts';

/** Bytes that every implementation has to accept (RFC 4253, section 6.1). */
const longestPacket = 35_000;
const shortestPacket = 8;
const leastPadding = 4;
const longestHead = 16;
/** Packets under one key: their numbers would repeat after these. */
const mostPackets = 2 ** 32;

export class PacketReader {
  readonly #deliver: (payload: Buffer) => void;
  readonly #mostPackets: number;
  #cipher: PacketCipher = clearText;
  /** Number of the next packet, modulo 2^32. */
  #sequence = 0;
  #packets = 0;
  /** The first bytes of a packet, then the rest of it. */
  readonly #head = Buffer.alloc(longestHead);
  #packet: Buffer | null = null;
  #filled = 0;
  #stopped = false;

  /** `deliver` receives payloads that nothing else writes to. `most`: packets under one key. */
  constructor(deliver: (payload: Buffer) => void, most = mostPackets) {
    this.#deliver = deliver;
    this.#mostPackets = most;
  }

  /** Number of the packet after the one that is being delivered. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Packets under the present key. */
  get packets(): number {
    return this.#packets;
  }

  /** Applies to all after the packet that is being delivered. `sequence`: the number of the next one, if the numbers do not go on. */
  use(cipher: PacketCipher, sequence = this.#sequence): void {
    this.#cipher = cipher;
    this.#sequence = sequence;
    this.#packets = 0;
  }

  /** Ignores everything that follows. */
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
    const { headBytes } = this.#cipher;
    const taken = rest.copy(this.#head, this.#filled, 0, headBytes - this.#filled);
    this.#filled += taken;
    if (this.#filled < headBytes) return rest.subarray(taken);
    this.#filled = 0;
    const size = this.#bytesAfterHead();
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

  /** Bounds the length before anything has verified it. */
  #bytesAfterHead(): number {
    const { headBytes, tagBytes, blockBytes, padsLength } = this.#cipher;
    if (this.#packets >= this.#mostPackets)
      throw new SshError('the keys were used for too many packets: exchange keys earlier');
    const length = this.#cipher.readLength(this.#sequence, this.#head.subarray(0, headBytes));
    const padded = padsLength ? lengthBytes + length : length;
    if (length < shortestPacket || length > longestPacket || padded % blockBytes !== 0)
      throw this.#cipher === clearText
        ? new SshError('a packet has a length that is not allowed')
        : changedOnItsWay();
    return lengthBytes + length - headBytes + tagBytes;
  }

  #take(body: Buffer): void {
    const { headBytes, tagBytes } = this.#cipher;
    const end = body.length - tagBytes;
    const head = this.#head.subarray(0, headBytes);
    const packet = this.#cipher.open(this.#sequence, head, body.subarray(0, end), body.subarray(end));
    if (packet === null) throw changedOnItsWay();
    this.#sequence = (this.#sequence + 1) >>> 0;
    this.#packets += 1;
    const padding = packet[0] ?? 0;
    const payloadEnd = packet.length - padding;
    if (padding < leastPadding || payloadEnd < 2) throw new SshError('a packet is padded wrongly');
    this.#deliver(packet.subarray(1, payloadEnd));
  }
}

/** One error for a wrong length and a wrong MAC, so that it does not show how far a forged packet came. */
function changedOnItsWay(): SshError {
  return new SshError('a packet was changed on its way', Disconnect.protocolError);
}

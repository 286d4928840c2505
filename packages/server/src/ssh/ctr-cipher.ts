/**
 * AES-CTR with an HMAC for SSH packets (RFC 4344, RFC 6668), in both orders: the MAC of the packet, and the MAC of its ciphertext (etm).
 * Invariant: no byte of a packet but its length is used before its MAC is verified.
 */
import { type Cipheriv, createCipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { uint32 } from '../pki/ssh/index.ts';
import { lengthBytes, type PacketCipher } from './packet-cipher.ts';

export const ctrBlockBytes = 16;

export interface HmacKey {
  readonly hash: 'sha256' | 'sha512';
  readonly tagBytes: number;
  readonly key: Buffer;
}

/** The key stream goes on from packet to packet; both directions apply it in the same way. */
function keyStream(key: Buffer, iv: Buffer): Cipheriv {
  return createCipheriv(`aes-${key.length * 8}-ctr`, key, iv);
}

function mac({ hash, key }: HmacKey, sequence: number, parts: readonly Buffer[]): Buffer {
  const hmac = createHmac(hash, key).update(uint32(sequence));
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/** The length is in the clear, and the MAC covers what is sent. */
export class EtmCipher implements PacketCipher {
  readonly blockBytes = ctrBlockBytes;
  readonly padsLength = false;
  readonly headBytes = lengthBytes;
  readonly tagBytes: number;
  readonly #stream: Cipheriv;
  readonly #mac: HmacKey;

  constructor(key: Buffer, iv: Buffer, mac: HmacKey) {
    this.#stream = keyStream(key, iv);
    this.#mac = mac;
    this.tagBytes = mac.tagBytes;
  }

  seal(sequence: number, frame: Buffer): readonly Buffer[] {
    const sent = [frame.subarray(0, lengthBytes), this.#stream.update(frame.subarray(lengthBytes))];
    return [...sent, mac(this.#mac, sequence, sent)];
  }

  readLength(_sequence: number, head: Buffer): number {
    return head.readUInt32BE();
  }

  open(sequence: number, head: Buffer, rest: Buffer, tag: Buffer): Buffer | null {
    return timingSafeEqual(mac(this.#mac, sequence, [head, rest]), tag) ? this.#stream.update(rest) : null;
  }
}

/**
 * The length is encrypted with the packet, and the MAC covers the plain packet. A forged length reveals nothing but itself: a block
 * can be decrypted at its own place in the stream only.
 */
export class EncryptAndMacCipher implements PacketCipher {
  readonly blockBytes = ctrBlockBytes;
  readonly padsLength = true;
  readonly headBytes = ctrBlockBytes;
  readonly tagBytes: number;
  readonly #stream: Cipheriv;
  readonly #mac: HmacKey;
  /** The first block of the packet that is being read, decrypted. */
  #first = Buffer.alloc(0);

  constructor(key: Buffer, iv: Buffer, mac: HmacKey) {
    this.#stream = keyStream(key, iv);
    this.#mac = mac;
    this.tagBytes = mac.tagBytes;
  }

  seal(sequence: number, frame: Buffer): readonly Buffer[] {
    return [this.#stream.update(frame), mac(this.#mac, sequence, [frame])];
  }

  readLength(_sequence: number, head: Buffer): number {
    this.#first = this.#stream.update(head);
    return this.#first.readUInt32BE();
  }

  open(sequence: number, _head: Buffer, rest: Buffer, tag: Buffer): Buffer | null {
    const parts = [this.#first, this.#stream.update(rest)];
    if (!timingSafeEqual(mac(this.#mac, sequence, parts), tag)) return null;
    return Buffer.concat(parts).subarray(lengthBytes);
  }
}

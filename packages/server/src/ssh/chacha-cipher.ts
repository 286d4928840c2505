/**
 * ChaCha20-Poly1305 as OpenSSH defines it (its PROTOCOL.chacha20poly1305), with the sequence number as nonce.
 * Invariant: no byte of a packet but its length is used before its tag is verified.
 */
import crypto, { type Cipheriv, createCipheriv, timingSafeEqual } from 'node:crypto';
import { isSupported } from './is-supported.ts';
import { lengthBytes, type PacketCipher } from './packet-cipher.ts';

declare module 'node:crypto' {
  interface PolyMac {
    update(data: Uint8Array): PolyMac;
    final(): Buffer;
  }
  /** Node has it since version 26; the installed types lack it. */
  function createMac(algorithm: 'poly1305', key: Uint8Array): PolyMac;
}

const keyBytes = 32;
/** Both keys: the first encrypts packets, the second their lengths. */
export const chachaKeyBytes = 2 * keyBytes;
/** The first block of the key stream holds the key of Poly1305, and nothing else. */
const firstBlock = Buffer.alloc(64);

/** Node 24 has no Poly1305 by itself. */
export const hasChaCha = isSupported(() => {
  keyStream(Buffer.alloc(keyBytes), 0);
  crypto.createMac('poly1305', Buffer.alloc(keyBytes)).update(firstBlock).final();
});

export class ChaChaCipher implements PacketCipher {
  readonly blockBytes = 8;
  readonly padsLength = false;
  readonly headBytes = lengthBytes;
  readonly tagBytes = 16;
  readonly #packets: Buffer;
  readonly #lengths: Buffer;

  /** `keys`: 64 bytes. */
  constructor(keys: Buffer) {
    this.#packets = keys.subarray(0, keyBytes);
    this.#lengths = keys.subarray(keyBytes, chachaKeyBytes);
  }

  seal(sequence: number, frame: Buffer): readonly Buffer[] {
    const length = keyStream(this.#lengths, sequence).update(frame.subarray(0, lengthBytes));
    const stream = keyStream(this.#packets, sequence);
    const key = stream.update(firstBlock).subarray(0, keyBytes);
    const sealed = stream.update(frame.subarray(lengthBytes));
    return [length, sealed, tag(key, length, sealed)];
  }

  readLength(sequence: number, head: Buffer): number {
    return keyStream(this.#lengths, sequence).update(head).readUInt32BE();
  }

  open(sequence: number, head: Buffer, rest: Buffer, shown: Buffer): Buffer | null {
    const stream = keyStream(this.#packets, sequence);
    const key = stream.update(firstBlock).subarray(0, keyBytes);
    return timingSafeEqual(tag(key, head, rest), shown) ? stream.update(rest) : null;
  }
}

function tag(key: Buffer, length: Buffer, sealed: Buffer): Buffer {
  return crypto.createMac('poly1305', key).update(length).update(sealed).final();
}

/** Block counter (8 bytes, from zero), and the sequence number as a uint64. */
function keyStream(key: Buffer, sequence: number): Cipheriv {
  const iv = Buffer.alloc(16);
  iv.writeUInt32BE(sequence, 12);
  return createCipheriv('chacha20', key, iv);
}

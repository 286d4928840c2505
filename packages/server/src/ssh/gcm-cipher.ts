/**
 * AES-GCM for SSH packets (RFC 5647, with the names of OpenSSH).
 * Invariant: two packets under one key never share a nonce.
 */
import { type CipherGCMTypes, createCipheriv, createDecipheriv } from 'node:crypto';
import { lengthBytes, type PacketCipher } from './packet-cipher.ts';

const tagBytes = 16;
export const gcmNonceBytes = 12;

export class GcmCipher implements PacketCipher {
  readonly blockBytes = 16;
  readonly padsLength = false;
  readonly headBytes = lengthBytes;
  readonly tagBytes = tagBytes;
  readonly #algorithm: CipherGCMTypes;
  readonly #key: Buffer;
  readonly #nonce: Buffer;

  /** `nonce`: 12 bytes. */
  constructor(algorithm: CipherGCMTypes, key: Buffer, nonce: Buffer) {
    this.#algorithm = algorithm;
    this.#key = key;
    this.#nonce = Buffer.from(nonce);
  }

  seal(_sequence: number, frame: Buffer): readonly Buffer[] {
    const length = frame.subarray(0, lengthBytes);
    const cipher = createCipheriv(this.#algorithm, this.#key, this.#nonce);
    cipher.setAAD(length);
    const sealed = cipher.update(frame.subarray(lengthBytes));
    cipher.final();
    this.#count();
    return [length, sealed, cipher.getAuthTag()];
  }

  readLength(_sequence: number, head: Buffer): number {
    return head.readUInt32BE();
  }

  open(_sequence: number, head: Buffer, rest: Buffer, tag: Buffer): Buffer | null {
    const decipher = createDecipheriv(this.#algorithm, this.#key, this.#nonce, { authTagLength: tagBytes });
    decipher.setAAD(head);
    decipher.setAuthTag(tag);
    const packet = decipher.update(rest);
    this.#count();
    try {
      decipher.final();
      return packet;
    } catch {
      return null;
    }
  }

  /** The last eight bytes are a counter; keys are changed long before it is used up. */
  #count(): void {
    for (let at = gcmNonceBytes - 1; at >= gcmNonceBytes - 8; at--) {
      const next = ((this.#nonce[at] ?? 0) + 1) & 0xff;
      this.#nonce[at] = next;
      if (next !== 0) return;
    }
  }
}

/** AES-GCM as SSH has it (RFC 5647, and the names of OpenSSH). Never that two packets of a key have one nonce. */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Cipher } from './negotiation.ts';

export const tagBytes = 16;
const nonceBytes = 12;

interface Kind {
  readonly algorithm: 'aes-128-gcm' | 'aes-256-gcm';
  readonly keyBytes: number;
}

const kinds: Readonly<Record<Cipher, Kind>> = {
  'aes128-gcm@openssh.com': { algorithm: 'aes-128-gcm', keyBytes: 16 },
  'aes256-gcm@openssh.com': { algorithm: 'aes-256-gcm', keyBytes: 32 },
};

/** One direction. `key` and `nonce` are what was derived, of which it takes as much as it needs. */
export class PacketCipher {
  readonly #kind: Kind;
  readonly #key: Buffer;
  readonly #nonce: Buffer;

  constructor(cipher: Cipher, key: Buffer, nonce: Buffer) {
    this.#kind = kinds[cipher];
    this.#key = key.subarray(0, this.#kind.keyBytes);
    this.#nonce = Buffer.from(nonce.subarray(0, nonceBytes));
  }

  /** Ciphertext and tag. */
  seal(length: Buffer, packet: Buffer): readonly [Buffer, Buffer] {
    const cipher = createCipheriv(this.#kind.algorithm, this.#key, this.#nonce);
    cipher.setAAD(length);
    const sealed = cipher.update(packet);
    cipher.final();
    this.#count();
    return [sealed, cipher.getAuthTag()];
  }

  /** Null when it is not what the peer sealed. */
  open(length: Buffer, sealed: Buffer, tag: Buffer): Buffer | null {
    const options = { authTagLength: tagBytes };
    const decipher = createDecipheriv(this.#kind.algorithm, this.#key, this.#nonce, options);
    decipher.setAAD(length);
    decipher.setAuthTag(tag);
    const packet = decipher.update(sealed);
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
    for (let at = nonceBytes - 1; at >= nonceBytes - 8; at--) {
      const next = ((this.#nonce[at] ?? 0) + 1) & 0xff;
      this.#nonce[at] = next;
      if (next !== 0) return;
    }
  }
}

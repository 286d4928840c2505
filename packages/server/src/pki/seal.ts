/**
 * Seals secrets at rest: AES-256-GCM under a master key, whose id is part of the sealed text.
 * Invariant: texts of all earlier formats open.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export const KEY_BYTES = 32;
const KEY_ID_BYTES = 6;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';
/** Version 1 does not name its key. */
const SEALED = /^(?:v1|v2\.([A-Za-z0-9_-]{8}))\.([A-Za-z0-9_-]+)$/;

/** A sealed value cannot be opened: another key, another place, or changed text. */
export class SealError extends Error {
  override readonly name = 'SealError';
}

/** A master key, with what is made of it. */
class SealingKey {
  /** Identifies the key and reveals nothing about it. */
  readonly id: string;
  readonly master: Buffer;
  readonly #key: Buffer;

  constructor(master: Buffer) {
    if (master.length !== KEY_BYTES)
      throw new SealError(`the master key has ${master.length} bytes; it must have ${KEY_BYTES}`);
    this.master = master;
    this.id = deriveFrom(master, 'key-id', KEY_ID_BYTES).toString('base64url');
    this.#key = deriveFrom(master, 'seal', KEY_BYTES);
  }

  seal(plain: string, context: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(context));
    const bytes = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `v2.${this.id}.${bytes.toString('base64url')}`;
  }

  /** Null: sealed under another key, for another place, or changed since. */
  open(bytes: Buffer, context: string): string | null {
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const plain = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([plain, decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }
}

export class Sealer {
  /** The first seals, all open. */
  #keys: readonly [SealingKey, ...SealingKey[]];

  /** Keys of 32 bytes: the one that seals, and those that still open what they sealed before. */
  constructor(master: Buffer, ...former: readonly Buffer[]) {
    this.#keys = keysOf(master, former);
  }

  /** Seals with the first of these keys from now on. */
  use(master: Buffer, ...former: readonly Buffer[]): void {
    this.#keys = keysOf(master, former);
  }

  /** Identifies the sealing key and reveals nothing about it. */
  get keyId(): string {
    return this.#keys[0].id;
  }

  /** `context` is where the secret belongs, e.g. `local_ca/private_key`: moved elsewhere, it does not open. */
  seal(plain: string, context: string): string {
    return this.#keys[0].seal(plain, context);
  }

  /** Throws SealError. */
  open(sealed: string, context: string): string {
    const [, keyId, text = ''] = SEALED.exec(sealed) ?? [];
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES)
      throw new SealError(`the secret of ${context} is not a sealed value of a known version`);
    for (const key of this.#keys) {
      const plain = keyId === undefined || keyId === key.id ? key.open(bytes, context) : null;
      if (plain !== null) return plain;
    }
    throw new SealError(
      `the secret of ${context} does not open: it was sealed under another master key${keyId === undefined ? '' : ` (${keyId})`}, for another place, or was changed since`,
    );
  }

  /**
   * Returns true if it was sealed under the key that seals now; of a value that names no key it is not known, so it
   * was not.
   */
  isCurrent(sealed: string): boolean {
    return SEALED.exec(sealed)?.[1] === this.keyId;
  }

  /** A key of 32 bytes for another purpose, e.g. a MAC; purposes do not share keys (HKDF-SHA-256, RFC 5869). */
  derive(purpose: string): Buffer {
    return deriveFrom(this.#keys[0].master, purpose, KEY_BYTES);
  }
}

function keysOf(master: Buffer, former: readonly Buffer[]): readonly [SealingKey, ...SealingKey[]] {
  return [new SealingKey(master), ...former.map((one) => new SealingKey(one))];
}

function deriveFrom(master: Buffer, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', `underpass/${purpose}`, bytes));
}

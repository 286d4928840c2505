/**
 * The key of data that browsers keep between requests: sessions, logins in progress. All daemons on a database share
 * it.
 * Invariant: a changed text, or one for another purpose or place, does not open.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Longer than any that is made here, with room for what browsers add up. */
const MOST_CHARACTERS = 8192;

export class LoginKey {
  readonly #key: Buffer;

  /** 32 bytes, or more. */
  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Seals values of one shape. Another shape, also in a later version, needs another purpose. */
  sealedFor<Value>(purpose: string): Sealed<Value> {
    return new Sealed(this.#key, purpose);
  }

  /** Returns 43 characters that only this key can derive from `text`. */
  secretOf(purpose: string, text: string): string {
    return createHmac('sha256', this.#key).update(`${purpose}\0${text}`).digest('base64url');
  }
}

export class Sealed<Value> {
  readonly #key: Buffer;
  readonly #purpose: string;

  constructor(key: Buffer, purpose: string) {
    this.#key = key;
    this.#purpose = purpose;
  }

  /** Returns characters that need no escaping. `place` is the only place where the value is valid; '' for every place. */
  seal(value: Value, place: string): string {
    const salt = randomBytes(SALT_BYTES);
    const { key, nonce } = this.#messageKey(salt);
    const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(this.#context(place));
    const text = cipher.update(JSON.stringify(value), 'utf8');
    return Buffer.concat([salt, text, cipher.final(), cipher.getAuthTag()]).toString('base64url');
  }

  /** Null: it was not sealed here for this place. */
  open(sealed: string, place: string): Value | null {
    if (sealed.length > MOST_CHARACTERS || !/^[\w-]+$/.test(sealed)) return null;
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < SALT_BYTES + TAG_BYTES) return null;
    const { key, nonce } = this.#messageKey(bytes.subarray(0, SALT_BYTES));
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(this.#context(place));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(bytes.subarray(SALT_BYTES, -TAG_BYTES));
      // The text has the shape of the value, because it was sealed for the same purpose.
      return JSON.parse(Buffer.concat([text, decipher.final()]).toString('utf8')) as Value;
    } catch {
      return null;
    }
  }

  /** A key for each message: random nonces under a single one would run out. */
  #messageKey(salt: Buffer): { readonly key: Buffer; readonly nonce: Buffer } {
    const bytes = Buffer.from(hkdfSync('sha256', this.#key, salt, 'login', KEY_BYTES + NONCE_BYTES));
    return { key: bytes.subarray(0, KEY_BYTES), nonce: bytes.subarray(KEY_BYTES) };
  }

  #context(place: string): Buffer {
    return Buffer.from(`${this.#purpose}\0${place}`);
  }
}

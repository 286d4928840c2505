/**
 * Keys of TLS session tickets, shared by all daemons with one master key.
 * Invariant: differently served names have different keys, and a key is valid until the day after its own at most.
 */
import { hkdfSync } from 'node:crypto';
import type { Sealer } from './seal.ts';

/** Bytes for OpenSSL: a name, a key of HMAC-SHA-256 and one of AES-128. */
const BYTES = 48;
const NAME_BYTES = 16;
const DAY_MS = 86_400_000;

export interface TicketKey {
  /** Clear text at the beginning of each ticket; latin1. */
  readonly name: string;
  readonly bytes: Buffer;
}

export interface TicketKeysOptions {
  readonly sealer: Pick<Sealer, 'derive' | 'keyId'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export class TicketKeys {
  readonly #options: TicketKeysOptions;

  constructor(options: TicketKeysOptions) {
    this.#options = options;
  }

  /** The day, in UTC: with it the keys change. */
  get day(): number {
    return Math.floor(this.#options.now() / DAY_MS);
  }

  /** The name of the master key that they are made of now. */
  get masterKeyId(): string {
    return this.#options.sealer.keyId;
  }

  /** `id`: of what is served with it, and how. */
  keyOf(id: string, day: number): TicketKey {
    const secret = this.#options.sealer.derive('session-tickets');
    const bytes = Buffer.from(hkdfSync('sha256', secret, '', `${day} ${id}`, BYTES));
    return { name: bytes.toString('latin1', 0, NAME_BYTES), bytes };
  }
}

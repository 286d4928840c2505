/** Ciphers and MACs by their names, and how each is made from the keys of an exchange. */
import { ChaChaCipher, chachaKeyBytes, hasChaCha } from './chacha-cipher.ts';
import { ctrBlockBytes, EncryptAndMacCipher, EtmCipher } from './ctr-cipher.ts';
import { GcmCipher, gcmNonceBytes } from './gcm-cipher.ts';
import { deriveKey, type ExchangeSecrets } from './key-exchange.ts';
import type { PacketCipher } from './packet-cipher.ts';

/** Strongest first; true for those that authenticate packets by themselves. */
const kinds = {
  'aes256-gcm@openssh.com': true,
  'chacha20-poly1305@openssh.com': true,
  'aes128-gcm@openssh.com': true,
  'aes256-ctr': false,
  'aes192-ctr': false,
  'aes128-ctr': false,
} as const;
export type Cipher = keyof typeof kinds;

/** Ciphers that this Node supports, strongest first. */
export const ciphers = (Object.keys(kinds) as Cipher[]).filter(
  (name) => name !== 'chacha20-poly1305@openssh.com' || hasChaCha,
);

const hmacs = {
  'hmac-sha2-512-etm@openssh.com': { hash: 'sha512', tagBytes: 64, isEtm: true },
  'hmac-sha2-256-etm@openssh.com': { hash: 'sha256', tagBytes: 32, isEtm: true },
  'hmac-sha2-512': { hash: 'sha512', tagBytes: 64, isEtm: false },
  'hmac-sha2-256': { hash: 'sha256', tagBytes: 32, isEtm: false },
} as const;
export type Mac = keyof typeof hmacs;
/** Strongest first. */
export const macs = Object.keys(hmacs) as Mac[];

/** Protection of one direction. */
export interface Suite {
  readonly cipher: Cipher;
  /** Null if the cipher needs none. */
  readonly mac: Mac | null;
}

export function needsMac(cipher: Cipher): boolean {
  return !kinds[cipher];
}

/** Letters of the keys (RFC 4253, section 7.2): initialisation vector, encryption, integrity. */
const letters = {
  toServer: { iv: 'A', key: 'C', mac: 'E' },
  toClient: { iv: 'B', key: 'D', mac: 'F' },
} as const;
export type Direction = keyof typeof letters;

export function makeCipher(suite: Suite, secrets: ExchangeSecrets, direction: Direction): PacketCipher {
  const derive = (use: 'iv' | 'key' | 'mac', bytes: number) =>
    deriveKey(secrets, letters[direction][use], bytes);
  const iv = (bytes: number): Buffer => derive('iv', bytes);
  const key = (bytes: number): Buffer => derive('key', bytes);
  const ctr = (bytes: number): PacketCipher => {
    if (suite.mac === null) throw new Error('a cipher without a MAC was chosen');
    const { hash, tagBytes, isEtm } = hmacs[suite.mac];
    const Kind = isEtm ? EtmCipher : EncryptAndMacCipher;
    return new Kind(key(bytes), iv(ctrBlockBytes), { hash, tagBytes, key: derive('mac', tagBytes) });
  };
  switch (suite.cipher) {
    case 'aes256-gcm@openssh.com':
      return new GcmCipher('aes-256-gcm', key(32), iv(gcmNonceBytes));
    case 'aes128-gcm@openssh.com':
      return new GcmCipher('aes-128-gcm', key(16), iv(gcmNonceBytes));
    case 'chacha20-poly1305@openssh.com':
      return new ChaChaCipher(key(chachaKeyBytes));
    case 'aes256-ctr':
      return ctr(32);
    case 'aes192-ctr':
      return ctr(24);
    case 'aes128-ctr':
      return ctr(16);
  }
}

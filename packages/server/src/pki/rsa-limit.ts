/** How large an RSA key may be. Never that one person's key makes everybody wait: handshakes are computed on the thread that serves all. */
import type { KeyObject } from 'node:crypto';

/** A signature with 4096 bits takes some 4 ms, with 8192 some 30. */
export const maxRsaBits = 4096;

export function isRsaTooLarge(key: KeyObject): boolean {
  return (key.asymmetricKeyDetails?.modulusLength ?? 0) > maxRsaBits;
}

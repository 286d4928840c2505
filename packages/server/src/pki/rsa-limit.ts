/**
 * Maximum size of RSA keys.
 * Invariant: one account's key does not delay the handshakes of others, which share its thread.
 */
import type { KeyObject } from 'node:crypto';

/** A signature with 4096 bits takes some 4 ms, with 8192 some 30. */
export const maxRsaBits = 4096;

export function isRsaTooLarge(key: KeyObject): boolean {
  return (key.asymmetricKeyDetails?.modulusLength ?? 0) > maxRsaBits;
}

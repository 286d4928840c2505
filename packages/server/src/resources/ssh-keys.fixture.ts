/** Public keys of SSH clients and servers without private halves. */
import { generateKeyPairSync } from 'node:crypto';
import { encodePublicKey, formatPublicKey } from '../pki/ssh/public-key.ts';

/** A line as in a `.pub` file, of a new Ed25519 key. */
export function newSshKey(comment = 'somebody@example.com'): string {
  const key = encodePublicKey(generateKeyPairSync('ed25519').publicKey);
  if (key === null) throw new Error('an Ed25519 key can be written for SSH');
  return `${formatPublicKey(key)} ${comment}`;
}

/** The key exchange (RFC 5656, RFC 8731): a shared secret, the hash that the host key signs, and the keys that are made of both. */
import { createECDH, createHash, createPublicKey, diffieHellman, generateKeyPairSync } from 'node:crypto';
import { mpint, string } from '../pki/ssh/index.ts';
import type { KeyExchange } from './negotiation.ts';
import { Disconnect } from './numbers.ts';
import { SshError } from './ssh-error.ts';

const x25519Bytes = 32;

export interface Agreed {
  readonly serverPublic: Buffer;
  /** As an mpint. */
  readonly secret: Buffer;
}

/** What goes into the hash beside what was agreed. */
export interface Transcript {
  readonly clientVersion: string;
  readonly serverVersion: string;
  readonly clientKexInit: Buffer;
  readonly serverKexInit: Buffer;
  readonly hostKey: Buffer;
  readonly clientPublic: Buffer;
}

/** Raises SshError for a point that is none, or one that makes the secret known. */
export function agree(method: KeyExchange, clientPublic: Buffer): Agreed {
  try {
    return method === 'ecdh-sha2-nistp256' ? agreeP256(clientPublic) : agreeX25519(clientPublic);
  } catch {
    throw new SshError('the public key of the key exchange is not valid', Disconnect.keyExchangeFailed);
  }
}

export function exchangeHash(transcript: Transcript, { serverPublic, secret }: Agreed): Buffer {
  const { clientVersion, serverVersion, clientKexInit, serverKexInit, hostKey, clientPublic } = transcript;
  const hash = createHash('sha256');
  const parts = [
    clientVersion,
    serverVersion,
    clientKexInit,
    serverKexInit,
    hostKey,
    clientPublic,
    serverPublic,
  ];
  for (const part of parts) hash.update(string(part));
  return hash.update(secret).digest();
}

/** RFC 4253, section 7.2. `letter` says what the key is for; 32 bytes are as many as any use here needs. */
export function deriveKey(secret: Buffer, hash: Buffer, sessionId: Buffer, letter: string): Buffer {
  return createHash('sha256').update(secret).update(hash).update(letter).update(sessionId).digest();
}

/** Node refuses points whose secret would be zero (RFC 8731, section 3). */
function agreeX25519(clientPublic: Buffer): Agreed {
  if (clientPublic.length !== x25519Bytes) throw new SshError('not 32 bytes');
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  const jwk = { kty: 'OKP', crv: 'X25519', x: clientPublic.toString('base64url') };
  const theirs = createPublicKey({ key: jwk, format: 'jwk' });
  const secret = diffieHellman({ privateKey, publicKey: theirs });
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return { serverPublic: Buffer.from(x, 'base64url'), secret: mpint(secret) };
}

function agreeP256(clientPublic: Buffer): Agreed {
  // Uncompressed, as RFC 5656, section 4, has it.
  if (clientPublic[0] !== 4) throw new SshError('not an uncompressed point');
  const ours = createECDH('prime256v1');
  const serverPublic = ours.generateKeys();
  return { serverPublic, secret: mpint(ours.computeSecret(clientPublic)) };
}

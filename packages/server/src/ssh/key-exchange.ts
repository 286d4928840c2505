/** The hash of a key exchange, which the host key signs, and the keys derived from it (RFC 4253, RFC 5656). */
import { createHash } from 'node:crypto';
import { string } from '../pki/ssh/index.ts';
import { type Agreed, hashOf, type KeyExchange } from './key-agreement.ts';

/** Inputs of the hash beside the values that were agreed on. */
export interface Transcript {
  readonly clientVersion: string;
  readonly serverVersion: string;
  readonly clientKexInit: Buffer;
  readonly serverKexInit: Buffer;
  readonly hostKey: Buffer;
  readonly clientPublic: Buffer;
}

export function exchangeHash(
  method: KeyExchange,
  transcript: Transcript,
  { serverPublic, secret }: Agreed,
): Buffer {
  const { clientVersion, serverVersion, clientKexInit, serverKexInit, hostKey, clientPublic } = transcript;
  const hash = createHash(hashOf(method));
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

/** Secrets of one exchange. */
export interface ExchangeSecrets {
  readonly method: KeyExchange;
  readonly secret: Buffer;
  readonly hash: Buffer;
  readonly sessionId: Buffer;
}

/** Key for one direction and use: `letter` is that of RFC 4253, section 7.2. */
export function deriveKey(secrets: ExchangeSecrets, letter: string, bytes: number): Buffer {
  const { method, secret, hash, sessionId } = secrets;
  const start = () => createHash(hashOf(method)).update(secret).update(hash);
  let key = start().update(letter).update(sessionId).digest();
  while (key.length < bytes) key = Buffer.concat([key, start().update(key).digest()]);
  return key.subarray(0, bytes);
}

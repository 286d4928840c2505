/**
 * Keys of FIDO authenticators and their signatures (PROTOCOL.u2f of OpenSSH). An authenticator signs the hash of the data with flags and a
 * counter of its own, for an application such as `ssh:`.
 */
import { createHash } from 'node:crypto';
import { Reader, uint32 } from './wire.ts';

const ed25519 = 'sk-ssh-ed25519@openssh.com';
const algorithms: readonly string[] = [ed25519, 'sk-ecdsa-sha2-nistp256@openssh.com'];

const userPresent = 0x01;
const userVerified = 0x04;
/** Bytes of an application; browsers and OpenSSH use a few. */
export const mostApplicationBytes = 255;

export function isSecurityKey(algorithm: string): boolean {
  return algorithms.includes(algorithm);
}

/** Data after the value of a signature by an authenticator. */
export interface AuthenticatorFacts {
  readonly isUserPresent: boolean;
  readonly isUserVerified: boolean;
  /** The bytes that the authenticator signed. */
  readonly signed: Buffer;
}

/** `reader`: at the flags, the last fields of a signature. Raises WireError. */
export function readAuthenticator(reader: Reader, application: Buffer, data: Buffer): AuthenticatorFacts {
  const flags = reader.byte();
  const counter = reader.uint32();
  const hash = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
  const signed = Buffer.concat([hash(application), Buffer.of(flags), uint32(counter), hash(data)]);
  return {
    isUserPresent: (flags & userPresent) !== 0,
    isUserVerified: (flags & userVerified) !== 0,
    signed,
  };
}

/** The last field of such a key. Raises WireError. */
export function applicationOf(fields: Buffer, algorithm: string): Buffer {
  const reader = new Reader(fields);
  if (algorithm !== ed25519) reader.string();
  reader.string();
  return reader.string();
}

/** A FIDO authenticator in software: keys as `ssh-keygen -t ed25519-sk` and `-t ecdsa-sk` make them, and their signatures. */
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { curves, formatPublicKey, isKeyFault, type PublicKey, parseBlob } from './public-key.ts';
import { mpint, string, uint32 } from './wire.ts';

export const authenticatorTypes = [
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
] as const;
export type AuthenticatorType = (typeof authenticatorTypes)[number];

const touched = 0x01;

export class Authenticator {
  readonly publicKey: PublicKey;
  /** Public key as in a `.pub` file. */
  readonly line: string;
  readonly #privateKey: KeyObject;
  readonly #application: string;
  #counter = 0;

  constructor(type: AuthenticatorType, application = 'ssh:') {
    const isEdwards = type === 'sk-ssh-ed25519@openssh.com';
    const { privateKey } = isEdwards
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
    const [x, y] = [jwk.x, jwk.y].map((text) => Buffer.from(text ?? '', 'base64url'));
    const point = isEdwards
      ? [string(x!)]
      : [string('nistp256'), string(Buffer.concat([Buffer.of(4), x!, y!]))];
    const key = parseBlob(Buffer.concat([string(type), ...point, string(application)]), type);
    if (isKeyFault(key)) throw new Error(key.reason);
    this.publicKey = key;
    this.line = `${formatPublicKey(key)} a token`;
    this.#privateKey = privateKey;
    this.#application = application;
  }

  /** Returns a signature in the form of SSH messages (PROTOCOL.u2f). */
  sign(data: Buffer, flags = touched, application = this.#application): Buffer {
    this.#counter += 1;
    const hash = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();
    const facts = [Buffer.of(flags), uint32(this.#counter)];
    const signed = Buffer.concat([hash(application), ...facts, hash(data)]);
    return Buffer.concat([string(this.publicKey.algorithm), string(this.#value(signed)), ...facts]);
  }

  #value(signed: Buffer): Buffer {
    const key = this.#privateKey;
    if (this.publicKey.type === 'ed25519') return sign(null, signed, key);
    const both = sign('sha256', signed, { key, dsaEncoding: 'ieee-p1363' });
    const { bytes } = curves.nistp256;
    return Buffer.concat([mpint(both.subarray(0, bytes)), mpint(both.subarray(bytes))]);
  }
}

/** Public keys of SSH: read strictly from a line, from the wire, or from a key of our own. Other texts: public-key-text.ts. */
import { createHash, createPublicKey, type KeyObject, type webcrypto } from 'node:crypto';
import { isSecurityKey, mostApplicationBytes } from './security-key.ts';
import { mpint, Reader, string, WireError } from './wire.ts';

export type KeyType = 'rsa' | 'ecdsa' | 'ed25519';

export interface PublicKey {
  /** The name of the algorithm on the wire, e.g. `ecdsa-sha2-nistp256`. */
  readonly algorithm: string;
  readonly type: KeyType;
  /** The fields after the name, as certificates repeat them. */
  readonly fields: Buffer;
  /** Name and fields: what the base64 of a line stands for. */
  readonly blob: Buffer;
}

/** `unsupported`: a key of a type that is not taken; `weak`: one that is too short to be trusted. */
export interface KeyFault {
  readonly fault: 'malformed' | 'unsupported' | 'weak';
  readonly reason: string;
}

/** Curves by their SSH names. */
export const curves = {
  nistp256: { jwk: 'P-256', bytes: 32 },
  nistp384: { jwk: 'P-384', bytes: 48 },
  nistp521: { jwk: 'P-521', bytes: 66 },
} as const;

export type Curve = keyof typeof curves;

const minimumRsaBits = 2048;
/** Bits of RSA keys that OpenSSH reads. */
const maximumRsaBits = 16_384;
const maximumExponentBytes = 8;
const maximumLineLength = 8192;

const LINE = /^([^ \t]+)[ \t]+([A-Za-z0-9+/]+={0,2})(?:[ \t]+([^\r\n]*))?$/;

export function isKeyFault(key: PublicKey | KeyFault): key is KeyFault {
  return 'fault' in key;
}

/**
 * Reads one line of an authorized-keys file without options: `<algorithm> <base64> [comment]` (sshd(8)). Every byte of the
 * key must be the one encoding that this key has, so that equal keys have equal blobs.
 */
export function parsePublicKey(text: string): PublicKey | KeyFault {
  if (text.length > maximumLineLength) return malformed(`it is longer than ${maximumLineLength} characters`);
  const [, algorithm, base64] = LINE.exec(text.trim()) ?? [];
  if (algorithm === undefined || base64 === undefined) {
    return malformed('it is not one line of an algorithm, the key in base64 and, if any, a comment');
  }
  const blob = Buffer.from(base64, 'base64');
  if (blob.toString('base64') !== base64) return malformed('its base64 is not exact');
  return parseBlob(blob, algorithm);
}

/** Reads a key in wire format, which must have the given algorithm. */
export function parseBlob(blob: Buffer, algorithm: string): PublicKey | KeyFault {
  try {
    const reader = new Reader(blob);
    if (!reader.string().equals(Buffer.from(algorithm))) {
      return malformed('the key in base64 is not of the algorithm before it');
    }
    return parseFields(algorithm, blob, reader);
  } catch (error) {
    if (error instanceof WireError) return malformed(error.message);
    throw error;
  }
}

/** The curve of an ECDSA key. Raises WireError. */
export function curveOf({ fields }: PublicKey): Curve {
  return new Reader(fields).text() as Curve;
}

/** Returns the key for verification; for an authenticator, the key that it signs with. */
export function toKeyObject({ type, fields }: PublicKey): KeyObject {
  const reader = new Reader(fields);
  switch (type) {
    case 'ed25519':
      return fromJwk({ kty: 'OKP', crv: 'Ed25519', x: reader.string().toString('base64url') });
    case 'rsa': {
      const e = reader.positive().toString('base64url');
      return fromJwk({ kty: 'RSA', e, n: reader.positive().toString('base64url') });
    }
    case 'ecdsa': {
      const { jwk, bytes } = curves[reader.text() as Curve];
      const point = reader.string();
      const x = point.subarray(1, 1 + bytes).toString('base64url');
      return fromJwk({ kty: 'EC', crv: jwk, x, y: point.subarray(1 + bytes).toString('base64url') });
    }
    default:
      return type satisfies never;
  }
}

function fromJwk(key: webcrypto.JsonWebKey): KeyObject {
  return createPublicKey({ key, format: 'jwk' });
}

/** Null for a key of a type that is not ours. */
export function encodePublicKey(key: KeyObject): PublicKey | null {
  // Only these can be written as a JWK at all.
  if (!['rsa', 'ec', 'ed25519'].includes(key.asymmetricKeyType ?? '')) return null;
  const jwk = exportJwk(key);
  if (jwk === null) return null;
  const number = (name: 'e' | 'n' | 'x' | 'y') => Buffer.from(jwk[name] ?? '', 'base64url');
  if (jwk.kty === 'RSA') return make('ssh-rsa', 'rsa', [mpint(number('e')), mpint(number('n'))]);
  if (jwk.kty === 'OKP') return make('ssh-ed25519', 'ed25519', [string(number('x'))]);
  const curve = (Object.keys(curves) as Curve[]).find((name) => curves[name].jwk === jwk.crv);
  if (curve === undefined) return null;
  const point = Buffer.concat([Buffer.of(4), number('x'), number('y')]);
  return make(`ecdsa-sha2-${curve}`, 'ecdsa', [string(curve), string(point)]);
}

export function formatPublicKey(key: PublicKey): string {
  return `${key.algorithm} ${key.blob.toString('base64')}`;
}

/** Returns the form of `ssh-keygen -l`: `SHA256:` and base64 without padding. */
export function fingerprint(key: PublicKey): string {
  return `SHA256:${createHash('sha256').update(key.blob).digest('base64').replace(/=+$/, '')}`;
}

function parseFields(algorithm: string, blob: Buffer, reader: Reader): PublicKey | KeyFault {
  const fields = reader.rest;
  switch (algorithm) {
    case 'ssh-ed25519':
    case 'sk-ssh-ed25519@openssh.com': {
      const point = reader.string();
      const application = isSecurityKey(algorithm) ? checkApplication(reader.string()) : null;
      reader.end();
      if (application !== null) return application;
      if (point.length !== 32) return malformed('an Ed25519 key has 32 bytes');
      return { algorithm, type: 'ed25519', fields, blob };
    }
    case 'ssh-rsa': {
      const fault = checkRsa(reader.positive(), reader.positive());
      reader.end();
      return fault ?? { algorithm, type: 'rsa', fields, blob };
    }
    case 'ecdsa-sha2-nistp256':
    case 'ecdsa-sha2-nistp384':
    case 'ecdsa-sha2-nistp521':
    case 'sk-ecdsa-sha2-nistp256@openssh.com': {
      const curve = (/nistp\d+/.exec(algorithm)?.[0] ?? '') as Curve;
      if (reader.string().toString('latin1') !== curve) return malformed('it is for another curve');
      const point = checkPoint(curve, reader.string());
      const fault = isSecurityKey(algorithm) ? (point ?? checkApplication(reader.string())) : point;
      reader.end();
      return fault ?? { algorithm, type: 'ecdsa', fields, blob };
    }
    default:
      return {
        fault: 'unsupported',
        reason: `it is of the type ${algorithm.slice(0, 100)}, and only ssh-ed25519, ssh-rsa, ecdsa-sha2-nistp256, -nistp384, -nistp521, sk-ssh-ed25519@openssh.com and sk-ecdsa-sha2-nistp256@openssh.com are taken`,
      };
  }
}

function checkRsa(exponent: Buffer, modulus: Buffer): KeyFault | null {
  const bits = modulus.length * 8 - Math.clz32(modulus[0] as number) + 24;
  if (bits < minimumRsaBits) {
    return { fault: 'weak', reason: `its ${bits} bits are fewer than the ${minimumRsaBits} that are needed` };
  }
  if (bits > maximumRsaBits) return malformed(`it has more than ${maximumRsaBits} bits`);
  const small = exponent.length === 1 && (exponent[0] as number) < 3;
  if (small || exponent.length > maximumExponentBytes || !isOdd(exponent) || !isOdd(modulus)) {
    return malformed('its exponent or modulus is not one of an RSA key');
  }
  return null;
}

function isOdd(number: Buffer): boolean {
  return ((number.at(-1) as number) & 1) === 1;
}

/** Uncompressed and on the curve: a point elsewhere would give signatures away. */
function checkPoint(curve: Curve, point: Buffer): KeyFault | null {
  const { jwk, bytes } = curves[curve];
  if (point.length !== 1 + 2 * bytes || point[0] !== 4) {
    return malformed('its point is not uncompressed or not of the size of its curve');
  }
  const x = point.subarray(1, 1 + bytes).toString('base64url');
  const y = point.subarray(1 + bytes).toString('base64url');
  try {
    createPublicKey({ key: { kty: 'EC', crv: jwk, x, y }, format: 'jwk' });
    return null;
  } catch {
    return malformed('its point is not on its curve');
  }
}

function checkApplication(application: Buffer): KeyFault | null {
  return application.length <= mostApplicationBytes
    ? null
    : malformed(`its application is longer than ${mostApplicationBytes} bytes`);
}

function exportJwk(key: KeyObject): webcrypto.JsonWebKey | null {
  try {
    return key.export({ format: 'jwk' });
  } catch {
    // A curve that has no name as a JWK.
    return null;
  }
}

function make(algorithm: string, type: KeyType, fields: readonly Buffer[]): PublicKey {
  const joined = Buffer.concat(fields);
  return { algorithm, type, fields: joined, blob: Buffer.concat([string(algorithm), joined]) };
}

export function malformed(reason: string): KeyFault {
  return { fault: 'malformed', reason };
}

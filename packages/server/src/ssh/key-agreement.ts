/** Key agreements of SSH: each takes the client's public value, and returns the server's own value and the shared secret. */
import crypto, {
  createDiffieHellmanGroup,
  createECDH,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
} from 'node:crypto';
import { mpint, string } from '../pki/ssh/index.ts';
import { isSupported } from './is-supported.ts';
import { Disconnect } from './numbers.ts';
import { SshError } from './ssh-error.ts';

export interface Agreed {
  readonly serverPublic: Buffer;
  /** The secret as it is hashed: an mpint, or a string for a hybrid method. */
  readonly secret: Buffer;
}

interface Method {
  /** The hash of the exchange and of the keys. */
  readonly hash: 'sha256' | 'sha512';
  /** Throws for a value that is malformed, or that makes the secret predictable. */
  agree(clientPublic: Buffer): Agreed;
}

const x25519Bytes = 32;
const mlKemPublicBytes = 1184;
/** SubjectPublicKeyInfo of an ML-KEM-768 key, up to the key itself (RFC 9935). */
const mlKemPrefix = Buffer.from('308204b2300b0609608648016503040402038204a100', 'hex');

const curve25519: Method = { hash: 'sha256', agree: agreeCurve25519 };

/** Strongest first. */
const methods = {
  'mlkem768x25519-sha256': { hash: 'sha256', agree: agreeHybrid },
  'curve25519-sha256': curve25519,
  'curve25519-sha256@libssh.org': curve25519,
  'ecdh-sha2-nistp256': { hash: 'sha256', agree: agreeP256 },
  'diffie-hellman-group16-sha512': { hash: 'sha512', agree: (theirs) => agreeGroup('modp16', theirs) },
  'diffie-hellman-group14-sha256': { hash: 'sha256', agree: (theirs) => agreeGroup('modp14', theirs) },
} satisfies Record<string, Method>;
export type KeyExchange = keyof typeof methods;

const hasMlKem = isSupported(() => crypto.encapsulate(generateKeyPairSync('ml-kem-768').publicKey));

/** Methods that this Node supports, strongest first. */
export const keyExchanges = (Object.keys(methods) as KeyExchange[]).filter(
  (name) => name !== 'mlkem768x25519-sha256' || hasMlKem,
);

export function hashOf(method: KeyExchange): Method['hash'] {
  return methods[method].hash;
}

/** Raises SshError for an invalid public value. */
export function agree(method: KeyExchange, clientPublic: Buffer): Agreed {
  try {
    return methods[method].agree(clientPublic);
  } catch {
    throw new SshError('the public key of the key exchange is not valid', Disconnect.keyExchangeFailed);
  }
}

/** RFC 8731. */
function agreeCurve25519(clientPublic: Buffer): Agreed {
  const { own, secret } = x25519(clientPublic);
  return { serverPublic: own, secret: mpint(secret) };
}

/** Node rejects points whose secret would be zero (RFC 8731, section 3). */
function x25519(theirs: Buffer): { readonly own: Buffer; readonly secret: Buffer } {
  if (theirs.length !== x25519Bytes) throw new Error('an X25519 key has 32 bytes');
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  const jwk = { kty: 'OKP', crv: 'X25519', x: theirs.toString('base64url') };
  const secret = diffieHellman({ privateKey, publicKey: createPublicKey({ key: jwk, format: 'jwk' }) });
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return { own: Buffer.from(x, 'base64url'), secret };
}

/** ML-KEM-768 and X25519 together (draft-ietf-sshm-mlkem-hybrid-kex). */
function agreeHybrid(clientPublic: Buffer): Agreed {
  if (clientPublic.length !== mlKemPublicBytes + x25519Bytes) throw new Error('a hybrid key has 1216 bytes');
  const spki = Buffer.concat([mlKemPrefix, clientPublic.subarray(0, mlKemPublicBytes)]);
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  const { sharedKey, ciphertext } = crypto.encapsulate(key);
  const { own, secret } = x25519(clientPublic.subarray(mlKemPublicBytes));
  const both = createHash('sha256').update(sharedKey).update(secret).digest();
  return { serverPublic: Buffer.concat([ciphertext, own]), secret: string(both) };
}

/** RFC 5656, section 4: uncompressed points only. */
function agreeP256(clientPublic: Buffer): Agreed {
  if (clientPublic[0] !== 4) throw new Error('the point is not uncompressed');
  const ours = createECDH('prime256v1');
  const serverPublic = ours.generateKeys();
  return { serverPublic, secret: mpint(ours.computeSecret(clientPublic)) };
}

/** RFC 8268. Node rejects 0, 1, the prime less one, and anything larger. */
function agreeGroup(group: 'modp14' | 'modp16', clientPublic: Buffer): Agreed {
  const ours = createDiffieHellmanGroup(group);
  const isNegative = (clientPublic[0] ?? 0) >= 0x80;
  if (isNegative || clientPublic.length > ours.getPrime().length + 1)
    throw new Error('the public value is out of range');
  const own = ours.generateKeys();
  // Both are numbers on the wire, written like a string of their digits.
  return { serverPublic: mpint(own).subarray(4), secret: mpint(ours.computeSecret(clientPublic)) };
}

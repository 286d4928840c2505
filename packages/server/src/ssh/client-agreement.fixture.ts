/** The client's side of each key agreement. */
import crypto, {
  createDiffieHellmanGroup,
  createECDH,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
} from 'node:crypto';
import { mpint, string } from '../pki/ssh/index.ts';
import type { KeyExchange } from './key-agreement.ts';

const mlKemCiphertextBytes = 1088;
const mlKemPublicBytes = 1184;

export interface ClientAgreement {
  readonly clientPublic: Buffer;
  /** Returns the secret as it is hashed. */
  secret(serverPublic: Buffer): Buffer;
}

export function beginAgreement(method: KeyExchange): ClientAgreement {
  switch (method) {
    case 'mlkem768x25519-sha256':
      return hybrid();
    case 'curve25519-sha256':
    case 'curve25519-sha256@libssh.org': {
      const { clientPublic, secret } = x25519();
      return { clientPublic, secret: (theirs) => mpint(secret(theirs)) };
    }
    case 'ecdh-sha2-nistp256': {
      const ours = createECDH('prime256v1');
      return { clientPublic: ours.generateKeys(), secret: (theirs) => mpint(ours.computeSecret(theirs)) };
    }
    case 'diffie-hellman-group14-sha256':
      return group('modp14');
    case 'diffie-hellman-group16-sha512':
      return group('modp16');
  }
}

function x25519(): ClientAgreement {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  const clientPublic = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const secret = (theirs: Buffer): Buffer => {
    const jwk = { kty: 'OKP', crv: 'X25519', x: theirs.toString('base64url') };
    return diffieHellman({ privateKey, publicKey: createPublicKey({ key: jwk, format: 'jwk' }) });
  };
  return { clientPublic, secret };
}

function hybrid(): ClientAgreement {
  const { publicKey, privateKey } = generateKeyPairSync('ml-kem-768');
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const curve = x25519();
  const secret = (theirs: Buffer): Buffer => {
    const shared = crypto.decapsulate(privateKey, theirs.subarray(0, mlKemCiphertextBytes));
    const both = createHash('sha256').update(shared);
    return string(both.update(curve.secret(theirs.subarray(mlKemCiphertextBytes))).digest());
  };
  return { clientPublic: Buffer.concat([spki.subarray(-mlKemPublicBytes), curve.clientPublic]), secret };
}

function group(name: 'modp14' | 'modp16'): ClientAgreement {
  const ours = createDiffieHellmanGroup(name);
  const clientPublic = mpint(ours.generateKeys()).subarray(4);
  return { clientPublic, secret: (theirs) => mpint(ours.computeSecret(theirs)) };
}

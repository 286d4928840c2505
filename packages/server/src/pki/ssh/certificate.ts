/**
 * Certificates of OpenSSH (PROTOCOL.certkeys).
 * Invariant: the layout is stable; tests compare it with OpenSSH.
 */
import { randomBytes } from 'node:crypto';
import { certificateType } from './certificate-type.ts';
import type { PublicKey } from './public-key.ts';
import { type SigningKey, signBlob } from './signing-key.ts';
import { string, uint32, uint64 } from './wire.ts';

const roles = { user: 1, host: 2 } as const;
const nonceBytes = 32;

export interface CertificateContent {
  readonly role: keyof typeof roles;
  readonly serial: bigint;
  /** Name of the certificate in logs; also the comment of the line. */
  readonly keyId: string;
  /** Host names or user names; none: valid for all. */
  readonly principals: readonly string[];
  /** Seconds since the epoch; the certificate is valid from the first up to, but not in, the second. */
  readonly validAfter: number;
  readonly validBefore: number;
  /** Values by name; `''` is an option without a value. */
  readonly criticalOptions: Readonly<Record<string, string>>;
  readonly extensions: Readonly<Record<string, string>>;
}

/** `<algorithm> <base64> <key id>`. */
export function issueCertificate(
  subject: PublicKey,
  content: CertificateContent,
  authority: SigningKey,
): string {
  const algorithm = certificateType(subject.algorithm);
  const signed = Buffer.concat([
    string(algorithm),
    // Makes the signed bytes unpredictable for the client.
    string(randomBytes(nonceBytes)),
    subject.fields,
    uint64(content.serial),
    uint32(roles[content.role]),
    string(content.keyId),
    string(Buffer.concat(content.principals.map((principal) => string(principal)))),
    uint64(BigInt(content.validAfter)),
    uint64(BigInt(content.validBefore)),
    string(encodeOptions(content.criticalOptions)),
    string(encodeOptions(content.extensions)),
    string(''),
    string(authority.publicKey.blob),
  ]);
  const certificate = Buffer.concat([signed, string(signBlob(authority, signed))]);
  return `${algorithm} ${certificate.toString('base64')} ${content.keyId}`;
}

/** Encodes in the order of the names' bytes; a value is a string inside the option's own string. */
function encodeOptions(options: Readonly<Record<string, string>>): Buffer {
  const entries = Object.entries(options).sort(([one], [other]) =>
    Buffer.compare(Buffer.from(one), Buffer.from(other)),
  );
  return Buffer.concat(
    entries.flatMap(([name, value]) => [string(name), string(value === '' ? '' : string(value))]),
  );
}

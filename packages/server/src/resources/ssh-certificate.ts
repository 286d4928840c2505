/**
 * Common parts of host and user certificates: a key, principals and a time, signed once at creation. Signing takes
 * milliseconds, even with RSA. It happens inside the write, after the id is known.
 */

import { randomBytes } from 'node:crypto';
import { formatTime } from '../core/time-text.ts';
import { parseTimestamp } from '../core/timestamp.ts';
import { Type } from '../core/type.ts';
import type { SshHostCertificateDocument } from '../documents/index.ts';
import { Problem } from '../errors/problem.ts';
import type { ErrorNeeding } from '../errors/values.ts';
import {
  type CertificateContent,
  isKeyFault,
  isSecurityKey,
  issueCertificate,
  type PublicKey,
  parsePublicKeyText,
} from '../pki/ssh/index.ts';
import type { NameClaim } from '../store/store.ts';
import type { Draft, Reference, RuleContext } from './definition.ts';
import { sshHostPublicKey } from './examples.ts';
import { patterns } from './patterns.ts';
import { common, idOf, notBlank, optional, required, timestamp } from './schema.ts';
import { authorityPrefixes, openAuthority } from './ssh-authority.ts';

/** OpenSSH reads no certificate that has more. */
const maxPrincipals = 256;
const maxPrincipalBytes = 255;
const serialBytes = 8;

export interface CertificateInput {
  readonly description?: string;
  readonly metadata?: string;
  readonly ssh_certificate_authority_id: string;
  readonly public_key: string;
  readonly principals?: readonly string[];
  readonly valid_after?: string;
  readonly valid_until?: string;
}

/** Rules that differ between host certificates and user certificates. */
export interface CertificateRules {
  readonly role: CertificateContent['role'];
  readonly authority: Reference;
  /** Raised when the certificate would never be valid. */
  readonly neverValid: ErrorNeeding<'after' | 'until'>;
  /** Default end of a certificate that is created now, in seconds since the epoch. */
  readonly defaultEnd: (now: number) => number;
  /** A principal as it is certified. */
  readonly principal: (given: string) => string;
}

type Options = Pick<CertificateContent, 'criticalOptions' | 'extensions'>;

export const createFields = {
  ssh_certificate_authority_id: idOf(authorityPrefixes, 'The authority that signs.'),
  public_key: required(
    notBlank(
      Type.String({
        examples: [sshHostPublicKey],
        description:
          'The key that is signed: the line of a ".pub" file, PEM, or RFC 4716. Comes back as it was sent.',
      }),
    ),
    'sshSubjectMissing',
  ),
  valid_after: timeField('Start of its validity. RFC 3339. Default: now.'),
} as const;

/** A time in a request. */
export function timeField(description: string) {
  return optional(Type.String({ format: 'date-time', pattern: patterns.time, description }));
}

export function principalsField(description: string) {
  return optional(
    Type.Array(Type.String({ pattern: patterns.principal, description: 'A name, or an address.' }), {
      maxItems: maxPrincipals,
      default: [],
      'x-error': 'sshPrincipalCount',
      description: `${description} At most ${maxPrincipals}.`,
    }),
  );
}

export const readFields = {
  ...common,
  public_key: Type.String(),
  key_type: Type.String({ description: 'Type of public_key: rsa, ecdsa or ed25519.' }),
  ssh_certificate_authority_id: Type.String(),
  principals: Type.Array(Type.String()),
  valid_after: timestamp('Start of its validity.'),
  valid_until: timestamp('End of its validity.'),
  certificate: Type.String({ description: 'The certificate: the line for a "-cert.pub" file.' }),
} as const;

export async function draftCertificate(
  input: CertificateInput,
  options: Options,
  rules: CertificateRules,
  context: RuleContext,
): Promise<Draft<SshHostCertificateDocument>> {
  const subject = readSubject(input.public_key, rules.role);
  const principals = checkPrincipals(input.principals ?? []);
  const { validAfter, validBefore } = chooseValidity(input, rules, context.now());
  const authority = await openAuthority(input.ssh_certificate_authority_id, rules.authority, context);
  const serial = drawSerial();
  const body: SshHostCertificateDocument = {
    description: input.description ?? '',
    metadata: input.metadata ?? '',
    ssh_certificate_authority_id: input.ssh_certificate_authority_id,
    public_key: input.public_key,
    key_type: subject.type,
    principals,
    valid_after: format(validAfter),
    valid_until: format(validBefore),
    serial: String(serial),
    certificate: '',
  };
  const certified = principals.map(rules.principal);
  const content = {
    ...options,
    role: rules.role,
    serial,
    principals: certified,
    validAfter,
    validBefore,
  };
  return {
    body,
    complete: (id) => ({
      body: { ...body, certificate: issueCertificate(subject, { ...content, keyId: id }, authority) },
    }),
  };
}

/** Serials are unique within an authority, because revocation lists name certificates by serial. */
export function serialClaim(body: SshHostCertificateDocument): readonly NameClaim[] {
  return [{ kind: 'ssh_serial', value: `${body.ssh_certificate_authority_id}/${body.serial}` }];
}

export function serialTaken(): Problem {
  return new Problem('sshSerialTaken');
}

export function showCertificate(body: SshHostCertificateDocument) {
  const { public_key, key_type, ssh_certificate_authority_id, principals } = body;
  const { valid_after, valid_until, certificate } = body;
  return {
    public_key,
    key_type,
    ssh_certificate_authority_id,
    principals,
    valid_after,
    valid_until,
    certificate,
  };
}

function readSubject(text: string, role: CertificateRules['role']): PublicKey {
  const at = { field: '/public_key' };
  if (text.trim() === '') throw new Problem('sshSubjectMissing', {}, at);
  const key = parsePublicKeyText(text);
  if (!isKeyFault(key)) {
    if (role === 'user' || !isSecurityKey(key.algorithm)) return key;
    const reason = 'a security key signs only when it is touched, so no server can use it as its host key';
    throw new Problem('sshSubjectTypeUnsupported', { reason }, at);
  }
  throw new Problem(subjectFaults[key.fault], { reason: key.reason }, at);
}

const subjectFaults = {
  malformed: 'sshSubjectMalformed',
  unsupported: 'sshSubjectTypeUnsupported',
  weak: 'sshSubjectTooShort',
} as const;

function checkPrincipals(principals: readonly string[]): readonly string[] {
  for (const [index, principal] of principals.entries()) {
    // A comma ends a principal in the tools that take lists of them.
    if (/^[^\s,\p{Cc}\p{Cs}]+$/u.test(principal) && Buffer.byteLength(principal) <= maxPrincipalBytes)
      continue;
    const values = { value: principal, limit: maxPrincipalBytes };
    throw new Problem('sshPrincipalInvalid', values, { field: `/principals/${index}` });
  }
  return principals;
}

function chooseValidity(
  input: Pick<CertificateInput, 'valid_after' | 'valid_until'>,
  { defaultEnd, neverValid }: CertificateRules,
  nowMs: number,
): { readonly validAfter: number; readonly validBefore: number } {
  const now = Math.floor(nowMs / 1000);
  const validAfter = readTime(input.valid_after, 'valid_after') ?? now;
  const validBefore = readTime(input.valid_until, 'valid_until') ?? defaultEnd(now);
  if (validBefore > validAfter) return { validAfter, validBefore };
  const values = { after: format(validAfter), until: format(validBefore) };
  throw new Problem(neverValid, values, { field: '/valid_until' });
}

function readTime(text: string | undefined, name: string): number | null {
  if (text === undefined) return null;
  const seconds = parseTimestamp(text);
  if (seconds !== null) return seconds;
  const field = `/${name}`;
  throw new Problem('timestampInvalid', { field, value: text }, { field });
}

/** Not guessable, and never zero, which stands for "no serial". */
function drawSerial(): bigint {
  let serial = 0n;
  while (serial === 0n) serial = randomBytes(serialBytes).readBigUInt64BE();
  return serial;
}

function format(seconds: number): string {
  return formatTime(new Date(seconds * 1000));
}

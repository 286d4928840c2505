/** What is shown of a certificate (specification, section 2.17; open points, part B 1.20). */
// The container that @peculiar/x509 is built on needs it, and it must come first.
import 'reflect-metadata';
import type { X509Certificate as NodeCertificate } from 'node:crypto';
import {
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509Certificate,
} from '@peculiar/x509';
import type { AuthorityFacts, ServerFacts } from '../documents/index.ts';

const keyUsages: readonly (readonly [number, string])[] = [
  [KeyUsageFlags.digitalSignature, 'DigitalSignature'],
  [KeyUsageFlags.nonRepudiation, 'ContentCommitment'],
  [KeyUsageFlags.keyEncipherment, 'KeyEncipherment'],
  [KeyUsageFlags.dataEncipherment, 'DataEncipherment'],
  [KeyUsageFlags.keyAgreement, 'KeyAgreement'],
  [KeyUsageFlags.keyCertSign, 'CertSign'],
  [KeyUsageFlags.cRLSign, 'CRLSign'],
  [KeyUsageFlags.encipherOnly, 'EncipherOnly'],
  [KeyUsageFlags.decipherOnly, 'DecipherOnly'],
];

const extendedKeyUsages = new Map([
  ['2.5.29.37.0', 'Any'],
  ['1.3.6.1.5.5.7.3.1', 'ServerAuth'],
  ['1.3.6.1.5.5.7.3.2', 'ClientAuth'],
  ['1.3.6.1.5.5.7.3.3', 'CodeSigning'],
  ['1.3.6.1.5.5.7.3.4', 'EmailProtection'],
  ['1.3.6.1.5.5.7.3.8', 'TimeStamping'],
  ['1.3.6.1.5.5.7.3.9', 'OCSPSigning'],
]);

/** Throws when the certificate has an extension of these that cannot be read. */
export function authorityFacts(certificate: NodeCertificate): AuthorityFacts {
  return factsOf(new X509Certificate(certificate.raw));
}

/** Throws when the certificate has an extension of these that cannot be read. */
export function serverFacts({ raw }: NodeCertificate): ServerFacts {
  const certificate = new X509Certificate(raw);
  const names = certificate.getExtension(SubjectAlternativeNameExtension)?.names.items ?? [];
  const subject = (field: string): string => certificate.subjectName.getField(field)[0] ?? '';
  return {
    ...factsOf(certificate),
    subject_alternative_names: {
      dns_names: names.flatMap(({ type, value }) => (type === 'dns' ? [value] : [])),
      ips: names.flatMap(({ type, value }) => (type === 'ip' ? [value] : [])),
    },
    issuer_common_name: certificate.issuerName.getField('CN')[0] ?? '',
    serial_number: certificate.serialNumber.toLowerCase(),
    subject_organization: subject('O'),
    subject_organizational_unit: subject('OU'),
    subject_locality: subject('L'),
    subject_province: subject('ST'),
    subject_country: subject('C'),
  };
}

function factsOf(certificate: X509Certificate): AuthorityFacts {
  const usages = certificate.getExtension(KeyUsagesExtension)?.usages ?? 0;
  const purposes = certificate.getExtension(ExtendedKeyUsageExtension)?.usages ?? [];
  return {
    subject_common_name: certificate.subjectName.getField('CN')[0] ?? '',
    not_before: wholeSeconds(certificate.notBefore),
    not_after: wholeSeconds(certificate.notAfter),
    key_usages: keyUsages.flatMap(([flag, name]) => ((usages & flag) === 0 ? [] : [name])),
    extended_key_usages: Array.from(purposes, (oid) => extendedKeyUsages.get(String(oid)) ?? String(oid)),
  };
}

/** RFC 3339, UTC. */
function wholeSeconds(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

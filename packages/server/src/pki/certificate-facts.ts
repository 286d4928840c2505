/** Facts of a certificate for responses (specification, section 2.17; open points, part B 1.20). */
import type { X509Certificate as NodeCertificate } from 'node:crypto';
import type { X509Certificate } from '@peculiar/x509';
import type { AuthorityFacts, ServerFacts } from '../documents/index.ts';
import { x509 } from './on-demand.ts';

const keyUsages = [
  ['digitalSignature', 'DigitalSignature'],
  ['nonRepudiation', 'ContentCommitment'],
  ['keyEncipherment', 'KeyEncipherment'],
  ['dataEncipherment', 'DataEncipherment'],
  ['keyAgreement', 'KeyAgreement'],
  ['keyCertSign', 'CertSign'],
  ['cRLSign', 'CRLSign'],
  ['encipherOnly', 'EncipherOnly'],
  ['decipherOnly', 'DecipherOnly'],
] as const;

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
  return factsOf(new (x509().X509Certificate)(certificate.raw));
}

/** Throws when the certificate has an extension of these that cannot be read. */
export function serverFacts({ raw }: NodeCertificate): ServerFacts {
  const { SubjectAlternativeNameExtension, X509Certificate } = x509();
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
  const { ExtendedKeyUsageExtension, KeyUsageFlags, KeyUsagesExtension } = x509();
  const usages = certificate.getExtension(KeyUsagesExtension)?.usages ?? 0;
  const purposes = certificate.getExtension(ExtendedKeyUsageExtension)?.usages ?? [];
  return {
    subject_common_name: certificate.subjectName.getField('CN')[0] ?? '',
    not_before: wholeSeconds(certificate.notBefore),
    not_after: wholeSeconds(certificate.notAfter),
    key_usages: keyUsages.flatMap(([flag, name]) => ((usages & KeyUsageFlags[flag]) === 0 ? [] : [name])),
    extended_key_usages: Array.from(purposes, (oid) => extendedKeyUsages.get(String(oid)) ?? String(oid)),
  };
}

/** RFC 3339, UTC. */
function wholeSeconds(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

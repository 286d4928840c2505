/**
 * Reads the subject of a visitor's certificate.
 * Invariant: a value never looks like two values, or like another kind of name.
 */
import type { X509Certificate } from 'node:crypto';
import type { ClientCertificate } from '../sites/facts.ts';

export function subjectOf(certificate: X509Certificate): ClientCertificate {
  const names = alternativeNames(certificate.subjectAltName ?? '');
  const valuesOf = (kind: string): readonly string[] =>
    names.filter((name) => name.kind === kind && isListable(name.value)).map(({ value }) => value);
  return {
    commonName: commonNameOf(certificate),
    dnsNames: valuesOf('DNS'),
    emailAddresses: valuesOf('email'),
    serialNumber: certificate.serialNumber.toLowerCase(),
  };
}

/** The most specific one, which comes last. */
function commonNameOf(certificate: X509Certificate): string {
  const { CN }: { CN?: string | readonly string[] } = certificate.toLegacyObject().subject;
  return (typeof CN === 'string' ? CN : CN?.at(-1)) ?? '';
}

/** Rejects characters that no DNS name or address needs, and that a list with commas cannot contain. */
function isListable(value: string): boolean {
  return /^[!#-+\--~]+$/.test(value);
}

/** `DNS:a, email:"b, DNS:c"`: values that could be misread are JSON strings. */
function alternativeNames(text: string): { readonly kind: string; readonly value: string }[] {
  return [...text.matchAll(/([^:,"]+):("(?:[^"\\]|\\.)*"|[^,"]*)(?:, |$)/gy)].map(
    ([, kind = '', value = '']) => ({
      kind,
      value: value.startsWith('"') ? '' : value,
    }),
  );
}

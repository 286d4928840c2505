/** What a visitor's certificate says of its subject. Never that a value can pass for two, or for another kind of name. */
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

/** Without what no DNS name or address needs, and a list with commas cannot have. */
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

/** Reads files of certificates that the user named. */
import { X509Certificate } from 'node:crypto';
import { InvalidInput } from './address.ts';
import { readText } from './text-file.ts';

/** Reads a PEM file of authorities. Throws InvalidInput. */
export function readCa(path: string): string {
  return readCertificates(path, 'The CA file', 'ca');
}

/** Forms of certificates that the service reads, and this program does not. */
const otherForms = /-----BEGIN (?:PKCS7|PKCS #7 SIGNED DATA|CMS|(?:X509 |TRUSTED )?CERTIFICATE)-----/;

/** Reads a file of certificates that the service judges. `what` it is begins the message, and `flag` has given it. Throws InvalidInput. */
export function readServedCertificates(path: string, what: string, flag: string | null): string {
  const text = readText(path, what, { flag });
  return otherForms.test(text) ? text : readCertificates(path, what, flag);
}

/** Reads a PEM file of certificates; `what` it is begins the message, and `flag` has given it. Throws InvalidInput. */
export function readCertificates(path: string, what: string, flag: string | null): string {
  const pem = readText(path, what, { flag });
  try {
    new X509Certificate(pem);
  } catch {
    throw new InvalidInput(
      `${what} ${path} holds no certificate. Give a PEM file that begins "-----BEGIN CERTIFICATE-----".`,
      flag,
    );
  }
  return pem;
}

/**
 * Certificates in the texts that programs write: PEM of any of its labels, PKCS#7 as Windows exports it, and base64 without PEM.
 *
 * Invariant: what is stored and served is PEM that every program reads.
 */
import { X509Certificate } from 'node:crypto';
import { type PemBlock, parsePem } from '../core/pem.ts';
import { x509 } from './on-demand.ts';

export interface CertificatesRead {
  readonly certificates: readonly X509Certificate[];
  /** False for PKCS#7, which is a set. */
  readonly isOrdered: boolean;
}

/** `missing`: no certificate at all; `other`: a PEM block of another kind; `headers`: header lines in a block. */
export type CertificatesFault = 'missing' | 'malformed' | 'key' | 'other' | 'headers';

const certificateLabels = ['CERTIFICATE', 'X509 CERTIFICATE', 'TRUSTED CERTIFICATE'];
const setLabels = ['PKCS7', 'PKCS #7 SIGNED DATA', 'CMS'];
const plainBlock =
  /^-----BEGIN CERTIFICATE-----\r?\n(?:[A-Za-z0-9+/=]{1,76}\r?\n)+-----END CERTIFICATE-----[ \t]*\r?$/gm;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function readCertificates(text: string): CertificatesRead | CertificatesFault {
  if (!text.includes('-----BEGIN ')) return readUnarmoured(text);
  const blocks = parsePem(text);
  if (blocks === null) return 'malformed';
  if (blocks.some(({ label }) => label.endsWith('PRIVATE KEY'))) return 'key';
  if (blocks.length === 0) return 'missing';
  if (blocks.some(({ label }) => !certificateLabels.includes(label) && !setLabels.includes(label)))
    return 'other';
  if (blocks.some(({ hasHeaders }) => hasHeaders)) return 'headers';
  try {
    const certificates = blocks.flatMap(readBlock);
    if (certificates.length === 0) return 'missing';
    return { certificates, isOrdered: !blocks.some(({ label }) => setLabels.includes(label)) };
  } catch {
    return 'malformed';
  }
}

/** Returns the text itself if every program can read it, also around its blocks; else the certificates alone. */
export function plainPem(text: string, certificates: readonly X509Certificate[]): string {
  const markers = text.match(/-----(?:BEGIN|END) /g)?.length ?? 0;
  const blocks = text.match(plainBlock)?.length ?? 0;
  return blocks > 0 && markers === 2 * blocks ? text : certificates.map(String).join('');
}

/** The text as OpenSSL reads it; '' if it holds no certificate. */
export function canonicalPem(text: string): string {
  const read = readCertificates(text);
  return typeof read === 'string' ? '' : plainPem(text, read.certificates);
}

function readBlock({ label, der }: PemBlock): readonly X509Certificate[] {
  if (setLabels.includes(label)) return readSet(der);
  return [new X509Certificate(label === 'TRUSTED CERTIFICATE' ? firstElement(der) : der)];
}

/** A certificate or a set of them, as a file of Windows holds it. */
function readUnarmoured(text: string): CertificatesRead | CertificatesFault {
  const content = text.replace(/^\uFEFF/, '').replace(/\s+/g, '');
  if (content === '' || !base64.test(content)) return 'missing';
  const der = Buffer.from(content, 'base64');
  try {
    return { certificates: [new X509Certificate(der)], isOrdered: true };
  } catch {
    return readUnarmouredSet(der);
  }
}

function readUnarmouredSet(der: Buffer): CertificatesRead | CertificatesFault {
  try {
    const certificates = readSet(der);
    return certificates.length === 0 ? 'missing' : { certificates, isOrdered: false };
  } catch {
    return 'missing';
  }
}

function readSet(der: Buffer): readonly X509Certificate[] {
  const { X509Certificates } = x509();
  return Array.from(new X509Certificates(der), ({ rawData }) => new X509Certificate(Buffer.from(rawData)));
}

/** Returns the certificate without OpenSSL's trust settings, which follow it. Throws if it is cut off. */
function firstElement(der: Buffer): Buffer {
  const first = der.readUInt8(1);
  if (first < 0x80) return der.subarray(0, 2 + first);
  const octets = first & 0x7f;
  return der.subarray(0, 2 + octets + der.readUIntBE(2, octets));
}

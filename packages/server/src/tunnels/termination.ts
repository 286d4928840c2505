/**
 * `TLSTermination` of a TLS bind: an empty object terminates TLS at the edge with the service's own certificate, and
 * null passes it through.
 * Invariant: the two are never confused.
 */
import { createHash } from 'node:crypto';
import { Problem } from '../errors/problem.ts';
import type { TunnelTermination } from '../online/online.ts';
import { maxRsaBits } from '../pki/rsa-limit.ts';
import { isCertificateFault, maxCertificatePem, readCertificate } from '../pki/uploaded-certificate.ts';
import { objectField, type Reading, textField } from './options/fields.ts';

/** Null: TLS passes through. Raises Problem for a certificate and key that cannot be served. */
export function readTermination(options: object | null, reading: Reading): TunnelTermination | null {
  const module = objectField(options, 'TLSTermination', reading);
  if (module === null) return null;
  const cert = pemField(module, 'cert', reading);
  const key = pemField(module, 'key', reading);
  if (cert === '' && key === '') return { certificate: null };
  const read = readCertificate(cert, key);
  if (isCertificateFault(read)) {
    const allowed = 'rsa, ecdsa, ed25519';
    throw new Problem(read.error, { value: read.value ?? '', allowed, limit: maxRsaBits });
  }
  const name = createHash('sha256').update(cert).update(read.privateKeyPem).digest('base64url');
  return { certificate: { name, cert: read.certificatePem, key: read.privateKeyPem } };
}

/** PEM in base64, as agents send bytes. */
function pemField(module: object, name: string, reading: Reading): string {
  const pem = Buffer.from(textField(module, name, reading), 'base64').toString();
  const actual = Buffer.byteLength(pem);
  if (actual > maxCertificatePem)
    throw new Problem('pemTooLarge', { field: `TLSTermination.${name}`, actual, limit: maxCertificatePem });
  return pem;
}

/** Judges a client certificate without a handshake, so without a proof that the client has its key. */
import type { X509Certificate } from 'node:crypto';
import { NamesakeAuthorities } from '../../pki/client-path.ts';
import { isRsaTooLarge } from '../../pki/rsa-limit.ts';
import { type Judged, passed } from './trace.ts';
import { refused } from './verdicts.ts';

/** `authorities`: PEM texts of the mutual TLS module. A refused certificate ends the handshake. */
export function judgeCertificate(
  authorities: readonly string[],
  [leaf, ...between]: readonly X509Certificate[],
  nowMs: number,
): Judged {
  const count = authorities.length === 1 ? '1 authority' : `${authorities.length} authorities`;
  if (leaf === undefined)
    return refused(
      'clientCertificateMissing',
      `A certificate of ${count} is required, and none is given.`,
      false,
    );
  const name = nameOf(leaf);
  if (isRsaTooLarge(leaf.publicKey))
    return refused('clientCertificateRefused', `The RSA key of ${name} is too large.`, false);
  if (NamesakeAuthorities.of(authorities).admits(leaf, nowMs, between))
    return passed(`${name} is signed by one of ${count} of the module, if the client has its key.`);
  const from = Date.parse(leaf.validFrom);
  const to = Date.parse(leaf.validTo);
  const why =
    nowMs > to
      ? `${name} has expired on ${leaf.validTo}.`
      : nowMs < from
        ? `${name} is valid only from ${leaf.validFrom} on.`
        : `${name} is signed by none of ${count} of the module, or is not for clients.`;
  return refused('clientCertificateRefused', why, false);
}

function nameOf({ subject, serialNumber }: X509Certificate): string {
  const common = /(?:^|\n)CN=(.{1,100})/.exec(subject ?? '')?.[1];
  return `The certificate ${common === undefined ? serialNumber : `"${common}"`}`;
}

/**
 * Finds the authority of a server by its fingerprint.
 * Invariant: the fingerprint alone proves nothing about a peer. Callers trust the authority, and verify the chain anew.
 */
import type { X509Certificate } from 'node:crypto';
import { fingerprintOf } from './fingerprint.ts';
import { type HandshakeOptions, readShownChain, type ServerPlace } from './shown-chain.ts';

/** The server shows no authority with the wanted fingerprint. */
export class PinError extends Error {
  override readonly name = 'PinError';
  readonly code: 'ERR_CA_FINGERPRINT_MISMATCH' | 'ERR_CA_FINGERPRINT_LEAF';

  constructor(code: PinError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Returns the PEM of the authority that the server sends and that has the fingerprint, in the form of `parseFingerprint`.
 * Rejects with PinError, with the socket's error or with the signal's reason.
 */
export async function pinnedAuthority(
  fingerprint: string,
  place: ServerPlace,
  options: HandshakeOptions,
): Promise<string> {
  const { certificates } = await readShownChain(place, options);
  const found = certificates.find((one) => fingerprintOf(one) === fingerprint);
  if (found === undefined) throw mismatch(fingerprint, place, certificates);
  if (found.ca) return found.toString();
  throw new PinError(
    'ERR_CA_FINGERPRINT_LEAF',
    `${fingerprint} is the fingerprint of the server's own certificate, which a renewal changes. ${insteadOf(certificates)}`,
  );
}

/**
 * Returns the last authority of the chain, which issued its other certificates; null if the server sends none. A root
 * is the issuer of itself.
 */
export function topAuthority(certificates: readonly X509Certificate[]): X509Certificate | null {
  let [top] = certificates;
  const others = new Set(certificates);
  while (top !== undefined) {
    const issued = top;
    others.delete(issued);
    const issuer = [...others].find((one) => issued.checkIssued(one) && issued.verify(one.publicKey));
    if (issuer === undefined) return issued.ca ? issued : null;
    top = issuer;
  }
  return null;
}

/** Returns the subject in one line, of at most 200 characters. */
export function subjectOf({ subject }: X509Certificate): string {
  return subject.replaceAll('\n', ', ').slice(0, 200);
}

function mismatch(
  fingerprint: string,
  { host, port }: ServerPlace,
  certificates: readonly X509Certificate[],
): PinError {
  const top = topAuthority(certificates);
  const shown = top === null ? 'sends no authority' : `sends ${fingerprintOf(top)} (${subjectOf(top)})`;
  return new PinError(
    'ERR_CA_FINGERPRINT_MISMATCH',
    `No authority of ${host}:${port} has the fingerprint ${fingerprint}: the server ${shown}.`,
  );
}

function insteadOf(certificates: readonly X509Certificate[]): string {
  const top = topAuthority(certificates);
  return top === null
    ? 'The server sends no authority that could be pinned.'
    : `Its authority has ${fingerprintOf(top)}.`;
}

/** Authorities by which an agent knows its service: a PEM, a fingerprint, or those that this machine trusts. */
import { parseFingerprint } from '@underpass/client/fingerprint';
import { InvalidInput } from './address.ts';

export interface Trust {
  /** PEM. */
  readonly ca?: string | undefined;
  /** Fingerprint of the authority, in any form that `parseFingerprint` reads. */
  readonly caFingerprint?: string | undefined;
}

/** Returns the form `sha256:<64 digits>`. Throws InvalidInput. */
export function readFingerprint(text: string): string {
  const read = parseFingerprint(text);
  if ('fault' in read) throw new InvalidInput(read.fault, 'ca-fingerprint');
  return read.fingerprint;
}

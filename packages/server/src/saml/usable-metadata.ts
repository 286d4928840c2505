/** Metadata of an identity provider that logins are to go by from now on. Never what has no keys, or is out of date already. */
import { Problem } from '../errors/problem.ts';
import { type IdpMetadata, readIdpMetadata } from '../pki/idp-metadata.ts';
import { textOfTime } from './times.ts';

/** `now`: milliseconds since 1970. Raises Problem. */
export function usableMetadata(xml: string, now: number): IdpMetadata {
  const read = readIdpMetadata(xml);
  if ('fault' in read) throw Problem.named(read.fault, read.values);
  const { validUntil } = read;
  if (validUntil !== null && now >= validUntil)
    throw new Problem('samlMetadataExpired', { until: textOfTime(validUntil) });
  return read;
}

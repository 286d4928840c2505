/** Finds the reservation that a name is in. */
import { remembered } from '../../core/limits/remembered.ts';
import { baseOf, type Hostname, type HostPattern, parentPatterns } from '../../core/names/hostname.ts';
import type { SiteDocument } from '../sites/site-documents.ts';
import type { DocumentIndex } from './document-index.ts';

/** Returns the wildcards above a name, longest first. */
export const parentsOf = remembered(parentPatterns);

/** The name, and what covers it, longest first. */
export const namesFrom = remembered((name: HostPattern): readonly (HostPattern | Hostname)[] => [
  name,
  ...parentsOf(baseOf(name)),
]);

/** Returns the reservation of the name itself, else of the longest wildcard above it. */
export function nearestReservation(
  documents: DocumentIndex,
  name: HostPattern | Hostname,
): SiteDocument | undefined {
  for (const one of namesFrom(name)) {
    const [found] = documents.groups.reservationOf.at(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Rules for names that accounts can reserve, decided from the text of a request (specification, section 4.7). */

import {
  type Hostname,
  type HostnameFault,
  type HostPattern,
  isFault,
  parseHostPattern,
} from '../core/names/hostname.ts';
import { type ServiceAddress, serviceNameIn } from '../core/service-names.ts';
import { Problem } from '../errors/problem.ts';
import type { ErrorNeeding } from '../errors/values.ts';

/**
 * Returns the pattern for `name` (a whole name, or one label below the shared domain) or `domain` (a whole name).
 * Raises Problem.
 */
export function wantedDomain(
  name: string | undefined,
  domain: string | undefined,
  service: ServiceAddress,
): HostPattern {
  if (name !== undefined && domain !== undefined)
    throw new Problem('domainNameAndDomain', {}, { field: '/name' });
  const given = (name ?? domain ?? '').trim();
  const field = domain === undefined ? '/name' : '/domain';
  if (given === '') throw new Problem('domainNameMissing', {}, { field });
  if (domain !== undefined && !given.includes('.')) {
    throw new Problem('domainNotFullyQualified', { value: given }, { field });
  }
  const text = given.includes('.') ? given : `${given}.${service.domain}`;
  const pattern = parseHostPattern(text);
  if (isFault(pattern)) throw new Problem(syntaxError(pattern.fault, text), { value: given }, { field });
  refuseServiceNames(pattern, service, field);
  return pattern;
}

export function isShared(pattern: HostPattern, domain: Hostname): boolean {
  return pattern.endsWith(`.${domain}`);
}

function refuseServiceNames(pattern: HostPattern, service: ServiceAddress, field: string): void {
  const kept = serviceNameIn(pattern, service);
  if (kept === null) return;
  const isBelow = kept !== service.domain && pattern.endsWith(`.${kept}`);
  if (isBelow) throw new Problem('domainBelowRestricted', { value: pattern, base: kept }, { field });
  throw new Problem('domainBaseNotReservable', { value: pattern }, { field });
}

const syntaxErrors = {
  empty: 'domainNameMissing',
  character: 'domainNameCharacter',
  underscore: 'domainNameUnderscore',
  first: 'domainNameFirst',
  last: 'domainNameLast',
  'double-dot': 'domainNameDots',
  'double-hyphen': 'domainNameHyphens',
  'label-length': 'domainLabelTooLong',
  length: 'domainNameTooLong',
  punycode: 'domainNamePunycode',
  tld: 'domainNameTopLevel',
  wildcard: 'domainWildcardMisplaced',
  'ip-address': 'domainNameIsAddress',
} as const satisfies Record<HostnameFault['fault'], ErrorNeeding<'value'>>;

function syntaxError(fault: HostnameFault['fault'], text: string): ErrorNeeding<'value'> {
  const first = text.slice(0, text.indexOf('.'));
  if (fault === 'wildcard' && first.includes('*') && first !== '*') return 'domainWildcardPartial';
  if (fault === 'tld' && first === '*') return 'domainWildcardBareSuffix';
  return syntaxErrors[fault];
}

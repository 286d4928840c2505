/**
 * Checks that the DNS of a reserved name leads to this service, and describes the needed change.
 * Invariant: a failed lookup does not make a name wrong.
 */
import { baseOf, type HostPattern } from '../core/names/hostname.ts';
import type { Settings } from '../core/settings.ts';
import { LookupError, type NameLookup } from './resolver.ts';
import { challengeTarget, isCnameTarget } from './targets.ts';

/** More aliases than any resolver follows. */
const maxAliases = 16;

export interface CheckOptions {
  readonly lookup: NameLookup;
  readonly settings: Pick<Settings, 'domain'>;
}

/** A reservation of a name that is not below the shared domain. */
export interface CheckedName {
  readonly id: string;
  readonly domain: HostPattern;
  readonly cname_target: string;
}

/** A record with a wrong value. */
export interface WrongRecord {
  readonly name: string;
  /** Expected target of the alias. */
  readonly expected: string;
  /** Actual targets of the alias, one after another. */
  readonly aliases: readonly string[];
  readonly addresses: readonly string[];
  /** Addresses that are right as well. */
  readonly expectedAddresses: readonly string[];
}

export type NameCheck =
  /** Only an alias identifies the reservation: all reservations have the same addresses. */
  | { readonly state: 'right'; readonly by: 'alias' | 'addresses' }
  | { readonly state: 'wrong'; readonly record: WrongRecord }
  /** Undecided: check again later. */
  | { readonly state: 'unknown'; readonly reason: string };

/**
 * A name is right if its aliases lead to its target. It is also right if all its addresses are addresses of the
 * target, as at the apex of a zone, which has no CNAME. The target of another reservation does not count, because it
 * has the same addresses. A wildcard is right if its `_acme-challenge` leads to its own target. Never rejects.
 */
export async function checkName(options: CheckOptions, checked: CheckedName): Promise<NameCheck> {
  const { id, domain } = checked;
  const challenge = challengeTarget(id, domain, options.settings);
  return challenge === null
    ? checkPlace(options, baseOf(domain), checked.cname_target)
    : checkAlias(options, `_acme-challenge.${baseOf(domain)}`, challenge);
}

/** A name is right if its aliases lead to `expected`, or if all its addresses are addresses of that. Never rejects. */
export function checkPlace(options: CheckOptions, name: string, expected: string): Promise<NameCheck> {
  return decided(placeOf(options, name, expected));
}

/** A name is right if its aliases lead to `expected`. Never rejects. */
export function checkAlias(options: CheckOptions, name: string, expected: string): Promise<NameCheck> {
  return decided(aliasOf(options, name, expected));
}

/** A failed lookup leaves the result undecided. */
async function decided(check: Promise<NameCheck>): Promise<NameCheck> {
  try {
    return await check;
  } catch (error) {
    if (error instanceof LookupError) return { state: 'unknown', reason: error.message };
    throw error;
  }
}

/** Describes a record for its owner: the current and the expected value. */
export function describeWrongRecord({ name, expected, aliases, ...of }: WrongRecord): string {
  const now =
    aliases.length > 0
      ? `the CNAME record of ${name} leads to ${aliases.join(', then to ')}`
      : of.addresses.length > 0
        ? `${name} has no CNAME record but the addresses ${of.addresses.join(', ')}`
        : `${name} has no CNAME record`;
  const instead =
    of.expectedAddresses.length > 0 ? `, or the addresses ${of.expectedAddresses.join(', ')}` : '';
  return `${now}; it should have a CNAME record with the value ${expected}${instead}`;
}

async function aliasOf({ lookup }: CheckOptions, name: string, expected: string): Promise<NameCheck> {
  const aliases = await aliasesOf(lookup, name, expected);
  if (aliases.at(-1) === expected) return { state: 'right', by: 'alias' };
  return { state: 'wrong', record: { name, expected, aliases, addresses: [], expectedAddresses: [] } };
}

async function placeOf(options: CheckOptions, name: string, expected: string): Promise<NameCheck> {
  const check = await aliasOf(options, name, expected);
  if (check.state !== 'wrong') return check;
  const { lookup, settings } = options;
  if (check.record.aliases.some((alias) => isCnameTarget(alias, settings))) return check;
  const [addresses, expectedAddresses] = await Promise.all([
    lookup.addresses(name),
    lookup.addresses(expected),
  ]);
  const isHere = addresses.length > 0 && addresses.every((address) => expectedAddresses.includes(address));
  if (isHere) return { state: 'right', by: 'addresses' };
  return { state: 'wrong', record: { ...check.record, addresses, expectedAddresses } };
}

/** Returns the targets of a name's aliases, one after another, up to `end` if it is among them. */
async function aliasesOf(lookup: NameLookup, name: string, end: string): Promise<readonly string[]> {
  const aliases: string[] = [];
  for (let at = name; at !== end && aliases.length < maxAliases; ) {
    const next = await lookup.canonicalName(at);
    if (next === null || aliases.includes(next)) break;
    aliases.push(next);
    at = next;
  }
  return aliases;
}

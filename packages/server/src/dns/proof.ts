/**
 * Decides from the DNS of a name which account it proves. Pure.
 * Invariant: a failed lookup proves and disproves nothing.
 */
import { createHash } from 'node:crypto';
import { baseOf, type HostPattern } from '../core/names/hostname.ts';
import type { NameCheck } from './name-check.ts';

const tokenShape = /^underpass-domain=([0-9a-f]{32})$/;

/** Returns the name of the TXT record, for a wildcard the one for the names below. */
export function proofName(domain: HostPattern): string {
  return `_underpass.${baseOf(domain)}`;
}

/**
 * Returns the text of the record. It is no secret: it names the account, and only the owner of the name's DNS can
 * publish it.
 */
export function proofText(account: string): string {
  const token = createHash('sha256').update(`domain proof ${account}`).digest('hex').slice(0, 32);
  return `underpass-domain=${token}`;
}

export interface Findings {
  readonly check: NameCheck;
  /** The texts of `proofName`; null after a failed lookup. */
  readonly texts: readonly string[] | null;
}

export type Verdict =
  | { readonly verdict: 'proven'; readonly by: 'alias' | 'addresses' | 'text' }
  /** The name is another account's, of this service or of another one. */
  | { readonly verdict: 'disproven' }
  | { readonly verdict: 'missing' }
  | { readonly verdict: 'unknown' };

/** All reservations have the same addresses, so addresses count only if no text names another account. */
export function judge({ check, texts }: Findings, account: string): Verdict {
  if (texts?.includes(proofText(account)) === true) return { verdict: 'proven', by: 'text' };
  if (check.state === 'right' && check.by === 'alias') return { verdict: 'proven', by: 'alias' };
  if (texts === null || check.state === 'unknown') return { verdict: 'unknown' };
  if (texts.some((text) => tokenShape.test(text))) return { verdict: 'disproven' };
  return check.state === 'right' ? { verdict: 'proven', by: 'addresses' } : { verdict: 'missing' };
}

/** What the DNS of a name proves about the account that reserved it. Pure. Never that a look-up which failed proves or disproves anything. */
import { createHash } from 'node:crypto';
import { baseOf, type HostPattern } from '../core/hostname.ts';
import type { NameCheck } from './name-check.ts';

const tokenShape = /^underpass-domain=([0-9a-f]{32})$/;

/** Where a text may name the account, for a wildcard that of the names below. */
export function proofName(domain: HostPattern): string {
  return `_underpass.${baseOf(domain)}`;
}

/** The text. It is no secret: it says whose the name is, and only who has the name's DNS can say so. */
export function proofText(account: string): string {
  const token = createHash('sha256').update(`domain proof ${account}`).digest('hex').slice(0, 32);
  return `underpass-domain=${token}`;
}

export interface Findings {
  readonly check: NameCheck;
  /** The texts of `proofName`; null: nobody could say. */
  readonly texts: readonly string[] | null;
}

export type Verdict =
  | { readonly verdict: 'proven'; readonly by: 'alias' | 'addresses' | 'text' }
  /** The name is another account's, of this service or of another one. */
  | { readonly verdict: 'disproven' }
  | { readonly verdict: 'missing' }
  | { readonly verdict: 'unknown' };

/** Addresses are those of every reservation, so that they count only where no text says that the name is another account's. */
export function judge({ check, texts }: Findings, account: string): Verdict {
  if (texts?.includes(proofText(account)) === true) return { verdict: 'proven', by: 'text' };
  if (check.state === 'right' && check.by === 'alias') return { verdict: 'proven', by: 'alias' };
  if (texts === null || check.state === 'unknown') return { verdict: 'unknown' };
  if (texts.some((text) => tokenShape.test(text))) return { verdict: 'disproven' };
  return check.state === 'right' ? { verdict: 'proven', by: 'addresses' } : { verdict: 'missing' };
}

/** The key of an SSH certificate authority, from the document that keeps it. */

import { Problem } from '../errors/problem.ts';
import type { ErrorNeeding } from '../errors/values.ts';
import { openSigningKey, type SigningKey } from '../pki/ssh/index.ts';
import type { Reference, RuleContext } from './definition.ts';
import { checkReferences } from './references.ts';

const field = 'ssh_certificate_authority_id';
export const authorityPrefixes = ['sshca'];

/** Returns the context for which the authority's private key is sealed. */
export function sealContext(id: string): string {
  return `ssh_certificate_authority/${id}`;
}

/** An authority cannot be deleted while it has certificates. */
export function authorityReference(unknown: ErrorNeeding<'id'>): Reference {
  return { field, prefixes: authorityPrefixes, wrongPrefix: 'referenceOfWrongKind', unknown, binding: true };
}

export async function openAuthority(
  id: string,
  reference: Reference,
  { store, principal, sealer }: RuleContext,
): Promise<SigningKey> {
  await checkReferences([reference], { [field]: id }, new Set([field]), principal.account, store);
  const document = await store.get(id);
  // Deleted since it was checked.
  if (document?.kind !== 'ssh_certificate_authority')
    throw new Problem(reference.unknown, { id, value: id }, { field: `/${field}` });
  const { private_key_sealed } = document.body;
  return openSigningKey(sealer.open(private_key_sealed, sealContext(id)));
}

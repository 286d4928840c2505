/**
 * Derives the external id by which the owner of a role permits the service.
 * Invariant: each account has its own, so that a role serves only the intended account.
 */
import type { EventTarget } from '../../documents/index.ts';

/** Returns null for a target without a role. */
export function externalIdOf({ settings }: EventTarget, account: string): string | null {
  return 'role_identifier' in settings && settings.role_identifier !== '' ? account : null;
}

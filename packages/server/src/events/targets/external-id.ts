/** What the owner of a role lets the service in by. Never the same for two accounts, so that a role serves the one that it was given to. */
import type { EventTarget } from '../../documents/index.ts';

/** Null for a target that no role is assumed for. */
export function externalIdOf({ settings }: EventTarget, account: string): string | null {
  return 'role_identifier' in settings && settings.role_identifier !== '' ? account : null;
}

/** The place that sessions and logins are sealed for: one module, its resource, and its identity provider. */
import type { LoginKey } from './login-key.ts';

export interface Place {
  readonly module: 'oauth' | 'oidc' | 'saml';
  /** Whose it is, over restarts and on every daemon. */
  readonly at: string;
  /** Start of the module's current configuration. */
  readonly generation: string;
  /** Who vouches, and for whom: what of its configuration a session must not outlive. */
  readonly issuedBy: readonly string[];
}

export function placeOf(key: LoginKey, { module, at, generation, issuedBy }: Place): string {
  return key.secretOf('place', JSON.stringify([module, at, generation, ...issuedBy]));
}

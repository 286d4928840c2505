/** The place that sessions and logins are sealed for: one module, its resource, and its identity provider. */
import type { LoginKey } from './login-key.ts';

export interface Place {
  readonly module: 'oauth' | 'oidc' | 'saml';
  /** Identifier over restarts and on every daemon. */
  readonly at: string;
  /** Start of the module's current configuration. */
  readonly generation: string;
  /** Issuer and audience: parts of the configuration that a session must not outlive. */
  readonly issuedBy: readonly string[];
}

export function placeOf(key: LoginKey, { module, at, generation, issuedBy }: Place): string {
  return key.secretOf('place', JSON.stringify([module, at, generation, ...issuedBy]));
}

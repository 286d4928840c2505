/** Keys by which a provider ends sessions: the provider's name of the user, and the provider's own session. */
import type { ServiceProvider } from './service-provider.ts';
import type { NameId } from './user.ts';

/** A session as the provider identifies it. */
export interface ProviderSession {
  readonly name: NameId;
  /** '' if the provider sent none. */
  readonly sessionIndex: string;
}

/** `sessionIndex`: '' for all sessions of the user. */
export function handleOf({ login, place }: ServiceProvider, name: string, sessionIndex: string): string {
  return login.key.secretOf('saml session', JSON.stringify([place, name, sessionIndex])).slice(0, 22);
}

export function handlesOf(provider: ServiceProvider, name: NameId, sessionIndex: string): readonly string[] {
  const indices = sessionIndex === '' ? [''] : ['', sessionIndex];
  return indices.map((index) => handleOf(provider, name.value, index));
}

/** Returns the form that a session stores. */
export function tokenOf(session: ProviderSession): string {
  return JSON.stringify(session);
}

/** Null: the session had no room for it. */
export function providerSessionIn(token: string): ProviderSession | null {
  // It comes out of a sealed cookie, so that it is what was put in.
  return token === '' ? null : (JSON.parse(token) as ProviderSession);
}

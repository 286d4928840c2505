/**
 * Single logout (saml-profiles-2.0-os, section 4.4): requests to the provider for logouts here, and effects of
 * logouts there.
 * Invariant: only a request with the provider's key ends sessions.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Element } from '@xmldom/xmldom';
import { LoginFault } from '../login/login-fault.ts';
import { logoutPath } from '../login/paths.ts';
import { latestEnd } from '../login/session.ts';
import { handleOf, type ProviderSession } from './handles.ts';
import { readLogout } from './logout-request.ts';
import { type Envelope, logoutRequest, logoutResponse } from './requests.ts';
import { type Outgoing, redirectUrl } from './sending.ts';
import type { ServiceProvider } from './service-provider.ts';

/** Time for the provider to take a request, in milliseconds. */
const requestMs = 5 * 60_000;
/** Sessions that one request ends by themselves, each by a record that all daemons keep; beyond, it ends all of the user. */
const mostNamed = 8;
const leavingPurpose = 'saml leaving/1';
const returnPurpose = 'saml return/1';

/** A user who logs out. */
interface Leaving {
  readonly session: ProviderSession;
  /** Name whose session was ended. */
  readonly host: string;
}

/** A logout on the way to the page with the form. */
interface SentToPage extends Leaving {
  /** Milliseconds since 1970. */
  readonly sentAt: number;
}

/** Returns the URL for a user who has logged out at `host`; null if the provider has no logout service. */
export function leavingUrl(provider: ServiceProvider, session: ProviderSession, host: string): string | null {
  const { login, place, signingKey, urls } = provider;
  const message = leavingMessage(provider, { session, host });
  if (message === null) return null;
  if (message.binding === 'redirect') return redirectUrl(message, signingKey);
  const pages = login.key.sealedFor<SentToPage>(leavingPurpose);
  return `${urls.entity}/logout?session=${pages.seal({ session, host, sentAt: login.now() }, place)}`;
}

/** Returns the message for that page; null if no page of the module led there lately. */
export function messageOnPage(provider: ServiceProvider, sealed: string): Outgoing | null {
  const { login, place } = provider;
  const leaving = login.key.sealedFor<SentToPage>(leavingPurpose).open(sealed, place);
  if (leaving === null || login.now() >= leaving.sentAt + requestMs) return null;
  return leavingMessage(provider, leaving);
}

function leavingMessage(provider: ServiceProvider, { session, host }: Leaving): Outgoing | null {
  const service = provider.serviceOf('logout');
  if (service === undefined) return null;
  const { binding, location } = service;
  const until = provider.login.now() + requestMs;
  const xml = logoutRequest(envelope(provider, location), { session, until });
  const relayState = provider.login.key.sealedFor<string>(returnPurpose).seal(host, provider.place);
  return { kind: 'SAMLRequest', xml, relayState, binding, location };
}

/** Returns the page for a user after the logout at the provider; null if it was not requested here. */
export function returnUrl({ login, place }: ServiceProvider, relayState: string): string | null {
  const host = login.key.sealedFor<string>(returnPurpose).open(relayState, place);
  return host === null ? null : `https://${host}${logoutPath}`;
}

/**
 * Ends the sessions of a verified request, on every daemon. Returns the response for the provider; null if it expects
 * none. Rejects with LoginFault.
 */
export async function leftAtProvider(
  provider: ServiceProvider,
  request: Element,
  relayState: string,
): Promise<Outgoing | null> {
  const { login, urls, metadata, place, config } = provider;
  const now = login.now();
  const terms = { issuer: metadata.entityId, destination: urls.logout, now };
  const { id, name, sessionIndices, usableUntil } = readLogout(request, terms);
  const digest = createHash('sha256').update(id).digest('base64url');
  if (!(await login.records.use(`saml ${place} ${digest}`, usableUntil)))
    throw new LoginFault('loginUsed', 'replay', 'the request was used before');
  const named = new Set(sessionIndices);
  const indices = named.size === 0 || named.size > mostNamed ? [''] : named;
  for (const index of indices)
    await login.records.end(handleOf(provider, name, index), latestEnd(now, config));
  const service = provider.serviceOf('logout');
  if (service === undefined) return null;
  const { binding, answers: location } = service;
  const xml = logoutResponse(envelope(provider, location), id);
  return { kind: 'SAMLResponse', xml, relayState, binding, location };
}

function envelope({ urls, login }: ServiceProvider, destination: string): Envelope {
  const id = `_${randomBytes(20).toString('hex')}`;
  return { id, issuer: urls.entity, destination, now: login.now() };
}

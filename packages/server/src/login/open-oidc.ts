/** Loaded with the first login by OpenID Connect, because its library takes memory that other daemons save. */
import type { CustomFetch } from 'openid-client';
import { BRIEF_REST_MS, OutboundAgent, type OutboundOptions } from '../outbound/agent.ts';
import { outboundFetch } from '../outbound/fetch.ts';
import { OidcClient, type OidcSettings } from './oidc-client.ts';

/** `now`: in milliseconds. */
export function openOidc(
  settings: OidcSettings,
  outbound: Pick<OutboundOptions, 'account' | 'allowPrivate'>,
  now: () => number,
): OidcClient {
  const agent = new OutboundAgent({ ...outbound, restMs: BRIEF_REST_MS });
  return new OidcClient(settings, oidcFetch(agent), now);
}

/** Sends the library's requests through `agent`. */
export function oidcFetch(agent: OutboundAgent): CustomFetch {
  return (url, { method, headers, body }) => outboundFetch(agent, url, { method, headers, ...bodyOf(body) });
}

/** The library sends forms. */
function bodyOf(body: unknown): { readonly body?: string } {
  if (body === undefined || body === null) return {};
  if (typeof body === 'string' || body instanceof URLSearchParams) return { body: String(body) };
  throw new Error('what is sent to providers is text');
}

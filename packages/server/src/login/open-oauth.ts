/** Loaded with the first login by OAuth, as open-oidc.ts is. */

import type { Cidr } from '../core/cidr.ts';
import type { OauthProvider } from '../core/oauth-providers.ts';
import { BRIEF_REST_MS, OutboundAgent } from '../outbound/agent.ts';
import { OauthClient, type OauthSettings } from './oauth-client.ts';
import { oauthEndpoints } from './oauth-endpoints.ts';

/** `allowPrivate`: special ranges that the operator opened. */
export function openOauth(
  provider: OauthProvider,
  settings: Omit<OauthSettings, 'endpoints'>,
  allowPrivate: readonly Cidr[],
): OauthClient {
  const endpoints = oauthEndpoints[provider];
  return new OauthClient(
    { ...settings, endpoints },
    new OutboundAgent({ allowPrivate, restMs: BRIEF_REST_MS }),
  );
}

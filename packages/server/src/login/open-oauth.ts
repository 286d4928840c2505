/** Loaded with the first login by OAuth, as open-oidc.ts is. */

import type { OauthProvider } from '../core/modules/oauth-providers.ts';
import { BRIEF_REST_MS, OutboundAgent, type OutboundOptions } from '../outbound/agent.ts';
import { OauthClient, type OauthSettings } from './oauth-client.ts';
import { oauthEndpoints } from './oauth-endpoints.ts';

export function openOauth(
  provider: OauthProvider,
  settings: Omit<OauthSettings, 'endpoints'>,
  outbound: Pick<OutboundOptions, 'account' | 'allowPrivate'>,
): OauthClient {
  const endpoints = oauthEndpoints[provider];
  return new OauthClient(
    { ...settings, endpoints },
    new OutboundAgent({ ...outbound, restMs: BRIEF_REST_MS }),
  );
}

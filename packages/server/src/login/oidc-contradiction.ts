/** Compares the issuer of a module with the metadata of its provider. Loaded with the first module that is written: see `open-oidc.ts`. */
import * as oidc from 'openid-client';
import { BRIEF_REST_MS, OutboundAgent, type OutboundOptions } from '../outbound/agent.ts';
import { oidcFetch } from './open-oidc.ts';
import { loginObstacle } from './provider-metadata.ts';

/** Seconds that a write waits for the provider. */
const timeout = 5;

/** Reason why no login by the issuer can succeed: the issuer that its metadata states instead, or an obstacle in them. */
export type Contradiction = { readonly stated: string } | { readonly obstacle: string };

/** Null: the metadata permits a login, or could not be read now. A provider that is away at the moment contradicts nothing. */
export async function contradictionOf(
  issuer: string,
  outbound: Pick<OutboundOptions, 'account' | 'allowPrivate'>,
): Promise<Contradiction | null> {
  const agent = new OutboundAgent({ ...outbound, restMs: BRIEF_REST_MS });
  try {
    const options = { [oidc.customFetch]: oidcFetch(agent), timeout };
    const configuration = await oidc.discovery(new URL(issuer), 'unused', undefined, undefined, options);
    const obstacle = loginObstacle(configuration.serverMetadata());
    return obstacle === null ? null : { obstacle };
  } catch (error) {
    const stated = statedIssuer(error);
    return stated === null ? null : { stated };
  } finally {
    agent.destroy();
  }
}

/** The issuer in metadata that the library refused for it. */
function statedIssuer(error: unknown): string | null {
  if (!(error instanceof oidc.ClientError) || error.code !== 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
    return null;
  const { body } = (error.cause ?? {}) as { readonly body?: { readonly issuer?: unknown } };
  return typeof body?.issuer === 'string' ? body.issuer : null;
}

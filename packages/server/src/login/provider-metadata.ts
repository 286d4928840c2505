/** Judges by the metadata of an OpenID Connect provider (Discovery 1.0, section 3) whether users can ever log in there as this service does it. */
import type { ServerMetadata } from 'openid-client';

/** Endpoints of a login. The library sends nothing to one without TLS. */
const needed = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
const mostShown = 200;

/** The reason why no login can succeed; null: the metadata permits one. */
export function loginObstacle(metadata: ServerMetadata): string | null {
  for (const name of needed) {
    if (metadata[name] === undefined) return `it has no ${name}`;
    if (!isHttps(metadata[name])) return `its ${name} ${shown(metadata[name])} is no https URL`;
  }
  const { userinfo_endpoint: userinfo } = metadata;
  if (userinfo !== undefined && !isHttps(userinfo))
    return `its userinfo_endpoint ${shown(userinfo)} is no https URL`;
  return flowObstacle(metadata) ?? keyObstacle(metadata);
}

function flowObstacle(metadata: ServerMetadata): string | null {
  if (lacks(metadata.response_types_supported, ['code']))
    return 'its response_types_supported has no "code", which the authorization code flow needs';
  if (lacks(metadata.grant_types_supported, ['authorization_code']))
    return 'its grant_types_supported has no "authorization_code"';
  if (lacks(metadata.code_challenge_methods_supported, ['S256']))
    return 'its code_challenge_methods_supported has no "S256"';
  return null;
}

function keyObstacle(metadata: ServerMetadata): string | null {
  if (lacks(metadata.token_endpoint_auth_methods_supported, ['client_secret_basic', 'client_secret_post']))
    return 'its token_endpoint_auth_methods_supported has neither "client_secret_basic" nor "client_secret_post"';
  const { id_token_signing_alg_values_supported: algorithms } = metadata;
  const hasKeyPair = (one: unknown): boolean => typeof one === 'string' && one !== 'none' && !/^HS/.test(one);
  if (Array.isArray(algorithms) && algorithms.length > 0 && !algorithms.some(hasKeyPair))
    return 'its id_token_signing_alg_values_supported has no signature of a key pair';
  return null;
}

/** An absent or empty list states nothing. */
function lacks(list: unknown, wanted: readonly string[]): boolean {
  return Array.isArray(list) && list.length > 0 && !wanted.some((one) => list.includes(one));
}

function isHttps(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && new URL(value).protocol === 'https:';
}

function shown(value: unknown): string {
  return JSON.stringify(String(value).slice(0, mostShown));
}

/** The rules for settings of OpenID Connect clients, from agents and from accounts. */
import { createHash } from 'node:crypto';

/** A scope token of RFC 6749, section 3.3. */
export const scopePattern = '^[!#-\\[\\]-~]{1,255}$';

export function isScope(text: string): boolean {
  return new RegExp(scopePattern).test(text);
}

/** Pattern of the issuers that `isIssuer` accepts. */
export const issuerPattern =
  '^(?:https://[A-Za-z0-9][A-Za-z0-9.-]*(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~/-]*)?)?$';

/** OpenID Connect Core, section 2: `https`, without query and fragment. */
export function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === 'https:' && username === '' && password === '' && !/[?#]/.test(text);
}

/** Hosts of Entra ID, where the first part of the path is the tenant. */
const entraHosts =
  /^(?:.+\.)?(?:microsoftonline\.(?:com|us|cn|de)|windows\.net|microsoft\.com|chinacloudapi\.cn)$/;
/** The tenants of all accounts. The last one is the tenant of all personal accounts. */
const tenantsOfAll: ReadonlySet<string> = new Set([
  ...['common', 'organizations', 'consumers'],
  '9188040d-6c67-4c5b-b112-36a304b66dad',
]);

/**
 * Returns true if an issuer serves every tenant, like `/common/` of Entra ID, or has a template such as `{tenantid}`.
 * Any tenant could claim any address there. On other hosts, the path must be such a name, alone or followed by a
 * version.
 */
export function isSharedIssuer(issuer: string): boolean {
  if (/\{|%7b/i.test(issuer)) return true;
  if (!URL.canParse(issuer)) return false;
  const { hostname, pathname } = new URL(issuer);
  const [tenant = '', ...rest] = decoded(pathname).toLowerCase().split('/').filter(Boolean);
  if (!tenantsOfAll.has(tenant)) return false;
  return entraHosts.test(hostname.replace(/\.$/, '')) || rest.every((part) => /^v\d+(?:\.\d+)?$/.test(part));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Returns the context that the client's secret is sealed for. It names the client, because the resource has no id yet.
 */
export function oidcSecretContext(client: { readonly issuer: string; readonly client_id: string }): string {
  const { issuer, client_id } = client;
  return `oidc/${createHash('sha256')
    .update(JSON.stringify([issuer, client_id]))
    .digest('hex')}`;
}

/** What the settings of a client of OpenID Connect have to be, whoever gives them. */
import { createHash } from 'node:crypto';

/** A scope token of RFC 6749, section 3.3. */
export const scopePattern = '^[!#-\\[\\]-~]{1,255}$';

export function isScope(text: string): boolean {
  return new RegExp(scopePattern).test(text);
}

/** What `isIssuer` takes looks like this. */
export const issuerPattern =
  '^(?:https://[A-Za-z0-9][A-Za-z0-9.-]*(?::[0-9]{1,5})?(?:/[A-Za-z0-9._~/-]*)?)?$';

/** OpenID Connect Core, section 2: `https`, without query and fragment. */
export function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === 'https:' && username === '' && password === '' && !/[?#]/.test(text);
}

/** The place that the client's secret is sealed for: it belongs to its client, and the resource has no id yet. */
export function oidcSecretContext(client: { readonly issuer: string; readonly client_id: string }): string {
  const { issuer, client_id } = client;
  return `oidc/${createHash('sha256')
    .update(JSON.stringify([issuer, client_id]))
    .digest('hex')}`;
}

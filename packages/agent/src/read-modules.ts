/** Reads modules from flags or the config file. */
import { InvalidInput } from './address.ts';
import { readServedCertificates } from './certificate-files.ts';
import { checkAll } from './check-all.ts';
import { checkAddedHeaders, checkRemovedHeaders } from './check-headers.ts';
import { checkIssuer, checkPassword, checkPatterns, checkRanges, checkShare } from './check-modules.ts';
import type { Target } from './folder/folder-target.ts';
import type { HeaderEdits, TunnelModules } from './modules.ts';
import type { TunnelWords } from './tunnel-settings.ts';

const HOST = /^[\w.:[\]-]+$/;

/** `upstream`: null where what is given as one is wrong. Throws InvalidInput, with all that is wrong. */
export function readModules(upstream: Target | null, words: TunnelWords): TunnelModules {
  const { compression, circuitBreaker, basicAuth, websocketTcpConverter, mutualTlsCa } = words;
  const parts = checkAll<TunnelModules[]>([
    () => requestHeadersIn(upstream, words),
    () => responseHeadersIn(words),
    () => (compression === true ? { compression } : {}),
    () => (circuitBreaker === undefined ? {} : { circuitBreaker: share(circuitBreaker) }),
    () => (basicAuth === undefined ? {} : { basicAuth: basicAuth.map(login) }),
    () => cidrsIn(words),
    () => userAgentsIn(words),
    () => (websocketTcpConverter === true ? { websocketTcpConverter } : {}),
    () =>
      mutualTlsCa === undefined
        ? {}
        : {
            mutualTlsCa: mutualTlsCa
              .map((path) => readServedCertificates(path, 'The CA file', 'mutual-tls-ca'))
              .join('\n'),
          },
    () => oauthIn(words),
    () => oidcIn(words),
    () => webhookIn(words),
  ]);
  return Object.assign({}, ...parts);
}

function cidrsIn({ cidrAllow: allow = [], cidrDeny: deny = [] }: TunnelWords): TunnelModules {
  const names = { allow: 'cidr-allow', deny: 'cidr-deny' };
  checkRanges(allow, deny, { names, remedy: '--cidr-allow' });
  return allow.length === 0 ? {} : { cidrs: { allow, deny } };
}

function userAgentsIn({ uaFilterAllow: allow = [], uaFilterDeny: deny = [] }: TunnelWords): TunnelModules {
  checkPatterns(allow, deny, { allow: 'ua-filter-allow', deny: 'ua-filter-deny' });
  return allow.length + deny.length === 0 ? {} : { userAgents: { allow, deny } };
}

function requestHeadersIn(upstream: Target | null, words: TunnelWords): TunnelModules {
  const { hostHeader: host, requestHeaderAdd = [], requestHeaderRemove } = words;
  const [hosts, edits] = checkAll([
    () => hostHeader(upstream, host),
    () => headerEdits('request', requestHeaderAdd, requestHeaderRemove),
  ]);
  const add = [...hosts, ...(edits?.add ?? [])];
  const remove = edits?.remove ?? [];
  return add.length + remove.length === 0 ? {} : { requestHeaders: { add, remove } };
}

function responseHeadersIn({ responseHeaderAdd, responseHeaderRemove }: TunnelWords): TunnelModules {
  const edits = headerEdits('response', responseHeaderAdd, responseHeaderRemove);
  return edits === null ? {} : { responseHeaders: edits };
}

function hostHeader(upstream: Target | null, text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  if (text === 'rewrite') return [`host:${hostOf(upstream)}`];
  if (HOST.test(text)) return [`host:${text}`];
  throw new InvalidInput(
    `"${text}" is no host. Give rewrite, or a host such as app.internal:3000.`,
    'host-header',
  );
}

/** A socket and a folder have no name of their own. */
function hostOf(upstream: Target | null): string {
  return upstream !== null && 'at' in upstream && 'port' in upstream.at
    ? new URL(upstream.text).host
    : 'localhost';
}

function headerEdits(
  of: 'request' | 'response',
  add: readonly string[] = [],
  remove: readonly string[] = [],
): HeaderEdits | null {
  checkAll([
    () => checkAddedHeaders(add, `${of}-header-add`),
    () => checkRemovedHeaders(remove, `${of}-header-remove`),
  ]);
  return add.length + remove.length === 0 ? null : { add, remove };
}

function share(text: string): number {
  return checkShare(text.trim() === '' ? Number.NaN : Number(text), text, 'circuit-breaker');
}

/** The message does not contain the text, which may be a password. */
function login(text: string): { readonly username: string; readonly password: string } {
  const colon = text.indexOf(':');
  if (colon < 1)
    throw new InvalidInput('A login has a name and a password. Give USER:PASSWORD.', 'basic-auth');
  const [username, password] = [text.slice(0, colon), text.slice(colon + 1)];
  checkPassword(username, password, 'basic-auth');
  return { username, password };
}

function oauthIn(words: TunnelWords): Pick<TunnelModules, 'oauth'> {
  const { oauth: provider, oauthClientId: clientId, oauthClientSecret: clientSecret } = words;
  if (provider === undefined) return {};
  if ((clientId === undefined) !== (clientSecret === undefined)) throw halfOfClient('oauth', clientId);
  const client = clientId === undefined || clientSecret === undefined ? {} : { clientId, clientSecret };
  const { oauthAllowEmail: emails = [], oauthAllowDomain: domains = [], oauthScope: scopes = [] } = words;
  return { oauth: { provider, ...client, allow: { emails, domains }, scopes } };
}

function oidcIn(words: TunnelWords): Pick<TunnelModules, 'oidc'> {
  const { oidc: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = words;
  if (issuer === undefined) return {};
  checkIssuer(issuer, 'oidc');
  if (clientId === undefined || clientSecret === undefined) throw halfOfClient('oidc', clientId);
  const { oidcAllowEmail: emails = [], oidcAllowDomain: domains = [], oidcScope: scopes = [] } = words;
  const unverified = words.oidcAllowUnverifiedEmail === true ? { allowUnverifiedEmail: true } : {};
  return { oidc: { issuer, clientId, clientSecret, allow: { emails, domains }, ...unverified, scopes } };
}

function halfOfClient(of: 'oauth' | 'oidc', clientId: string | undefined): InvalidInput {
  const lacking = `${of}-client-${clientId === undefined ? 'id' : 'secret'}`;
  return new InvalidInput(`The login lacks its client. Give --${lacking}, too.`, of);
}

function webhookIn({ verifyWebhook, verifyWebhookSecret }: TunnelWords): Pick<TunnelModules, 'webhook'> {
  if (verifyWebhook === undefined) return {};
  if (verifyWebhookSecret !== undefined)
    return { webhook: { provider: verifyWebhook, secret: verifyWebhookSecret } };
  throw new InvalidInput(
    'The sender signs with a secret. Give --verify-webhook-secret, too.',
    'verify-webhook',
  );
}

/** Reads modules from flags or the config file. */
import { InvalidInput } from './address.ts';
import { checkAll } from './check-all.ts';
import type { Target } from './folder/folder-target.ts';
import type { HeaderEdits, TunnelModules } from './modules.ts';
import { readServedCertificates } from './settings.ts';
import type { TunnelWords } from './tunnel-settings.ts';

const HOST = /^[\w.:[\]-]+$/;

/** `upstream`: null where what is given as one is wrong. Throws InvalidInput, with all that is wrong. */
export function readModules(upstream: Target | null, words: TunnelWords): TunnelModules {
  const { compression, circuitBreaker, basicAuth, websocketTcpConverter, mutualTlsCa } = words;
  const { cidrAllow = [], cidrDeny = [], uaFilterAllow = [], uaFilterDeny = [] } = words;
  const parts = checkAll<TunnelModules[]>([
    () => requestHeadersIn(upstream, words),
    () => responseHeadersIn(words),
    () => (compression === true ? { compression } : {}),
    () => (circuitBreaker === undefined ? {} : { circuitBreaker: share(circuitBreaker) }),
    () => (basicAuth === undefined ? {} : { basicAuth: basicAuth.map(login) }),
    () => (cidrAllow.length + cidrDeny.length === 0 ? {} : { cidrs: { allow: cidrAllow, deny: cidrDeny } }),
    () =>
      uaFilterAllow.length + uaFilterDeny.length === 0
        ? {}
        : { userAgents: { allow: uaFilterAllow, deny: uaFilterDeny } },
    () => (websocketTcpConverter === true ? { websocketTcpConverter } : {}),
    () =>
      mutualTlsCa === undefined
        ? {}
        : {
            mutualTlsCa: mutualTlsCa
              .map((path) => readServedCertificates(path, 'The CA file', null))
              .join('\n'),
          },
    () => oauthIn(words),
    () => oidcIn(words),
    () => webhookIn(words),
  ]);
  return Object.assign({}, ...parts);
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
  // The message does not repeat it: the value may be a secret.
  if (add.some((line) => line.indexOf(':') < 1))
    throw new InvalidInput('A header lacks its name or its value. Give NAME:VALUE.', `${of}-header-add`);
  return add.length + remove.length === 0 ? null : { add, remove };
}

function share(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new InvalidInput(
    `"${text}" is no share of requests. Give a number from 0 to 1, such as 0.5.`,
    'circuit-breaker',
  );
}

/** The message says nothing of a text that may be a password. */
function login(text: string): { readonly username: string; readonly password: string } {
  const colon = text.indexOf(':');
  if (colon > 0) return { username: text.slice(0, colon), password: text.slice(colon + 1) };
  throw new InvalidInput('A login has a name and a password. Give USER:PASSWORD.', 'basic-auth');
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

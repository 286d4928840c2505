/** Reads modules from flags or the config file. */
import { InvalidInput, type Upstream } from './address.ts';
import type { HeaderEdits, TunnelModules } from './modules.ts';

/** As they were written. */
export interface ModuleWords {
  /** `rewrite`: the upstream's own. */
  readonly hostHeader?: string | undefined;
  readonly requestHeaderAdd?: readonly string[] | undefined;
  readonly requestHeaderRemove?: readonly string[] | undefined;
  readonly responseHeaderAdd?: readonly string[] | undefined;
  readonly responseHeaderRemove?: readonly string[] | undefined;
  readonly compression?: boolean | undefined;
  readonly circuitBreaker?: string | undefined;
  readonly basicAuth?: readonly string[] | undefined;
  readonly cidrAllow?: readonly string[] | undefined;
  readonly cidrDeny?: readonly string[] | undefined;
}

const HOST = /^[\w.:[\]-]+$/;

/** Throws InvalidInput. */
export function readModules(upstream: Upstream, words: ModuleWords): TunnelModules {
  const { requestHeaderAdd = [], requestHeaderRemove, responseHeaderAdd, responseHeaderRemove } = words;
  const host = hostHeader(upstream, words.hostHeader);
  const requestHeaders = headerEdits('request', [...host, ...requestHeaderAdd], requestHeaderRemove);
  const responseHeaders = headerEdits('response', responseHeaderAdd, responseHeaderRemove);
  const { compression, circuitBreaker, basicAuth, cidrAllow = [], cidrDeny = [] } = words;
  return {
    ...(requestHeaders === null ? {} : { requestHeaders }),
    ...(responseHeaders === null ? {} : { responseHeaders }),
    ...(compression === true ? { compression } : {}),
    ...(circuitBreaker === undefined ? {} : { circuitBreaker: share(circuitBreaker) }),
    ...(basicAuth === undefined ? {} : { basicAuth: basicAuth.map(login) }),
    ...(cidrAllow.length + cidrDeny.length === 0 ? {} : { cidrs: { allow: cidrAllow, deny: cidrDeny } }),
  };
}

function hostHeader(upstream: Upstream, text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  if (text === 'rewrite')
    return [`host:${'path' in upstream.at ? 'localhost' : new URL(upstream.text).host}`];
  if (HOST.test(text)) return [`host:${text}`];
  throw new InvalidInput(
    `"${text}" is no host. Give rewrite, or a host such as app.internal:3000.`,
    'host-header',
  );
}

function headerEdits(
  of: 'request' | 'response',
  add: readonly string[] = [],
  remove: readonly string[] = [],
): HeaderEdits | null {
  for (const line of add) {
    if (line.indexOf(':') < 1)
      throw new InvalidInput(`The header "${line}" has no value. Give NAME:VALUE.`, `${of}-header-add`);
  }
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

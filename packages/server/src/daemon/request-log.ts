/** Makes the list of requests, and its entries of visitors that were refused before there was a request. */
import { randomBytes } from 'node:crypto';
import { ipOf } from '../core/ip/client-address.ts';
import type { RefusedClient } from '../edge/listeners/front-door.ts';
import { catalogue } from '../errors/catalogue.ts';
import type { Refused } from '../insight/traffic/entry.ts';
import type { BodyStore } from '../insight/traffic/recorded-bodies.ts';
import { RequestLog } from '../insight/traffic/request-log.ts';
import type { LoginFault } from '../login/login-fault.ts';
import type { Foundation } from './foundation.ts';

/** URL of the list. */
export function requestsUri({ config }: Pick<Foundation, 'config'>): string {
  return `${config.settings.baseUrl}/traffic/requests`;
}

export function startRequestLog(
  foundation: Pick<Foundation, 'config' | 'errorPrefix'>,
  bodies: BodyStore,
): RequestLog {
  const { config, errorPrefix } = foundation;
  return new RequestLog({
    ...{
      choice: config.requestLog,
      node: config.settings.nodeName,
      uri: requestsUri(foundation),
      errorPrefix,
      bodies,
    },
    ...{ now: Date.now, uptime: () => performance.now(), random: randomBytes },
  });
}

/** A visitor without a client certificate that the site takes. */
export function refusedClient({ site, clientAddr, hostname, error, why }: ListedClient): Refused {
  return {
    ...{ account: site.account, site: site.id, kind: site.carries },
    ...{
      clientIp: ipOf(clientAddr),
      host: hostname,
      method: '',
      path: '',
      status: 0,
      module: 'mutual_tls',
      error,
      reason: why,
    },
  };
}

interface ListedClient extends Omit<RefusedClient, 'site'> {
  readonly site: Pick<RefusedClient['site'], 'id' | 'account' | 'carries'>;
}

/** A login that was refused at the name of identity providers, for a page that the site serves. */
export function refusedLogin(
  { account, site }: { readonly account: string; readonly site: string },
  { page, client, fault }: RefusedLogin,
): Refused {
  return {
    ...{ account, site, kind: 'http', clientIp: client, host: page.hostname },
    ...{ method: 'POST', path: page.pathname, status: catalogue[fault.code].status, module: 'saml' },
    ...{ error: fault.code, reason: fault.message },
  };
}

interface RefusedLogin {
  readonly page: URL;
  /** Address of the visitor. */
  readonly client: string;
  readonly fault: Pick<LoginFault, 'code' | 'message'>;
}

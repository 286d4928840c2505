/**
 * Shared parts of the login modules: the key of cookies and states, records of all daemons, and names. The protocol
 * with the provider belongs to each module.
 */
import type { Logger } from 'pino';
import type { Cidr } from '../core/ip/cidr.ts';
import type { UserHeaders } from '../core/modules/user-headers.ts';
import type { Profile } from '../core/profile.ts';
import { type SamlUrls, samlUrls } from '../core/saml-settings.ts';
import { idpUrl } from '../core/service-names.ts';
import type { Settings } from '../core/settings.ts';
import type { DocumentStore } from '../documents/index.ts';
import { loadMacKey } from '../pki/mac-key.ts';
import type { Sealer } from '../pki/seal.ts';
import { Flows } from './flows.ts';
import { LoginKey, type Sealed } from './login-key.ts';
import { sharedCallbackPath } from './paths.ts';
import { LoginRecords } from './records.ts';
import type { Session } from './session.ts';

export interface LoginOptions {
  readonly store: DocumentStore;
  readonly sealer: Sealer;
  readonly settings: Pick<
    Settings,
    'userHeaders' | 'allowPrivate' | 'oauthClients' | 'domain' | 'publicPort'
  > & {
    readonly profile: Pick<Profile, 'cookiePrefix'> | null;
  };
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface Login {
  readonly key: LoginKey;
  readonly flows: Flows;
  readonly sessions: Sealed<Session>;
  readonly records: LoginRecords;
  /** Default prefix of cookies. */
  readonly cookiePrefix: string;
  /** Headers with the logged-in user for backends. */
  readonly userHeaders: UserHeaders;
  /** Results of logins at `sharedCallback`, on the way to the visitor's name. */
  readonly answers: Sealed<string>;
  /** Applications of the operator's, and the address to which their visitors come back. */
  readonly oauthClients: Settings['oauthClients'];
  readonly sharedCallback: string;
  /** Returns the URLs of a resource's SAML module, by the resource's id. */
  samlUrls(id: string): SamlUrls;
  /** Special ranges that the operator opened, where providers may be. */
  readonly allowPrivate: readonly Cidr[];
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly now: () => number;
}

/**
 * Browsers accept a cookie with this prefix from its own host only. Another host below the same domain can belong to
 * another account.
 */
const defaultCookiePrefix = '__Host-underpass.';

export async function startLogin(options: LoginOptions): Promise<Login> {
  const { store, sealer, settings, log, now } = options;
  const key = new LoginKey(await loadMacKey({ store, sealer, purpose: 'login' }));
  return {
    key,
    flows: new Flows(key, now),
    answers: key.sealedFor('answer/1'),
    oauthClients: settings.oauthClients,
    sharedCallback: `${idpUrl(settings)}${sharedCallbackPath}`,
    samlUrls: (id) => samlUrls(settings, id),
    sessions: key.sealedFor('session/3'),
    records: await LoginRecords.start({ store, now, uptime: () => performance.now(), log }),
    cookiePrefix: settings.profile?.cookiePrefix || defaultCookiePrefix,
    userHeaders: settings.userHeaders,
    allowPrivate: settings.allowPrivate,
    log,
    now,
  };
}

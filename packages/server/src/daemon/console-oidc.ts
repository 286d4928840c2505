/** Opens the sign-in to the console by OpenID Connect, if the operator has configured it. */
import type { ConsoleSessions } from '../access/console-sessions.ts';
import type { Config } from '../command/config.ts';
import { accountFor, OidcSignIn } from '../console/oidc-sign-in.ts';
import { consoleUrl } from '../core/service-names.ts';
import type { Login } from '../login/login.ts';
import type { Foundation } from './foundation.ts';
import { StartError } from './start-error.ts';

export interface ConsoleOidcNeeds extends Pick<Foundation, 'store' | 'log'> {
  readonly config: Pick<Config, 'consoleOidc'> & { readonly settings: Parameters<typeof consoleUrl>[0] };
}

/** Null: it is off. Rejects with StartError if the account of its users is not clear. */
export async function consoleOidc(
  { config, store, log }: ConsoleOidcNeeds,
  login: Login,
  sessions: Pick<ConsoleSessions, 'end'>,
): Promise<OidcSignIn | null> {
  const { consoleOidc: settings } = config;
  if (settings === null) return null;
  const { account } = settings;
  if ((await accountFor(store, settings)) === null)
    throw new StartError(
      account === null
        ? '--dashboard-oidc: there are several accounts; name the one of its users with --dashboard-oidc-account ("underpassd account list" shows them)'
        : `--dashboard-oidc-account ${account}: there is no such account ("underpassd account list" shows them)`,
    );
  return new OidcSignIn({ store, sessions, login, settings, url: consoleUrl(config.settings), log });
}

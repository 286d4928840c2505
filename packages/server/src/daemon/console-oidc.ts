/** Opens the sign-in to the console by OpenID Connect, if the operator has configured it. */
import type { ConsoleSessions } from '../access/console-sessions.ts';
import type { Config } from '../command/config.ts';
import { ConsoleAccount } from '../console/console-account.ts';
import { OidcSignIn } from '../console/oidc-sign-in.ts';
import { consoleUrl } from '../core/service-names.ts';
import type { Login } from '../login/login.ts';
import type { Foundation } from './foundation.ts';
import { StartError } from './start-error.ts';

export interface ConsoleOidcNeeds extends Pick<Foundation, 'store' | 'log' | 'parts'> {
  readonly config: Pick<Config, 'consoleOidc'> & { readonly settings: Parameters<typeof consoleUrl>[0] };
}

/** Null: it is off. Rejects with StartError if the account of its users is not clear. */
export async function consoleOidc(
  { config, store, log, parts }: ConsoleOidcNeeds,
  login: Login,
  sessions: Pick<ConsoleSessions, 'end'>,
): Promise<OidcSignIn | null> {
  const { consoleOidc: settings } = config;
  if (settings === null) return null;
  const { account: named } = settings;
  const account = await parts.start({
    start: () => ConsoleAccount.start({ store, named, log }),
    stop: (it) => it.stop(),
  });
  if (account.id === null)
    throw new StartError(
      named === null
        ? '--dashboard-oidc: there are several accounts; name the one of its users with --dashboard-oidc-account ("underpassd account list" shows them)'
        : `--dashboard-oidc-account ${named}: there is no such account ("underpassd account list" shows them)`,
    );
  return new OidcSignIn({ store, account, sessions, login, settings, url: consoleUrl(config.settings), log });
}

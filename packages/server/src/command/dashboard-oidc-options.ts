/**
 * The options `--dashboard-oidc…`: the sign-in to the console by OpenID Connect.
 * Invariant: no secret is shown.
 */
import { resolve } from 'node:path';
import { type ConsoleOidcSettings, type GroupRole, userRoles } from '../core/console-oidc.ts';
import { isIssuer, isScope, isSharedIssuer } from '../core/modules/oidc-settings.ts';
import { readNamedFile } from '../system/named-file.ts';
import { ConfigError, type Values } from './options.ts';

const MAIN = 'dashboard-oidc';
const SCOPES = ['profile', 'email'];
const MOST_CHARACTERS = 255;

/** Null: the option is not given. Throws ConfigError. */
export function toConsoleOidc(values: Values): ConsoleOidcSettings | null {
  const one = (flag: string): string | undefined => values.get(flag)?.[0];
  const issuer = one(MAIN);
  if (issuer === undefined) {
    const dependent = [...values.keys()].find((flag) => flag.startsWith(`${MAIN}-`));
    if (dependent === undefined) return null;
    throw new ConfigError(
      `--${dependent}: needs --${MAIN} URL, the issuer of the provider; give both or neither`,
    );
  }
  return {
    issuer: checkedIssuer(issuer),
    clientId: needed(`${MAIN}-client-id`, one(`${MAIN}-client-id`), 'the id of the client at the provider'),
    clientSecret: secretIn(
      needed(
        `${MAIN}-client-secret-file`,
        one(`${MAIN}-client-secret-file`),
        'a file with the secret of the client',
      ),
    ),
    scopes: (values.get(`${MAIN}-scope`) ?? SCOPES).map(checkedScope),
    groupsClaim: needed(`${MAIN}-groups-claim`, one(`${MAIN}-groups-claim`) ?? 'groups', 'a claim'),
    roles: groupRoles(values.get(`${MAIN}-role`) ?? []),
    account: checkedAccount(one(`${MAIN}-account`)),
  };
}

function checkedIssuer(text: string): string {
  if (!isIssuer(text))
    throw new ConfigError(
      `--${MAIN} ${text}: must be the issuer of the provider, an https URL without query, for example https://login.example.com`,
    );
  if (isSharedIssuer(text))
    throw new ConfigError(
      `--${MAIN} ${text}: serves every tenant, who could name any group; give the issuer of your own tenant`,
    );
  return text;
}

function needed(flag: string, text: string | undefined, what: string): string {
  if (text !== undefined && text.trim() !== '' && text.length <= MOST_CHARACTERS) return text;
  throw new ConfigError(
    `--${flag}${text === undefined ? '' : ` ${text.slice(0, MOST_CHARACTERS)}`}: --${MAIN} needs ${what}, of at most ${MOST_CHARACTERS} characters`,
  );
}

/** A relative path is seen from where the program was started. The line end of editors is no part of the secret. */
function secretIn(file: string): string {
  const flag = `--${MAIN}-client-secret-file ${file}`;
  let text: string;
  try {
    text = readNamedFile(resolve(file));
  } catch (error) {
    throw new ConfigError(`${flag}: ${(error as Error).message}`);
  }
  const secret = text.replace(/\r?\n$/, '');
  if (secret !== '' && !/\p{Cc}/u.test(secret)) return secret;
  throw new ConfigError(`${flag}: must have the secret of the client in one line, and nothing else`);
}

function checkedScope(text: string): string {
  if (isScope(text)) return text;
  throw new ConfigError(`--${MAIN}-scope ${text}: must be one scope without spaces, for example groups`);
}

function groupRoles(given: readonly string[]): readonly GroupRole[] {
  const [first] = given;
  if (first === undefined)
    throw new ConfigError(
      `--${MAIN}-role: give at least one ROLE=GROUP, for example admin=operators, because only users with a role can sign in`,
    );
  return given.map((text) => {
    const at = text.indexOf('=');
    const role = userRoles.find((each) => each === text.slice(0, at));
    const group = text.slice(at + 1);
    if (at !== -1 && role !== undefined && group !== '' && group.length <= MOST_CHARACTERS)
      return { role, group };
    throw new ConfigError(
      `--${MAIN}-role ${text}: must be ROLE=GROUP, with one of ${userRoles.join(', ')}, for example admin=operators`,
    );
  });
}

function checkedAccount(text: string | undefined): string | null {
  if (text === undefined || /^ac_\w+$/.test(text)) return text ?? null;
  throw new ConfigError(
    `--${MAIN}-account ${text}: must be the id of an account, which begins with ac_ ("underpassd account list" shows them)`,
  );
}

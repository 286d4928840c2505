/** Makes a link that signs in to the console, for an operator without an API key. */
import { createConsoleLink, LINK_MS, signInUrl } from '../access/console-links.ts';
import { findOwner } from '../access/owners.ts';
import { joiningFile, parseConsoleUrl } from '../core/joining.ts';
import { formatTime } from '../core/time-text.ts';
import type { DocumentStore } from '../documents/index.ts';
import type { JsonObject } from '../store/store.ts';
import { readIfThere } from '../system/files.ts';
import { oldestAdmin } from './admins.ts';
import { OperatorError } from './operator-error.ts';

export interface ConsoleLinkRequest {
  readonly operation: 'console-link';
  /** Null: the only account. */
  readonly account: string | null;
  /** Null: the oldest active admin. */
  readonly user: string | null;
  /** Folder with the facts of the last start. */
  readonly dataDir: string;
}

/** Rejects with OperatorError. */
export async function makeConsoleLink(
  store: DocumentStore,
  { account: given, user, dataDir }: ConsoleLinkRequest,
): Promise<JsonObject> {
  const url = parseConsoleUrl((await readIfThere(joiningFile(dataDir))) ?? '');
  if (url === null)
    throw new OperatorError(
      `the daemon of ${dataDir} has not written the URL of its console: start it once, or name its folder with --data-dir`,
    );
  const account = await accountOf(store, given);
  const owner = user ?? (await oldestAdmin(store, account, 'a user with --user'));
  if ((await findOwner(store, account, owner))?.active !== true)
    throw new OperatorError(
      `--user ${owner}: the account ${account} has no active user of this id (GET /users lists them)`,
    );
  const { token, expiresAt } = await createConsoleLink(store, { account, parent: owner }, Date.now());
  return {
    ...{ url: signInUrl(url, token), account_id: account, user_id: owner },
    expires_at: formatTime(new Date(expiresAt)),
  };
}

/** Formats the response for people. */
export function consoleLinkText({ url, user_id }: JsonObject): string {
  return `${url}\nThe link signs in once, as ${user_id}, within ${LINK_MS / 60_000} minutes. It is a secret.`;
}

async function accountOf(store: DocumentStore, given: string | null): Promise<string> {
  const { documents } = await store.snapshot(['account']);
  const ids = documents.map(({ id }) => id);
  if (given !== null) {
    if (ids.includes(given)) return given;
    throw new OperatorError(`--account ${given}: there is no account ${given} (see underpassd account list)`);
  }
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) return only;
  throw new OperatorError(
    `there are ${ids.length} accounts: name one with --account (see underpassd account list)`,
  );
}

/**
 * The first start: one account, its admin user, an API key, a tunnel credential, and the file that tells the operator. Never
 * that a key of the file is removed or means something else: installers read it.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { connectAddress } from './core/service-names.ts';
import type { Settings } from './core/settings.ts';
import { createFirstAccount, type FirstAccount } from './resources/first-account.ts';
import { ConflictError, type Store } from './store/store.ts';

/**
 * Makes the first account when there is none; answers the path of bootstrap.json when this start wrote it, else null.
 * The file is on disk before the account is: a crash in between never leaves an account that nobody holds a key to.
 */
export async function bootstrap(store: Store, settings: Settings, caFile: string): Promise<string | null> {
  const file = join(settings.dataDir, 'bootstrap.json');
  const draft = `${file}.draft`;
  const { documents } = await store.snapshot(['account']);
  if (documents.length > 0) {
    const made = documents.some(({ id }) => id === accountOf(draft));
    if (made && !existsSync(file)) renameSync(draft, file);
    return null;
  }
  try {
    await createFirstAccount({
      store,
      beforeCommit: (account) => writeDraft(draft, describe(account, settings, caFile)),
    });
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    // Another daemon on this database was faster, and has the keys in its data dir.
    rmSync(draft);
    return null;
  }
  renameSync(draft, file);
  return file;
}

/** The account that a draft is of: an unanswered write may have been done, or another daemon's in its place. */
function accountOf(draft: string): string | null {
  if (!existsSync(draft)) return null;
  return (JSON.parse(readFileSync(draft, 'utf8')) as FirstAccount).account_id;
}

function describe(account: FirstAccount, settings: Settings, caFile: string): string {
  const content = {
    base_url: settings.baseUrl,
    api_key: account.api_key,
    authtoken: account.authtoken,
    account_id: account.account_id,
    user_id: account.user_id,
    ca_file: caFile,
    domain: settings.domain,
    connect_addr: connectAddress(settings),
    ssh_addr: null,
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

function writeDraft(path: string, text: string): void {
  const descriptor = openSync(path, 'w', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  // A new name survives a power cut only when its directory was synced too.
  const directory = openSync(dirname(path), 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/**
 * The first start's account with its admin user, API key and tunnel credential, and <data-dir>/bootstrap.json, which
 * has them for the operator.
 * Invariant: no account exists without a record of its keys. The file's secrets never change, and it names only
 * addresses with a listener. Keys may be added to the file, never removed.
 */
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { connectAddress, sshAddress } from '../core/service-names.ts';
import type { Settings } from '../core/settings.ts';
import type { DocumentStore } from '../documents/index.ts';
import { createFirstAccount, type FirstAccount } from '../resources/first-account.ts';
import { ConflictError } from '../store/store.ts';
import { ensureFile, readIfThere } from '../system/files.ts';

type Place = Pick<Settings, 'dataDir'>;
type Addresses = Pick<Settings, 'dataDir' | 'baseUrl' | 'domain' | 'publicPort' | 'sshListen'>;

/**
 * Makes the first account if there is none. A draft with its secrets is on disk before the account is in the store.
 * Thus a crash in between never leaves an account without a holder of its keys.
 */
export async function ensureFirstAccount(store: DocumentStore, settings: Place): Promise<void> {
  const draft = draftIn(settings);
  const { documents } = await store.snapshot(['account']);
  if (documents.length > 0) {
    const owner = await accountOf(draft);
    if (!documents.some(({ id }) => id === owner)) rmSync(draft, { force: true });
    return;
  }
  try {
    await createFirstAccount({ store, beforeCommit: (account) => writeDraft(draft, account) });
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    // Another daemon on this database was faster, and has the keys in its data dir.
    rmSync(draft);
  }
}

/**
 * Brings the addresses in bootstrap.json up to date, once they are listened on. Answers its path when the file is new, else null.
 * Rejects when it cannot be read or written; what was there is there still.
 */
export async function publishBootstrap(settings: Addresses, caFile: string): Promise<string | null> {
  const [file, draft] = [join(settings.dataDir, 'bootstrap.json'), draftIn(settings)];
  const [published, drafted] = [await readIfThere(file), await readIfThere(draft)];
  const text = published ?? drafted;
  // An operator may have taken the secrets elsewhere.
  if (text === null) return null;
  const mode = published === null ? 0o600 : (await stat(file)).mode & 0o777;
  await ensureFile(file, withAddresses(text, settings, caFile), mode);
  if (drafted !== null) rmSync(draft);
  return published === null ? file : null;
}

function draftIn({ dataDir }: Place): string {
  return join(dataDir, 'bootstrap.json.draft');
}

/** The account that a draft is of: an unanswered write may have been done, or another daemon's in its place. */
async function accountOf(draft: string): Promise<unknown> {
  try {
    return new Map<string, unknown>(Object.entries(toObject((await readIfThere(draft)) ?? '{}'))).get(
      'account_id',
    );
  } catch (error) {
    // Half of one: the write that it was made for was never begun.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function toObject(text: string): object {
  const content: unknown = JSON.parse(text);
  if (typeof content === 'object' && content !== null) return content;
  throw new SyntaxError('it is not a JSON object');
}

function withAddresses(text: string, settings: Addresses, caFile: string): string {
  const addresses = {
    base_url: settings.baseUrl,
    ca_file: caFile,
    domain: settings.domain,
    connect_addr: connectAddress(settings),
    ssh_addr: sshAddress(settings),
  };
  return `${JSON.stringify({ ...toObject(text), ...addresses }, null, 2)}\n`;
}

/** The keys in the order of the file, with addresses that are not known yet. */
function writeDraft(path: string, account: FirstAccount): void {
  const { api_key, authtoken, account_id, user_id } = account;
  const addresses = { ca_file: null, domain: null, connect_addr: null, ssh_addr: null };
  const content = { base_url: null, api_key, authtoken, account_id, user_id, ...addresses };
  const descriptor = openSync(path, 'w', 0o600);
  try {
    writeSync(descriptor, JSON.stringify(content));
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

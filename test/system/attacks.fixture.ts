/**
 * What the attack tests share.
 * In: options of a daemon. Out: a platform with two accounts that know nothing of each other, and raw bytes inside TLS.
 * What may change here: what several attack files need.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { createFirstAccount, type FirstAccount } from '../../packages/server/src/resources/first-account.ts';
import { openSqliteStore } from '../../packages/server/src/store/sqlite/store.ts';
import type { WriteOperation } from '../../packages/server/src/store/store.ts';
import { type Answer, Platform } from '../harness/index.ts';

export interface TwoAccounts {
  readonly platform: Platform;
  readonly other: FirstAccount;
  /** A call of the management API with the key of the other account. */
  asOther(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** The second account is written into the store while no daemon holds it: the API has no way to make one. */
export async function startTwoAccounts(
  options: Parameters<typeof Platform.start>[0] = {},
): Promise<TwoAccounts> {
  const platform = await Platform.start(options);
  const other = await addAccount(platform).catch(async (error: unknown) => {
    await platform.stop();
    throw error;
  });
  return {
    platform,
    other,
    asOther: (method, path, body) =>
      platform.api(method, path, body, { authorization: `Bearer ${other.api_key}` }),
  };
}

async function addAccount(platform: Platform): Promise<FirstAccount> {
  await platform.daemon.stop();
  const store = await openSqliteStore({ path: join(platform.dataDir, 'underpass.db') });
  try {
    return await createFirstAccount({
      store: { write: (build) => store.write((newId) => build(newId).map(withoutClaims)) },
    });
  } finally {
    await store.close();
    await platform.restart();
  }
}

/** A first account claims that it is the only one. */
function withoutClaims(operation: WriteOperation): WriteOperation {
  return operation.op === 'insert' ? { ...operation, names: [] } : operation;
}

/** Sends bytes on a TLS connection of their own; answers all that comes until the other side closes. */
export async function rawHttp(platform: Platform, servername: string, bytes: string): Promise<string> {
  const socket = await platform.client.tls(servername);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  const closed = once(socket, 'close');
  socket.write(Buffer.from(bytes, 'latin1'));
  await closed;
  return text;
}

/** The status codes of the answers in a raw transcript. */
export function statuses(transcript: string): number[] {
  return [...transcript.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
}

/** Reserves the name, given without the shared domain, and makes an edge that answers every request with a text. */
export async function fixedEdge(
  platform: Platform,
  label: string,
  text: string,
  edge: Readonly<Record<string, unknown>> = {},
): Promise<{ edgeId: string; backendId: string; domainId: string }> {
  const name = `${label}.underpass.localhost`;
  const domain = await platform.api('POST', '/reserved_domains', { name });
  const backend = await platform.api('POST', '/backends/http_response', { body: text });
  const made = await platform.api('POST', '/edges/tls', {
    hostports: [`${name}:443`],
    backend: { backend_id: backend.json.id },
    tls_termination: { terminate_at: 'edge' },
    ...edge,
  });
  if (made.status !== 201) throw new Error(made.text);
  return { edgeId: made.json.id, backendId: backend.json.id, domainId: domain.json.id };
}

/** A platform with two accounts that know nothing of each other, and raw bytes inside TLS, for the tests of attacks. */
import type { NewAccount } from '../../packages/server/src/resources/new-account.ts';
import { type Answer, closing, Platform, underpassd } from '../harness/index.ts';

export interface TwoAccounts {
  readonly platform: Platform;
  readonly other: NewAccount;
  /** A call of the management API with the key of the other account. */
  asOther(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** The second account is made by the operator's command, beside the running daemon. */
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

export async function addAccount(platform: Platform, place: readonly string[] = []): Promise<NewAccount> {
  const args = ['--name', 'Other', '--json', '--data-dir', platform.dataDir, ...place];
  const made = await underpassd(['account', 'create', ...args]);
  if (made.code !== 0) throw new Error(made.stderr);
  return made.json as NewAccount;
}

/** Sends bytes on a TLS connection of their own; answers all that comes until the other side closes. */
export async function rawHttp(
  platform: Platform,
  servername: string,
  bytes: string,
  options: { localAddress?: string } = {},
): Promise<string> {
  const socket = await platform.client.tls(servername, options);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  const closed = closing(socket);
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

/** Reserves the name, given without the shared domain, and makes an HTTPS edge all of whose paths go to the backend. */
export async function httpsEdge(platform: Platform, label: string, backendId: string): Promise<string> {
  const name = `${label}.underpass.localhost`;
  await platform.api('POST', '/reserved_domains', { name });
  const edge = await platform.api('POST', '/edges/https', { hostports: [`${name}:443`] });
  if (edge.status !== 201) throw new Error(edge.text);
  const path = `/edges/https/${edge.json.id}`;
  const backend = { backend_id: backendId };
  const route = await platform.api('POST', `${path}/routes`, {
    match_type: 'path_prefix',
    match: '/',
    backend,
  });
  if (route.status !== 201) throw new Error(route.text);
  return path;
}

/**
 * Sends events to the logs ingestion of Azure. Each event is an entry with the fields of its envelope, and the time
 * that Azure's tables require.
 * Invariant: the secret goes only to the authority, and the token only to the destination's URI.
 */
import { Agent as TlsAgent } from 'node:https';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { AzureLogsIngestionSettings } from '../../documents/index.ts';
import { OutboundAgent, type OutboundOptions } from '../../outbound/agent.ts';
import { type Answer, post } from './post.ts';
import { reasonOfAnswer, reasonOfError, waitOf } from './reasons.ts';
import type { OutboxEvent, Outcome, Target } from './target.ts';

export interface AzureOptions extends OutboundOptions {
  readonly settings: AzureLogsIngestionSettings;
  /** The secret of the application. */
  readonly secret: string;
  /** Milliseconds of a monotonic clock. */
  readonly uptime: () => number;
  readonly timeoutMs?: number;
  /** Header fields of each request with events. */
  readonly own?: () => Readonly<Record<string, string>>;
}

/** The authority that issues tokens. The environment variable is that of Azure's own clients, for its other clouds. */
const PUBLIC_AUTHORITY = 'https://login.microsoftonline.com';
const AUTHORITY_VARIABLE = 'AZURE_AUTHORITY_HOST';
const TIMEOUT_MS = 30_000;
/** Milliseconds before the end of a token at which a new one is requested. */
const EARLIER_MS = 300_000;
const MIB = 1_048_576;

const compress = promisify(gzip);

export function openAzureLogsIngestion(options: AzureOptions): Target {
  const { settings } = options;
  const { logs_ingestion_uri, data_collection_rule_id, data_collection_stream_name } = settings;
  const agent = new OutboundAgent(options);
  const login = new Login(options);
  const place = `dataCollectionRules/${encodeURIComponent(data_collection_rule_id)}/streams/${encodeURIComponent(data_collection_stream_name)}`;
  const url = new URL(`${logs_ingestion_uri.replace(/\/+$/, '')}/${place}?api-version=2023-01-01`);
  const { timeoutMs = TIMEOUT_MS, own = () => ({}) } = options;

  async function send(batch: readonly OutboxEvent[], signal: AbortSignal): Promise<Outcome> {
    const token = await login.token(signal);
    if (typeof token !== 'string') return token;
    const body = await compress(`[${batch.map(entryOf).join(',')}]`);
    const headers = {
      ...{ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      Authorization: `Bearer ${token}`,
      ...own(),
    };
    const answer = await post({ url, headers, body, agent, signal, timeoutMs });
    if (answer.status === 401) login.forget();
    return outcomeOf(answer, url.host, token);
  }

  return {
    // A request has at most 1 MiB, compressed or not.
    limits: {
      ...{ batchEvents: 1_000, batchBytes: MIB - 2, eventBytes: 900_000 },
      overheadBytes: Buffer.byteLength(entryOf({ text: '{}', time: Date.now() })) + 1,
      partial: false,
    },
    async send(batch, signal) {
      const outcome = await send(batch, signal).catch(
        (error: unknown): Outcome => ({ result: 'retry', reason: reasonOfError(error, url.host) }),
      );
      return batch.map(() => outcome);
    },
    close() {
      agent.destroy();
      login.close();
    },
  };
}

/** Gets tokens for the application, and reuses each one while it is valid. */
class Login {
  readonly #options: AzureOptions;
  readonly #url: URL;
  readonly #agent: TlsAgent;
  #token: { readonly text: string; readonly until: number } | null = null;

  constructor(options: AzureOptions) {
    const { tenant_id } = options.settings;
    const configured = process.env[AUTHORITY_VARIABLE] ?? '';
    this.#options = options;
    this.#url = new URL(
      `/${encodeURIComponent(tenant_id)}/oauth2/v2.0/token`,
      configured || PUBLIC_AUTHORITY,
    );
    this.#agent = configured === '' ? new OutboundAgent(options) : new TlsAgent({ keepAlive: true });
  }

  /** Returns a token, or an outcome if the authority refuses. Rejects if there is no response. */
  async token(signal: AbortSignal): Promise<string | Outcome> {
    const { settings, secret, uptime, timeoutMs = TIMEOUT_MS } = this.#options;
    if (this.#token !== null && this.#token.until > uptime()) return this.#token.text;
    const form = new URLSearchParams({
      ...{ grant_type: 'client_credentials', client_id: settings.client_id, client_secret: secret },
      scope: scopeOf(settings.logs_ingestion_uri),
    });
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const sent = { url: this.#url, headers, body: Buffer.from(form.toString()), agent: this.#agent };
    const answer = await post({ ...sent, signal, timeoutMs });
    const given = answer.status === 200 ? tokenIn(answer.text) : null;
    if (given === null) {
      const reason = reasonOfAnswer(answer, this.#url.host, secret);
      return { result: 'retry', reason: `the application could not log in: ${reason}` };
    }
    this.#token = { text: given.token, until: uptime() + given.seconds * 1000 - EARLIER_MS };
    return given.token;
  }

  forget(): void {
    this.#token = null;
  }

  close(): void {
    this.#agent.destroy();
  }
}

function tokenIn(text: string): { readonly token: string; readonly seconds: number } | null {
  try {
    const { access_token, expires_in } = JSON.parse(text) as Record<string, unknown>;
    if (typeof access_token !== 'string' || !/^[\x21-\x7e]+$/.test(access_token)) return null;
    return { token: access_token, seconds: Number(expires_in) || 0 };
  } catch {
    return null;
  }
}

/** Returns the scope of the cloud that the URI belongs to. */
function scopeOf(uri: string): string {
  const [, cloud = 'com'] = /\.azure\.(us|cn)(?:[:/]|$)/.exec(uri) ?? [];
  return `https://monitor.azure.${cloud}//.default`;
}

/** Builds an entry. An envelope has at least one field. */
function entryOf({ text, time }: Pick<OutboxEvent, 'text' | 'time'>): string {
  return `{"TimeGenerated":"${new Date(time).toISOString()}",${text.slice(1)}`;
}

/**
 * Returns the outcome of a response. Events wait if access was refused, because the owner can correct it. A refused
 * entry is lost.
 */
function outcomeOf(answer: Answer, host: string, token: string): Outcome {
  const { status } = answer;
  if (status >= 200 && status < 300) return { result: 'taken' };
  const reason = reasonOfAnswer(answer, host, token);
  if (status === 400 || status === 413) return { result: 'refused', reason };
  const afterMs = waitOf(answer);
  return { result: 'retry', reason, ...(afterMs === undefined ? {} : { afterMs }) };
}

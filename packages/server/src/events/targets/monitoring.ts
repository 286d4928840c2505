/**
 * Sends events to the monitoring service as log entries: compressed batches of JSON over its public intake.
 * Invariant: the key goes only to the destination's site, or to the operator's intake.
 */
import { Agent as PlainAgent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { MonitoringSettings } from '../../documents/index.ts';
import { OutboundAgent, type OutboundOptions } from '../../outbound/agent.ts';
import { type Answer, post } from './post.ts';
import { reasonOfAnswer, reasonOfError, waitOf } from './reasons.ts';
import type { OutboxEvent, Outcome, Target } from './target.ts';

export interface MonitoringOptions extends OutboundOptions {
  readonly settings: MonitoringSettings;
  readonly key: string;
  /** The operator's intake in place of the sites, as in the settings. */
  readonly intake: string | null;
  readonly timeoutMs?: number;
  /** Header fields of each request with events. */
  readonly own?: () => Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 30_000;
/** Milliseconds for a check of the key, because a caller of the API waits for it. */
const KEY_TIMEOUT_MS = 5_000;

/** Host names of the service's own sites. */
const sites: Readonly<Record<string, string>> = {
  '': 'datadoghq.com',
  us1: 'datadoghq.com',
  us3: 'us3.datadoghq.com',
  us5: 'us5.datadoghq.com',
  eu1: 'datadoghq.eu',
  ap1: 'ap1.datadoghq.com',
};

const compress = promisify(gzip);

export function openMonitoring(options: MonitoringOptions): Target {
  const { settings, key } = options;
  const intake = new Intake(options);
  const entry = entryWith(settings);
  return {
    limits: {
      // The intake accepts 1,000 entries of 1 MB, and 5 MB of them. An event is JSON inside JSON, which at most doubles
      // it.
      ...{ batchEvents: 1_000, batchBytes: 2_400_000, eventBytes: 480_000 },
      overheadBytes: Buffer.byteLength(entry({ text: '', time: Date.now() })) + 1,
      partial: false,
    },
    async send(batch, signal) {
      let outcome: Outcome;
      try {
        outcome = outcomeOf(await intake.post(batch.map(entry), signal), intake.host, key);
      } catch (error) {
        outcome = { result: 'retry', reason: reasonOfError(error, intake.host) };
      }
      return batch.map(() => outcome);
    },
    close: () => intake.close(),
  };
}

/**
 * Returns true if the service rejects the key, which is tested with an empty batch. Returns false if there is no
 * response.
 */
export async function isKeyRejected(options: MonitoringOptions): Promise<boolean> {
  const intake = new Intake({ timeoutMs: KEY_TIMEOUT_MS, ...options });
  try {
    const { status } = await intake.post([], new AbortController().signal);
    return status === 401 || status === 403;
  } catch {
    return false;
  } finally {
    intake.close();
  }
}

class Intake {
  readonly #url: URL;
  readonly #agent: PlainAgent;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeoutMs: number;
  readonly #own: () => Readonly<Record<string, string>>;

  constructor(options: MonitoringOptions) {
    const { settings, key, intake, timeoutMs = TIMEOUT_MS, own = () => ({}) } = options;
    this.#url = new URL(`${intake ?? intakeOf(settings.site)}/api/v2/logs`);
    this.#agent = intake === null ? new OutboundAgent(options) : agentOfOperator(this.#url);
    this.#headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip', 'DD-API-KEY': key };
    this.#timeoutMs = timeoutMs;
    this.#own = own;
  }

  get host(): string {
    return this.#url.host;
  }

  async post(entries: readonly string[], signal: AbortSignal): Promise<Answer> {
    const body = await compress(`[${entries.join(',')}]`);
    const headers = { ...this.#headers, ...this.#own() };
    const [url, agent, timeoutMs] = [this.#url, this.#agent, this.#timeoutMs];
    return post({ url, headers, body, agent, signal, timeoutMs });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function agentOfOperator({ protocol }: URL): PlainAgent {
  return protocol === 'https:' ? new TlsAgent({ keepAlive: true }) : new PlainAgent({ keepAlive: true });
}

/** A site may also be given as the intake's host name. */
function intakeOf(site: string): string {
  const host = sites[site] ?? site;
  return host.startsWith('http-intake.') ? `https://${host}` : `https://http-intake.logs.${host}`;
}

function entryWith({ tags, service }: MonitoringSettings) {
  const fixed = {
    ddsource: 'underpass',
    ...(tags === '' ? {} : { ddtags: tags }),
    ...(service === '' ? {} : { service }),
  };
  return ({ text, time }: Pick<OutboxEvent, 'text' | 'time'>): string =>
    JSON.stringify({ ...fixed, timestamp: time, message: text });
}

/**
 * Returns the outcome of a response. Events wait if key or site are wrong, because the owner can correct them. A
 * refused entry is lost.
 */
function outcomeOf(answer: Answer, host: string, key: string): Outcome {
  const { status } = answer;
  if (status >= 200 && status < 300) return { result: 'taken' };
  const reason = reasonOfAnswer(answer, host, key);
  if (status === 401 || status === 403) {
    return { result: 'retry', reason: `the key was not accepted, give api_key anew: ${reason}` };
  }
  if (status === 400 || status === 413 || status === 422) return { result: 'refused', reason };
  if (status >= 300 && status < 400) {
    return { result: 'retry', reason: `${reason} (a redirect, which is not followed)` };
  }
  const afterMs = waitOf(answer);
  return { result: 'retry', reason, ...(afterMs === undefined ? {} : { afterMs }) };
}

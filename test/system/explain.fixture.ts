/** A described request, explained by the API and sent for real by curl. */
import assert from 'node:assert/strict';
import { curl, type Identity, type Platform } from '../harness/index.ts';

export interface Described {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Address of the client on the loopback. */
  readonly from?: string;
  readonly certificate?: Identity;
}

export interface ExplainedStep {
  readonly step: string;
  readonly outcome: string;
  readonly resource: string;
  readonly error_code: string;
  readonly why: string;
}

export interface Explained {
  readonly outcome: string;
  readonly status_code: number;
  readonly error_code: string;
  readonly steps: readonly ExplainedStep[];
}

/** The result for a visitor. `status`: 0 for a connection without an HTTP response. */
export interface Seen {
  readonly status: number;
  readonly code: string;
  /** True if the response came from the upstream. */
  readonly isOfUpstream: boolean;
}

/** Header field of responses of the upstream. */
export const MARK = 'x-upstream';
const CURL_FIELDS = ['user-agent', 'accept'];

export function bodyOf({ url, method, headers, from = '127.0.0.1', certificate }: Described): object {
  return {
    ...{ url, client_ip: from },
    ...(method === undefined ? {} : { method }),
    ...(headers === undefined ? {} : { headers }),
    ...(certificate === undefined ? {} : { client_certificate: certificate.pem }),
  };
}

export async function explained(platform: Platform, described: Described): Promise<Explained> {
  const { status, json, text } = await platform.api('POST', '/explain', bodyOf(described));
  assert.equal(status, 200, text);
  return json;
}

export async function seen(platform: Platform, described: Described): Promise<Seen> {
  const { url, method = 'GET', headers = {}, from = '127.0.0.1', certificate } = described;
  const given = Object.entries(headers);
  const absent = CURL_FIELDS.filter((name) => given.every(([one]) => one.toLowerCase() !== name));
  const fields = [...given.map(([name, value]) => `${name}: ${value}`), ...absent.map((name) => `${name}:`)];
  const shown =
    certificate === undefined ? [] : ['--cert', certificate.pemFile, '--key', certificate.keyFile];
  const { host, hostname } = new URL(url);
  const port = host.slice(hostname.length + 1);
  const { stdout } = await curl(platform, [
    ...['--http1.1', '--path-as-is', '--interface', from, '-X', method],
    ...(method === 'HEAD' ? ['--head'] : []),
    ...['--resolve', `${hostname}:${port}:127.0.0.1`],
    ...fields.flatMap((field) => ['-H', field]),
    ...shown,
    ...['-o', '/dev/null', '-w', `%{http_code} [%header{underpass-error-code}] [%header{${MARK}}]`],
    url,
  ]);
  const [, status = '', code = '', mark = ''] = /^(\d+) \[(.*)\] \[(.*)\]$/.exec(stdout.trim()) ?? [];
  return { status: Number(status), code, isOfUpstream: mark !== '' };
}

/** Holds an explanation against the real response. */
export async function assertTrue(platform: Platform, described: Described): Promise<Explained> {
  const explanation = await explained(platform, described);
  const real = await seen(platform, described);
  const words = `${JSON.stringify(described)}\n${JSON.stringify(explanation, null, 1)}\n${JSON.stringify(real)}`;
  const { outcome, status_code: status, error_code: code, steps } = explanation;
  if (outcome === 'served' && status === 0) assert.ok(real.isOfUpstream, words);
  else {
    assert.ok(!real.isOfUpstream, words);
    assert.equal(status, real.status, words);
    // The API states its code in the body.
    const isApi = described.url.startsWith('http://api.');
    if (real.status > 0 && !isApi) assert.equal(code, real.code, words);
  }
  const at = steps.findIndex((step) => step.outcome === 'refused' || step.outcome === 'answered');
  assert.equal(at === -1, outcome === 'served', words);
  const later = at === -1 ? [] : steps.slice(at + 1);
  assert.ok(
    later.every((step) => step.outcome === 'not_reached'),
    words,
  );
  assert.ok(
    steps.every(({ why }) => why.endsWith('.')),
    words,
  );
  return explanation;
}

/** Writes exchanges as HAR 1.2, the format in which browsers save their requests. */
import { agentVersion } from '../version.ts';
import type { Exchange } from './exchange.ts';
import { type Head, headerOf, readHead } from './head.ts';
import { decodedBody, detailsOf } from './views.ts';

/** Writes in pieces, so that the file is never in memory as a whole. `baseOf`: as in `detailsOf`. */
export async function* writeHar(
  exchanges: readonly Exchange[],
  baseOf: (exchange: Exchange) => string | null,
): AsyncGenerator<string> {
  const creator = { name: 'underpass', version: agentVersion };
  yield `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[`;
  let isFirst = true;
  for (const exchange of exchanges) {
    // Nothing of it came here that another program could use.
    if (exchange.origin.refusal !== undefined) continue;
    const entry = JSON.stringify(await entryOf(exchange, baseOf(exchange)));
    // It was evicted meanwhile, with its contents.
    if (!exchange.isKept) continue;
    yield isFirst ? entry : `,\n${entry}`;
    isFirst = false;
  }
  yield ']}}\n';
}

async function entryOf(exchange: Exchange, base: string | null): Promise<object> {
  const { url, startedAt, timing, durationMs } = detailsOf(exchange, base);
  const sent = timing.sentMs ?? 0;
  const answered = timing.answeredMs ?? sent;
  const ended = durationMs ?? answered;
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: ended,
    request: await requestOf(exchange, url ?? exchange.origin.target),
    response: await responseOf(exchange),
    cache: {},
    timings: { send: sent, wait: Math.max(0, answered - sent), receive: Math.max(0, ended - answered) },
  };
}

/** Marks a message with only the beginning of its body. In HAR, names outside the format begin with an underscore. */
const CUT = { _isCut: true };

async function requestOf(exchange: Exchange, url: string): Promise<object> {
  const head = readHead(exchange.requestLines);
  const { bytes, isCut } = await decodedBody(exchange, 'request');
  const { text, encoding } = textOf(bytes);
  const mimeType = headerOf(head, 'content-type') ?? '';
  return {
    ...common(head, exchange.requestLines, exchange.request.size),
    ...(isCut || !exchange.hasWholeRequest ? CUT : {}),
    method: exchange.origin.method,
    url,
    queryString: Array.from(URL.parse(url)?.searchParams ?? [], ([name, value]) => ({ name, value })),
    ...(bytes.length === 0 ? {} : { postData: { mimeType, text, ...encoding } }),
  };
}

async function responseOf(exchange: Exchange): Promise<object> {
  const head = readHead(exchange.responseLines);
  const { bytes, isCut } = await decodedBody(exchange, 'response');
  const { text, encoding } = textOf(bytes);
  const mimeType = headerOf(head, 'content-type') ?? '';
  return {
    ...common(head, exchange.responseLines, exchange.response.size),
    ...(isCut ? CUT : {}),
    // 0: there was none.
    status: exchange.status ?? 0,
    statusText: head.reason,
    content: { size: bytes.length, mimeType, text, ...encoding },
    redirectURL: headerOf(head, 'location') ?? '',
  };
}

function common({ version, headers }: Head, lines: string, bodySize: number): object {
  return {
    httpVersion: version,
    cookies: [],
    headers: headers.map(([name, value]) => ({ name, value })),
    headersSize: lines.length,
    bodySize,
  };
}

/** Returns a body as text, or in Base64 if it is no UTF-8. */
function textOf(bytes: Buffer): {
  readonly text: string;
  readonly encoding: { readonly encoding?: 'base64' };
} {
  const text = bytes.toString('utf8');
  if (Buffer.from(text).equals(bytes)) return { text, encoding: {} };
  return { text: bytes.toString('base64'), encoding: { encoding: 'base64' } };
}

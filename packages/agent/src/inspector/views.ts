/** Exchanges as the API shows them. */
import { type GrpcStatus, grpcStatusIn } from '../grpc.ts';
import { fieldsIn, grpcResult, isGrpc } from '../grpc-watch.ts';
import type {
  BodySummary,
  ExchangeDetails,
  ExchangeSummary,
  MessagesView,
  MessageView,
} from './api-types.ts';
import { type Decoded, decodeBody, inflateMessages } from './decode.ts';
import type { Exchange } from './exchange.ts';
import { type Head, headerOf, legible, readHead } from './head.ts';
import type { KeptBody } from './kept-body.ts';
import { DECODED_MAX } from './limits.ts';
import type { KeptMessage, KeptMessages } from './messages.ts';

export function summaryOf(exchange: Exchange): ExchangeSummary {
  const { id, status, outcome } = exchange;
  const { tunnel, method, target, startedAt, replayOf } = exchange.origin;
  return {
    ...{ id, tunnel, method, path: legible(target), status, grpc: grpcOf(exchange), outcome },
    ...{ startedAt, durationMs: exchange.endedMs, replayOf },
    requestSize: exchange.request.size,
    responseSize: exchange.response.size,
    contentType: mediaType(readHead(exchange.responseLines)),
    messages: exchange.messages?.count ?? null,
    refusal: exchange.origin.refusal ?? null,
  };
}

function grpcOf({ status, outcome, requestLines, responseLines }: Exchange): GrpcStatus | null {
  const isCalled = isGrpc(fieldsIn(requestLines));
  const fields = fieldsIn(responseLines);
  if (status === null || (outcome === 'open' && grpcStatusIn(fields) === null)) return null;
  return grpcResult({ status, fields, isCalled });
}

/** `base`: the URL of its tunnel, without a path; null unknown. */
export function detailsOf(exchange: Exchange, base: string | null): ExchangeDetails {
  const { version, headers } = readHead(exchange.requestLines);
  const { sentMs, answeredMs, endedMs } = exchange;
  return {
    ...summaryOf(exchange),
    url: urlOf(exchange, headers, base),
    client: exchange.origin.client,
    fault: exchange.fault,
    timing: { sentMs, answeredMs, endedMs },
    request: { version, headers, body: bodySummary(exchange.request, { headers }) },
    response: responseOf(exchange),
  };
}

function responseOf({ responseLines, response }: Exchange): ExchangeDetails['response'] {
  if (responseLines === '') return null;
  const { version, reason, headers } = readHead(responseLines);
  return { version, reason, headers, body: bodySummary(response, { headers }) };
}

/**
 * The URL under which visitors reach the exchange. If the tunnel has several names, the service reports the requested
 * one.
 */
function urlOf({ origin }: Exchange, headers: Head['headers'], base: string | null): string | null {
  const said = (name: string) => headerOf({ headers }, name);
  const host = said('x-forwarded-host') ?? said('host');
  // A file that was read may contain any scheme, but this one becomes a link, and a word of a command.
  const scheme = origin.scheme ?? (said('x-forwarded-proto') === 'https' ? 'https' : 'http');
  const asked = host === null ? null : `${scheme}://${host}`;
  const from = base === null || base.includes('*') ? asked : base;
  return from === null ? null : from.replace(/\/$/, '') + legible(origin.target);
}

function bodySummary(body: KeptBody, head: Pick<Head, 'headers'>): BodySummary {
  return {
    size: body.size,
    isCut: body.isCut,
    encoding: headerOf(head, 'content-encoding') ?? '',
    contentType: headerOf(head, 'content-type') ?? '',
  };
}

function mediaType(head: Pick<Head, 'headers'>): string {
  return headerOf(head, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}

export type Side = 'request' | 'response';

/** A body as it is read by people. */
export function decodedBody(exchange: Exchange, side: Side): Promise<Decoded> {
  const lines = side === 'request' ? exchange.requestLines : exchange.responseLines;
  return decodeBody(exchange[side], headerOf(readHead(lines), 'content-encoding'), DECODED_MAX);
}

export function messagesOf(exchange: Exchange): MessagesView {
  const { messages } = exchange;
  if (messages === null) return { count: 0, messages: [] };
  const payloads = payloadsOf(exchange);
  return {
    count: messages.count,
    messages: messages.kept.map((message) => messageView(message, payloads.get(message) ?? null)),
  };
}

function messageView(message: KeptMessage, payload: Buffer | null): MessageView {
  const kind = KINDS.get(message.opcode) ?? 'other';
  return {
    ...{ direction: message.direction, atMs: message.atMs, kind },
    size: message.payload.size,
    isCut: message.payload.isCut,
    text: payload === null ? null : textOf(kind, payload),
  };
}

function textOf(kind: MessageView['kind'], payload: Buffer): string {
  if (kind === 'text') return payload.toString('utf8');
  if (kind === 'close' && payload.length >= 2)
    return `${payload.readUInt16BE(0)} ${payload.toString('utf8', 2)}`.trim();
  return payload.toString('hex');
}

const KINDS: ReadonlyMap<number, MessageView['kind']> = new Map([
  [1, 'text'],
  [2, 'binary'],
  [8, 'close'],
  [9, 'ping'],
  [10, 'pong'],
] as const);

/** The payloads that can be read, by their messages; of compressed ones so much as a body may have. */
export function payloadsOf({ messages, responseLines }: Exchange): ReadonlyMap<KeptMessage, Buffer> {
  if (messages === null) return new Map();
  const extension = headerOf(readHead(responseLines), 'sec-websocket-extensions') ?? '';
  const plain = messages.kept.filter(({ isCompressed }) => !isCompressed);
  const payloads = new Map(plain.map((message) => [message, message.payload.bytes]));
  let left = DECODED_MAX;
  for (const direction of ['sent', 'received'] as const) {
    const compressed = messages.kept.filter((it) => it.isCompressed && it.direction === direction);
    const owner = direction === 'sent' ? 'client' : 'server';
    for (const run of sharingWindow(
      compressed,
      messages,
      extension.includes(`${owner}_no_context_takeover`),
    )) {
      const inflated = inflateMessages(
        run.map(({ payload }) => payload.bytes),
        left,
      );
      for (const [index, message] of run.entries()) {
        const payload = inflated[index];
        if (payload === null || payload === undefined) continue;
        payloads.set(message, payload);
        left -= payload.length;
      }
    }
  }
  return payloads;
}

/** Runs of messages of which each points back into those before it; none when the first ones are gone. */
function sharingWindow(
  compressed: readonly KeptMessage[],
  { count, kept }: KeptMessages,
  isEachAlone: boolean,
): readonly (readonly KeptMessage[])[] {
  if (isEachAlone) return compressed.map((message) => [message]);
  if (kept.length < count) return [];
  const firstCut = compressed.findIndex(({ payload }) => payload.isCut);
  return [firstCut < 0 ? compressed : compressed.slice(0, firstCut)];
}

/**
 * The routes of the inspector's API, by method and path.
 * Invariant: no route runs for a caller that guard.ts refused.
 */
import { InvalidInput } from '../address.ts';
import { curlCommand } from './curl.ts';
import type { Exchange } from './exchange.ts';
import { grpcMessagesOf } from './grpc-messages.ts';
import { importHar } from './har-in.ts';
import { writeHar } from './har-out.ts';
import type { Inspector } from './inspector.ts';
import { readReplay } from './read-replay.ts';
import { search } from './search.ts';
import { decodedBody, detailsOf, messagesOf, type Side, summaryOf } from './views.ts';

export interface Asking {
  readonly method: string;
  readonly url: URL;
  /** Reads the body whole, of so many bytes at most; rejects with TooLarge. */
  readonly body: (max: number) => Promise<string>;
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal;
}

/** Response; an object is JSON. */
export type Answer =
  | { readonly status: number; readonly json: object }
  | { readonly status: number; readonly text: string }
  | { readonly status: number; readonly bytes: Buffer }
  | { readonly status: number; readonly pieces: AsyncIterable<string>; readonly fileName: string };

const MIB = 1_024 * 1_024;
const BODY_MAX = 16 * MIB;
/** Largest HAR file in bytes, with everything that the inspector keeps. */
const HAR_MAX = 64 * MIB;

/** The body of a request is larger than it may be. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

type Route = (inspector: Inspector, asking: Asking, exchange: Exchange) => Answer | Promise<Answer>;

/** Null: there is nothing at this path. Throws InvalidInput. */
export async function answerOf(inspector: Inspector, asking: Asking): Promise<Answer> {
  const parts = /^\/api\/exchanges\/(\d{1,15})(\/[a-z-]+)?$/.exec(asking.url.pathname);
  if (parts === null) return await whole(inspector, asking);
  const exchange = inspector.store.get(Number(parts[1]));
  if (exchange === undefined) return notKept;
  const route = ofExchange[`${asking.method} ${parts[2] ?? ''}`];
  return route === undefined ? nothing : await route(inspector, asking, exchange);
}

async function whole(inspector: Inspector, asking: Asking): Promise<Answer> {
  const { store } = inspector;
  switch (`${asking.method} ${asking.url.pathname}`) {
    case 'GET /api/status':
      return { status: 200, json: inspector.status };
    case 'GET /api/exchanges':
      return { status: 200, json: { exchanges: await found(inspector, asking) } };
    case 'DELETE /api/exchanges':
      store.clear();
      return { status: 200, json: {} };
    case 'GET /api/har':
      return {
        status: 200,
        pieces: writeHar(store.all, (it) => inspector.baseOf(it)),
        fileName: 'requests.har',
      };
    case 'POST /api/har':
      return { status: 201, json: importHar(await asking.body(HAR_MAX), store) };
    default:
      return nothing;
  }
}

async function found({ store }: Inspector, { url, signal }: Asking) {
  const text = url.searchParams.get('search') ?? '';
  const exchanges = text === '' ? store.all : await search(store.all, text, signal);
  return exchanges.map(summaryOf);
}

const ofExchange: Readonly<Record<string, Route | undefined>> = {
  'GET ': (inspector, _, exchange) => ({
    status: 200,
    json: detailsOf(exchange, inspector.baseOf(exchange)),
  }),
  'GET /request-body': (_, asking, exchange) => body(exchange, 'request', asking),
  'GET /response-body': (_, asking, exchange) => body(exchange, 'response', asking),
  'GET /messages': async (_, { url }, exchange) => {
    const direction = url.searchParams.get('direction');
    const isWebSocket = exchange.messages !== null;
    return {
      status: 200,
      json: isWebSocket ? messagesOf(exchange) : await grpcMessagesOf(exchange, direction),
    };
  },
  'GET /curl': (inspector, _, exchange) => {
    if (exchange.origin.refusal !== undefined)
      return error(409, 'Only the line of a refused request is here.');
    const { url } = detailsOf(exchange, inspector.baseOf(exchange));
    const command = url === null ? null : curlCommand(exchange, url, inspector.authorityOf(url));
    if (command === null) return error(409, 'Only the beginning of the body is here.');
    return { status: 200, text: command };
  },
  'POST /replay': async (inspector, asking, exchange) => {
    const edits = readReplay(await asking.body(BODY_MAX));
    if (!exchange.isKept) return notKept;
    const id = await inspector.replay(exchange, edits);
    return { status: 201, json: { id } };
  },
};

/** Decoded, or with `?raw=true` as it went by. */
async function body(exchange: Exchange, side: Side, { url }: Asking): Promise<Answer> {
  if (url.searchParams.get('raw') === 'true') return { status: 200, bytes: exchange[side].bytes };
  return { status: 200, bytes: (await decodedBody(exchange, side)).bytes };
}

export function error(status: number, message: string): Answer {
  return { status, json: { error: message } };
}

const nothing = error(404, 'There is nothing at this path.');
const notKept = error(404, 'This exchange is not kept, or not any more.');

/** The error response for a failed request. */
export function answerTo(failure: unknown): Answer {
  if (failure instanceof InvalidInput) return error(400, failure.message);
  if (failure instanceof TooLarge) return error(413, failure.message);
  throw failure;
}

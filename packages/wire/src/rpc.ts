/**
 * Sends one request and one response on a stream.
 * Invariant: a peer that sends in part or does not read occupies at most a budget of memory.
 */
import { ByteBudget } from './byte-budget.ts';
import { ErrorCode, type StreamType } from './codes.ts';
import { JsonReader } from './json-reader.ts';
import type { MuxStream } from './mux-stream.ts';
import type { MuxSession } from './session.ts';
import { streamError, WireError } from './wire-error.ts';

const MAX_MESSAGE_BYTES = 1024 * 1024;
const CALL_TIMEOUT_MS = 30_000;
/** Openers send their request at once. A slower one would keep memory for ever. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Milliseconds that a peer may take to close its half after an exchange. A stream that it forgets would count for ever. */
const LINGER_MS = 10_000;
const unbounded = new ByteBudget(Number.POSITIVE_INFINITY);

/**
 * The opener's side: writes one JSON value and reads one. Rejects with a WireError on reset, on malformed JSON and
 * after `timeoutMs`.
 */
export function call<T>(
  session: MuxSession,
  type: StreamType,
  request: unknown,
  timeoutMs: number = CALL_TIMEOUT_MS,
): Promise<T> {
  const body = Buffer.from(`${JSON.stringify(request)}\n`);
  return new Promise((resolve, reject) => {
    const reader = new JsonReader(MAX_MESSAGE_BYTES);
    let settled = false;
    let timer: NodeJS.Timeout;
    const fail = (error: WireError): void => {
      settled = true;
      clearTimeout(timer);
      reject(error);
      stream?.reset(ErrorCode.streamCancelled);
    };
    const read = (whole: () => boolean): void => {
      if (settled) return;
      try {
        if (!whole()) return;
      } catch (error) {
        fail(error as WireError);
        return;
      }
      settled = true;
      clearTimeout(timer);
      resolve(reader.value as T);
      stream!.end();
      timer = resetAfter(LINGER_MS, stream!);
    };
    const stream = session.open(
      type,
      {
        data: (chunk) => read(() => reader.push(chunk)),
        end: () =>
          read(() => {
            reader.finish();
            return true;
          }),
        drain: () => {},
        close: (code) => {
          clearTimeout(timer);
          if (!settled) fail(streamError(code));
        },
      },
      body,
    );
    if (stream === null) {
      const code = session.isClosed ? ErrorCode.sessionClosed : ErrorCode.streamsExhausted;
      reject(
        new WireError(
          code,
          `cannot open a stream for the call: ${session.isClosed ? 'the session is closed' : 'too many streams are open'}`,
        ),
      );
      return;
    }
    timer = setTimeout(
      () => fail(new WireError(ErrorCode.streamCancelled, `no answer to the call within ${timeoutMs} ms`)),
      timeoutMs,
    );
    timer.unref();
  });
}

export interface AnswerOptions {
  /** Bytes of the longest request; default 1 MiB. */
  readonly maxBytes?: number;
  /** The budget that counts the request, and an unread response. */
  readonly budget?: ByteBudget;
  /** Returns the response to a request that is evicted before it is whole. Absent: the stream is reset. */
  readonly gaveWay?: () => unknown;
}

/**
 * The responder's side: reads one JSON value, passes it on with its keys unchanged, writes the response and
 * half-closes. The opener need not half-close. It resets the stream on malformed or oversized JSON (protocol), on a
 * request not whole within 30 s (streamCancelled), and if `respond` throws (internal).
 */
export function answer(
  stream: MuxStream,
  respond: (request: unknown) => Promise<unknown> | unknown,
  { maxBytes = MAX_MESSAGE_BYTES, budget = unbounded, gaveWay }: AnswerOptions = {},
): void {
  let reader: JsonReader | null = new JsonReader(maxBytes);
  let timer = resetAfter(REQUEST_TIMEOUT_MS, stream);
  const share = budget.open(() => {
    if (reader === null || gaveWay === undefined) {
      stream.reset(ErrorCode.enhanceYourCalm);
      return;
    }
    reader = null;
    clearTimeout(timer);
    send(gaveWay());
  });
  const send = (response: unknown): void => {
    if (stream.closed) return;
    const bytes = Buffer.from(`${JSON.stringify(response ?? null)}\n`);
    const hasRoom = stream.write(bytes);
    stream.end();
    if (stream.closed) return;
    timer = resetAfter(LINGER_MS, stream);
    if (!hasRoom) share.keep(bytes.length);
  };
  const fail = (error: unknown): void => {
    process.emitWarning(error instanceof Error ? error : new Error(String(error)));
    stream.reset(ErrorCode.internal);
  };
  const receive = (whole: (reader: JsonReader) => boolean): void => {
    if (reader === null) return;
    const reading = reader;
    try {
      if (!whole(reading)) {
        share.keep(reading.heldBytes);
        return;
      }
    } catch {
      stream.reset(ErrorCode.protocol);
      return;
    }
    reader = null;
    share.keep(0);
    clearTimeout(timer);
    try {
      const response = respond(reading.value);
      if (response instanceof Promise) response.then(send).catch(fail);
      else send(response);
    } catch (error) {
      fail(error);
    }
  };
  stream.handler = {
    data: (chunk) => receive((reading) => reading.push(chunk)),
    end: () =>
      receive((reading) => {
        reading.finish();
        return true;
      }),
    drain: () => share.keep(0),
    close: () => {
      reader = null;
      clearTimeout(timer);
      share.keep(0);
    },
  };
}

/**
 * Returns the field `name` of a JSON object, whatever the case of its letters; undefined if it is absent or the value
 * is no object. The exact spelling wins.
 */
export function field(object: unknown, name: string): unknown {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return undefined;
  if (Object.hasOwn(object, name)) return (object as Record<string, unknown>)[name];
  const wanted = name.toLowerCase();
  for (const [key, value] of Object.entries(object)) if (key.toLowerCase() === wanted) return value;
  return undefined;
}

function resetAfter(ms: number, stream: MuxStream): NodeJS.Timeout {
  const timer = setTimeout(() => stream.reset(ErrorCode.streamCancelled), ms);
  timer.unref();
  return timer;
}

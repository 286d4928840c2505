/**
 * Reads the stream of events of the API, and continues it after each interruption.
 * Guarantees: changes are not missed, or a `reset` or `dropped` event is yielded.
 */
import { ConnectionError } from './errors.ts';
import { EventReader, type RawEvent } from './event-reader.ts';
import type { StreamEvents } from './generated/types.ts';
import type { CallOptions } from './options.ts';
import { queryText } from './query-text.ts';
import { pause, type Transport } from './transport.ts';

/** Name, data and id of each event of the API. */
export type StreamEvent = {
  [Name in keyof StreamEvents]: {
    readonly event: Name;
    readonly data: StreamEvents[Name];
    /** Continues the stream after this event. */
    readonly id: string;
  };
}[keyof StreamEvents];

export interface StreamOptions extends StreamQuery {
  /** The id of the last event of an earlier stream. */
  readonly lastEventId?: string | undefined;
}

export interface StreamQuery {
  /** Default: changes and sessions. */
  readonly topics?: readonly string[] | undefined;
  /** Selects requests of the topic `traffic`, such as `status_code >= 500`. */
  readonly filter?: string | undefined;
}

/** The API sends a comment every 15 s. */
const SILENCE_MS = 45_000;
const RETRY_MS = 1000;

/** Yields events until the signal aborts. Throws what cannot be mended by a reconnect, and the signal's reason. */
export async function* streamEvents(
  transport: Transport,
  { topics, lastEventId = '', ...filters }: StreamOptions,
  options: CallOptions,
): AsyncGenerator<StreamEvent, never, undefined> {
  const path = `/stream${queryText({ topics: topics?.join(','), ...filters })}`;
  let reader = new EventReader(lastEventId);
  let failures = 0;
  for (;;) {
    try {
      for await (const event of connection(transport, path, reader, options)) {
        failures = 0;
        yield event;
      }
    } catch (error) {
      options.signal?.throwIfAborted();
      failures += 1;
      const delayMs = transport.streamDelay(error, failures, reader.retryMs ?? RETRY_MS);
      if (delayMs === null) throw error;
      await pause(delayMs, options.signal);
    }
    reader = new EventReader(reader.lastId);
  }
}

/** Yields the events of one connection. Throws ConnectionError at its end. */
async function* connection(
  transport: Transport,
  path: string,
  reader: EventReader,
  options: CallOptions,
): AsyncGenerator<StreamEvent, void, undefined> {
  const response = await transport.stream(path, reader.lastId, options);
  response.setEncoding('utf8');
  const abort = () => response.destroy();
  options.signal?.addEventListener('abort', abort);
  const silence = setTimeout(abort, SILENCE_MS);
  try {
    for await (const text of response) {
      silence.refresh();
      for (const event of reader.push(String(text))) yield parsed(event);
    }
    throw new ConnectionError('The stream has ended.', 'ENDED', true);
  } catch (error) {
    if (error instanceof ConnectionError) throw error;
    options.signal?.throwIfAborted();
    const cause = error instanceof Error ? error : new Error(String(error));
    throw new ConnectionError(`The stream was interrupted: ${cause.message}`, 'INTERRUPTED', true, cause);
  } finally {
    clearTimeout(silence);
    options.signal?.removeEventListener('abort', abort);
    response.destroy();
  }
}

function parsed({ event, data, id }: RawEvent): StreamEvent {
  return { event, data: JSON.parse(data), id } as StreamEvent;
}

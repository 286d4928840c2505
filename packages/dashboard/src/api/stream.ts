/** Follows `GET /stream` while a session lasts: changes make data old, and pages receive what they subscribed to. */
import { effect, signal } from '@preact/signals';
import { readEvents, type StreamEvent } from '@underpass/ui/event-stream.ts';
import { useEffect } from 'preact/hooks';
import { fetchFor } from './http.ts';
import { session } from './session.ts';

/** `off`: the service has no stream. */
export type Connection = 'connecting' | 'live' | 'off';
export const connection = signal<Connection>('connecting');

type Handler = (event: StreamEvent) => void;

const handlers = new Set<Handler>();
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/** Calls `handle` with each event for as long as the component is drawn. */
export function useEvents(handle: Handler): void {
  useEffect(() => {
    handlers.add(handle);
    return () => {
      handlers.delete(handle);
    };
  }, [handle]);
}

/** Calls `handle` with each event until the returned function is called. */
export function onEvent(handle: Handler): () => void {
  handlers.add(handle);
  return () => {
    handlers.delete(handle);
  };
}

/** Keeps the stream open while a user is signed in. Call it once. */
export function followStream(): void {
  effect(() => {
    if (session.value === null || session.value === 'unknown') return;
    const gone = new AbortController();
    void keepOpen('/stream', gone.signal, {
      became: (state) => {
        connection.value = state === 'away' ? 'connecting' : state;
      },
      receive: (event) => {
        for (const handle of handlers) handle(event);
      },
    });
    return () => gone.abort();
  });
}

interface Follower {
  /** `away`: the next attempt begins after a moment. */
  readonly became: (state: Connection | 'away') => void;
  readonly receive: Handler;
}

/** Connects again until `gone` aborts. */
export async function keepOpen(
  path: string,
  gone: AbortSignal,
  { became, receive }: Follower,
): Promise<void> {
  let lastId = '';
  for (let waitMs = FIRST_WAIT_MS; !gone.aborted; ) {
    became('connecting');
    try {
      const response = await fetchFor({ method: 'GET', path, signal: gone }, 'text/event-stream', lastId);
      if (response.status === 404) {
        became('off');
        return;
      }
      if (response.ok) {
        became('live');
        waitMs = FIRST_WAIT_MS;
        for await (const event of readEvents(response.body)) {
          if (event.id !== '') lastId = event.id;
          receive(event);
        }
      }
    } catch {
      // The daemon restarts, or the network is away.
    }
    if (gone.aborted) return;
    became('away');
    await new Promise((again) => setTimeout(again, waitMs * (0.5 + Math.random() / 2)));
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
  }
}

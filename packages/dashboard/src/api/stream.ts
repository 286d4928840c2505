/** Follows `GET /stream` while a session lasts: changes make data old, and pages receive what they subscribed to. */
import { effect, signal } from '@preact/signals';
import { readEvents, type StreamEvent } from '@underpass/ui/event-stream.ts';
import { useEffect } from 'preact/hooks';
import { fetchFor } from './http.ts';
import { session } from './session.ts';

/** `off`: the service has no stream. */
export const connection = signal<'connecting' | 'live' | 'off'>('connecting');

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
    void keepOpen(gone.signal);
    return () => gone.abort();
  });
}

async function keepOpen(gone: AbortSignal): Promise<void> {
  let lastId = '';
  for (let waitMs = FIRST_WAIT_MS; !gone.aborted; ) {
    connection.value = 'connecting';
    try {
      const response = await fetchFor(
        { method: 'GET', path: '/stream', signal: gone },
        'text/event-stream',
        lastId,
      );
      if (response.status === 404) {
        connection.value = 'off';
        return;
      }
      if (response.ok) {
        connection.value = 'live';
        waitMs = FIRST_WAIT_MS;
        for await (const event of readEvents(response.body)) {
          if (event.id !== '') lastId = event.id;
          for (const handle of handlers) handle(event);
        }
      }
    } catch {
      // The daemon restarts, or the network is away.
    }
    if (gone.aborted) return;
    connection.value = 'connecting';
    await new Promise((again) => setTimeout(again, waitMs * (0.5 + Math.random() / 2)));
    waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
  }
}

/** Sends requests to the inspector's API, with the page's token. */
import { readEvents, type StreamEvent } from '@underpass/ui/event-stream.ts';
import type { HarAnswer, ReplayAnswer, ReplayRequest } from '../api-types.ts';
import { pageToken } from './token.ts';

const headers = { 'X-Inspector-Token': pageToken };

/** An error that the API reported. */
export class Refusal extends Error {}

/** Rejects with Refusal. */
async function call(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(`/api/${path}`, { ...init, headers: { ...headers, ...init.headers } });
  if (response.ok) return response;
  const { error } = (await response.json()) as { error: string };
  throw new Refusal(error);
}

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await (await call(path, signal === undefined ? {} : { signal })).json()) as T;
}

export async function getText(path: string): Promise<string> {
  return await (await call(path)).text();
}

export async function getBytes(path: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await call(path, { signal })).arrayBuffer());
}

export async function getBlob(path: string): Promise<Blob> {
  return await (await call(path)).blob();
}

/** Answers the id of the new exchange. */
export async function replay(id: number, edits: ReplayRequest): Promise<number> {
  const response = await call(`exchanges/${id}/replay`, { method: 'POST', body: JSON.stringify(edits) });
  return ((await response.json()) as ReplayAnswer).id;
}

export async function importHar(file: Blob): Promise<HarAnswer> {
  const response = await call('har', { method: 'POST', body: file });
  return (await response.json()) as HarAnswer;
}

export async function clear(): Promise<void> {
  await call('exchanges', { method: 'DELETE' });
}

/** The events from the one after `lastId` on; ends when the connection does. Null: its token is not, or no more, that of the agent. */
export async function openEvents(lastId: string): Promise<AsyncIterable<StreamEvent> | null> {
  const response = await fetch('/api/events', {
    headers: lastId === '' ? headers : { ...headers, 'Last-Event-ID': lastId },
  });
  if (response.status === 403) return null;
  return readEvents(response.body);
}

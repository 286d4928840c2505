/** A button that saves requests as a HAR file, with the bodies that were recorded. */

import { useSignal } from '@preact/signals';
import type { RecordedBody, TrafficRequest, TrafficRequestDetails } from '@underpass/client';
import { announce } from '@underpass/ui/announce.tsx';
import { attempt } from '@underpass/ui/attempt.ts';
import { ApiError, send } from '../api/http.ts';
import { type BodyContent, contentOf } from './body-content.ts';
import { type HarRecord, toHar } from './har.ts';

/** Requests whose bodies are fetched for one file: each is a request of its own. */
const MOST_BODIES = 100;

export function SaveHar({ rows }: { readonly rows: readonly TrafficRequest[] }) {
  const isRunning = useSignal(false);
  const run = () =>
    attempt(async () => {
      isRunning.value = true;
      try {
        save(JSON.stringify(toHar(await recordsOf(rows)), null, 1));
        announce('Saved requests.har');
      } finally {
        isRunning.value = false;
      }
    });
  const hasRequests = rows.some(({ kind }) => kind === 'http');
  return (
    <button type="button" class="small" disabled={!hasRequests || isRunning.value} onClick={() => void run()}>
      Save as HAR
    </button>
  );
}

async function recordsOf(rows: readonly TrafficRequest[]): Promise<readonly HarRecord[]> {
  const fetched = new Set(
    rows
      .filter((row) => row.has_bodies)
      .slice(0, MOST_BODIES)
      .map(({ id }) => id),
  );
  const records: HarRecord[] = [];
  for (const request of rows)
    records.push({ request, bodies: fetched.has(request.id) ? await bodiesOf(request.id) : null });
  return records;
}

/** Null if they are gone meanwhile. */
async function bodiesOf(id: string): Promise<HarRecord['bodies']> {
  const path = `/traffic/requests/${encodeURIComponent(id)}`;
  try {
    const { data } = await send<TrafficRequestDetails>({ method: 'GET', path });
    if (data.bodies === null) return null;
    return { request: await read(data.bodies.request), response: await read(data.bodies.response) };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

async function read(body: RecordedBody | null): Promise<BodyContent | null> {
  return body === null ? null : await contentOf(body);
}

function save(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'requests.har';
  link.click();
  URL.revokeObjectURL(url);
}

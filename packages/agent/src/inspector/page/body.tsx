/** Fetches a body, and shows it. */

import { useSignal } from '@preact/signals';
import { attempt } from '@underpass/ui/attempt.ts';
import { BodyView } from '@underpass/ui/body-view.tsx';
import { useEffect } from 'preact/hooks';
import type { BodySummary } from '../api-types.ts';
import { getBytes } from './api.ts';

interface BodyParts {
  readonly path: string;
  /** Such as `request body`. */
  readonly what: string;
  readonly summary: BodySummary;
  /** A new version makes the page request the body again. */
  readonly version: number;
}

export function Body({ path, what, summary, version }: BodyParts) {
  const content = useSignal<Uint8Array<ArrayBuffer> | null>(null);
  useEffect(() => {
    if (summary.size === 0) return;
    const gone = new AbortController();
    void attempt(async () => {
      content.value = await getBytes(path, gone.signal);
    });
    return () => gone.abort();
  }, [path, version]);
  if (summary.size === 0) return <p class="nothing">No body.</p>;
  if (content.value === null) return <p class="nothing">…</p>;
  return <BodyView what={what} summary={summary} content={content.value} />;
}

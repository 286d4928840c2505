/** Makes data old when the stream reports its change. */

import { effect } from '@preact/signals';
import { invalidate } from './cache.ts';
import { connection, onEvent } from './stream.ts';

/** Fields of an event about a resource that this page reads. */
interface Change {
  readonly uri?: string;
  readonly collection?: string;
}

/** Call it once. After a gap in the stream everything counts as old. */
export function followChanges(): void {
  let wasLive = false;
  effect(() => {
    const isLive = connection.value === 'live';
    if (isLive && wasLive) invalidate('/');
    wasLive ||= isLive;
  });
  onEvent(({ event, data }) => {
    if (event !== 'change' && event !== 'changes') return;
    const { uri } = (data ?? {}) as Change;
    if (uri === undefined) return;
    const path = uri.startsWith('http') ? new URL(uri).pathname : uri;
    invalidate(path, path.slice(0, path.lastIndexOf('/')));
  });
}

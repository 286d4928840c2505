/** The latest messages of a WebSocket, or the first ones of one direction of a gRPC call. */

import { useSignal } from '@preact/signals';
import { attempt } from '@underpass/ui/attempt.ts';
import { MessageList } from '@underpass/ui/messages.tsx';
import { useEffect } from 'preact/hooks';
import type { MessagesView, MessageView } from '../api-types.ts';
import { getJson } from './api.ts';

interface MessagesParts {
  readonly id: number;
  /** The messages are fetched again if it changes. */
  readonly version: number;
  /** The direction of a gRPC call; both of a WebSocket if missing. */
  readonly direction?: MessageView['direction'];
}

export function Messages({ id, version, direction }: MessagesParts) {
  const shown = useSignal<MessagesView>({ count: 0, messages: [] });
  useEffect(() => {
    const gone = new AbortController();
    void attempt(async () => {
      const side = direction === undefined ? '' : `?direction=${direction}`;
      shown.value = await getJson<MessagesView>(`exchanges/${id}/messages${side}`, gone.signal);
    });
    return () => gone.abort();
  }, [id, version, direction]);
  const { count, messages } = shown.value;
  const left = count - messages.length;
  // Of gRPC the first ones are listed, of a WebSocket the latest.
  const before = direction === undefined ? left : 0;
  return (
    <div class="messages">
      <h3>Messages</h3>
      {before > 0 && <p class="remark">{before} older ones are not kept.</p>}
      {direction !== undefined && messages.length === 0 && <p class="remark">none</p>}
      <MessageList messages={messages} before={before} />
      {left > before && <p class="remark">{left - before} more are not shown.</p>}
    </div>
  );
}

/** The messages of a WebSocket, the latest of them. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { MessagesView } from '../api-types.ts';
import { getJson } from './api.ts';
import { bytes, duration } from './format.ts';
import { attempt } from './state.ts';

export function Messages({ id, count }: { id: number; count: number }) {
  const shown = useSignal<MessagesView>({ count: 0, messages: [] });
  useEffect(() => {
    const gone = new AbortController();
    void attempt(async () => {
      shown.value = await getJson<MessagesView>(`exchanges/${id}/messages`, gone.signal);
    });
    return () => gone.abort();
  }, [id, count]);
  const { messages } = shown.value;
  const left = shown.value.count - messages.length;
  return (
    <div class="messages">
      <h3>Messages</h3>
      {left > 0 && <p class="remark">{left} older ones are not kept.</p>}
      <ol>
        {messages.map(({ direction, atMs, kind, size, isCut, text }, index) => (
          <li key={left + index} class={direction}>
            <span class="remark">
              {direction === 'sent' ? '→' : '←'} {duration(atMs)} {kind}, {bytes(size)}
            </span>
            <code>
              {text ?? 'compressed, and what it points back to is not kept'}
              {isCut && '…'}
            </code>
          </li>
        ))}
      </ol>
    </div>
  );
}

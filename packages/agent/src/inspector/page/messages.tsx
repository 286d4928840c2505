/** The latest messages of a WebSocket, or the first ones of one direction of a gRPC call. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { MessagesView, MessageView } from '../api-types.ts';
import { getJson } from './api.ts';
import { Copy } from './copy.tsx';
import { bytes, duration, hexOf } from './format.ts';
import { attempt } from './state.ts';

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
      <ol>
        {messages.map((message, index) => (
          <Message key={before + index} message={message} number={before + index + 1} />
        ))}
      </ol>
      {left > before && <p class="remark">{left - before} more are not shown.</p>}
    </div>
  );
}

function Message({ message, number }: { message: MessageView; number: number }) {
  const { direction, atMs, kind, size, isCut, text } = message;
  const isBytes = kind !== 'text' && kind !== 'close' && text !== null;
  const shown =
    text === null ? 'compressed, and cannot be decompressed here' : isBytes ? hexText(text) : text;
  return (
    <li class={direction}>
      <span class="remark">
        {direction === 'sent' ? '→' : '←'} {atMs === null ? `message ${number},` : duration(atMs)} {kind},{' '}
        {bytes(size)}
      </span>{' '}
      {text !== null && text !== '' && <Copy what={`message ${number}`} text={text} />}
      <code class={isBytes ? 'hex' : ''}>
        {shown}
        {isCut && '…'}
      </code>
    </li>
  );
}

function hexText(hexadecimal: string): string {
  return hexOf(Uint8Array.from(hexadecimal.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
}

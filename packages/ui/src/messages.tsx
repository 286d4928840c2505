/** Messages of a WebSocket or of one direction of a gRPC call. */
import { Copy } from './copy.tsx';
import { bytes, duration, hexOf } from './format.ts';

export interface MessageView {
  readonly direction: 'sent' | 'received';
  /** Milliseconds since the request; null: not known. */
  readonly atMs: number | null;
  readonly kind: 'text' | 'binary' | 'close' | 'ping' | 'pong' | 'other';
  /** Bytes of the original. */
  readonly size: number;
  /** True if only its beginning was kept. */
  readonly isCut: boolean;
  /** Hexadecimal if binary; null: compressed, and cannot be decompressed here. */
  readonly text: string | null;
}

interface MessageListParts {
  readonly messages: readonly MessageView[];
  /** Number of messages before the first one of the list. */
  readonly before: number;
}

export function MessageList({ messages, before }: MessageListParts) {
  return (
    <ol>
      {messages.map((message, index) => (
        <Message key={before + index} message={message} number={before + index + 1} />
      ))}
    </ol>
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

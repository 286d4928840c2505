/** Writes server-sent events (WHATWG HTML, section 9.2). */
import type { JsonObject } from '../../store/store.ts';

/** Keeps proxies from closing the connection. */
export const COMMENT = ':\n\n';

/** `id`: the new `Last-Event-ID` of the client; null keeps the former one. JSON has no line ends. */
export function eventText(name: string, data: JsonObject, id: string | null = null): string {
  const idLine = id === null ? '' : `id: ${id}\n`;
  return `${idLine}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Moves the `Last-Event-ID` of the client without an event. */
export function idText(id: string): string {
  return `:\nid: ${id}\n\n`;
}

/** `ms`: the client waits this long before it connects again. */
export function retryText(ms: number): string {
  return `retry: ${Math.round(ms)}\n\n`;
}

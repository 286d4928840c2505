/** Computes the accept value for the key of a WebSocket handshake in HTTP/1.1 (RFC 6455, section 4.2.2). */
import { createHash } from 'node:crypto';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

export function websocketAccept(key: string): string {
  return createHash('sha1').update(`${key}${GUID}`).digest('base64');
}

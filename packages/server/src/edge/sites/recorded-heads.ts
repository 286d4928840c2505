/** The heads of a request and its response, for an account with events. Invariant: each head is kept up to a limit. */
const MOST_BYTES = 16 * 1024;

export interface RecordedHeads {
  /** The head as it was received, up to its empty line, one character a byte. */
  readonly request: string;
  /** The head as it was sent; null if the visitor got no response. */
  readonly response: string | null;
  /** Bytes of the response before its body, including those that are not kept. */
  readonly bytesBeforeBody: number;
  readonly version: 'HTTP/1.0' | 'HTTP/1.1' | 'HTTP/2.0';
}

/**
 * A copy of what lies there, since its buffer is used again. A string, because most are thrown away soon, and each buffer of its own
 * would cost the garbage collector more than all else that is recorded of a request.
 */
export function keptHead(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('latin1', start, Math.min(end, start + MOST_BYTES));
}

/** The fields of a head that was kept, by their names as they came, in their order; the one that the bound cuts is left out. */
export function* fieldsOf(head: string): Generator<readonly [name: string, value: string]> {
  const lines = head.split('\r\n');
  for (const line of lines.slice(1, -1)) {
    const colon = line.indexOf(':');
    if (colon > 0) yield [line.slice(0, colon), line.slice(colon + 1).trim()];
  }
}

/** Reads server-sent events from the body of a response. EventSource cannot send headers. */

export interface StreamEvent {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

/** Ends with the body. Rejects if its connection breaks. Comments are skipped. */
export async function* readEvents(body: ReadableStream<Uint8Array> | null): AsyncIterable<StreamEvent> {
  if (body === null) return;
  const decoder = new TextDecoder();
  let unread = '';
  for await (const piece of body) {
    const blocks = (unread + decoder.decode(piece, { stream: true })).split('\n\n');
    unread = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = readEvent(block);
      if (event !== null) yield event;
    }
  }
}

/** Null: a comment. */
function readEvent(block: string): StreamEvent | null {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()] as const;
    }),
  );
  const data = fields.get('data');
  if (data === undefined) return null;
  return { id: fields.get('id') ?? '', event: fields.get('event') ?? '', data: JSON.parse(data) };
}

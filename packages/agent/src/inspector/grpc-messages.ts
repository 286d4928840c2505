/** Reads the messages of a gRPC call from the bodies that were kept. */
import { grpcForm } from '../grpc.ts';
import { base64Pieces } from '../grpc-web-trailers.ts';
import type { MessagesView, MessageView } from './api-types.ts';
import { decodeBody } from './decode.ts';
import type { Exchange } from './exchange.ts';
import { headerOf, readHead } from './head.ts';
import { DECODED_MAX } from './limits.ts';
import { decodedBody, type Side } from './views.ts';

interface Frame {
  readonly isCompressed: boolean;
  /** Bytes as they were sent. */
  readonly size: number;
  /** Fewer than `size`, if the body was cut here. */
  readonly bytes: Buffer;
}

/** Messages that are listed in each direction. */
const LISTED_MAX = 500;
const FRAME_HEAD = 5;
const COMPRESSED = 0x01;
/** The flag of gRPC-web trailers; the inspector shows them with the headers. */
const TRAILERS = 0x80;

/** The messages of one direction, or of both; at most 1 MiB of each. Never rejects. */
export async function grpcMessagesOf(
  exchange: Exchange,
  direction: string | null = null,
): Promise<MessagesView> {
  const sent = direction === 'received' ? NONE : await messagesIn(exchange, 'request');
  const received = direction === 'sent' ? NONE : await messagesIn(exchange, 'response');
  return { count: sent.count + received.count, messages: [...sent.messages, ...received.messages] };
}

const NONE: MessagesView = { count: 0, messages: [] };

async function messagesIn(exchange: Exchange, side: Side): Promise<MessagesView> {
  const head = readHead(side === 'request' ? exchange.requestLines : exchange.responseLines);
  const type = headerOf(head, 'content-type') ?? '';
  const form = grpcForm(type);
  if (form === null) return NONE;
  const { bytes } = await decodedBody(exchange, side);
  const binary = form === 'web-text' ? Buffer.concat(base64Pieces(bytes.toString('latin1'))) : bytes;
  const { count, frames } = framesIn(binary);
  const encoding = headerOf(head, 'grpc-encoding') ?? '';
  const kind = /\+json\s*(;|$)/i.test(type) ? 'text' : 'binary';
  const messages: MessageView[] = [];
  let left = DECODED_MAX;
  for (const frame of frames) {
    const payload = await payloadOf(frame, encoding, left);
    left -= payload?.bytes.length ?? 0;
    messages.push({
      ...{ direction: side === 'request' ? 'sent' : 'received', atMs: null, kind, size: frame.size },
      isCut: frame.bytes.length < frame.size || payload?.isCut === true,
      text: payload === null ? null : payload.bytes.toString(kind === 'text' ? 'utf8' : 'hex'),
    });
  }
  return { count, messages };
}

/** Counts the messages in a body and reads the first of them. */
function framesIn(body: Buffer): { readonly count: number; readonly frames: readonly Frame[] } {
  const frames: Frame[] = [];
  let count = 0;
  for (let at = 0; at + FRAME_HEAD <= body.length; ) {
    const flags = body[at]!;
    const size = body.readUInt32BE(at + 1);
    const start = at + FRAME_HEAD;
    at = start + size;
    if ((flags & TRAILERS) !== 0) continue;
    if (count++ >= LISTED_MAX) continue;
    frames.push({ isCompressed: (flags & COMPRESSED) !== 0, size, bytes: body.subarray(start, at) });
  }
  return { count, frames };
}

/** `max`: bytes of the result. Null: compressed, and cannot be decompressed here. */
async function payloadOf({ isCompressed, size, bytes }: Frame, encoding: string, max: number) {
  if (!isCompressed) return { bytes: bytes.subarray(0, max), isCut: bytes.length > max };
  if (max <= 0) return { bytes: Buffer.alloc(0), isCut: true };
  const decoded = await decodeBody({ bytes, isCut: bytes.length < size }, encoding, max);
  return decoded.isDecoded && encoding !== '' ? decoded : null;
}

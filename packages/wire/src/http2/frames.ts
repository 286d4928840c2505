/** Encodes frames of HTTP/2 (RFC 9113, sections 4 and 6), with the numbers of types, flags and errors. */

export const FrameType = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
  origin: 12,
} as const;

export const Flag = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

/** Error codes (RFC 9113, section 7). */
export const Http2Error = {
  none: 0,
  protocol: 1,
  internal: 2,
  flowControl: 3,
  settingsTimeout: 4,
  streamClosed: 5,
  frameSize: 6,
  refusedStream: 7,
  cancel: 8,
  compression: 9,
  connect: 10,
  enhanceYourCalm: 11,
  inadequateSecurity: 12,
  http11Required: 13,
} as const;

export const FRAME_HEADER = 9;
/** Bytes of a payload that every peer accepts. This side never allows more. */
export const MAX_FRAME = 16_384;
export const MAX_WINDOW = 0x7fff_ffff;
export const DEFAULT_WINDOW = 65_535;
export const CLIENT_PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

export interface FrameHead {
  readonly length: number;
  readonly type: number;
  readonly flags: number;
  /** The stream id; 0 is the connection. */
  readonly stream: number;
}

export function readFrameHead(bytes: Buffer, at: number): FrameHead {
  return {
    length: bytes.readUIntBE(at, 3),
    type: bytes[at + 3]!,
    flags: bytes[at + 4]!,
    stream: bytes.readUInt32BE(at + 5) & MAX_WINDOW,
  };
}

/** Encodes a frame. The payload is copied behind its header. */
export function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(FRAME_HEADER + payload.length);
  writeHead(bytes, { length: payload.length, type, flags, stream });
  payload.copy(bytes, FRAME_HEADER);
  return bytes;
}

/** Encodes the frame header alone, for a payload that is not copied. */
export function frameHead(head: FrameHead): Buffer {
  const bytes = Buffer.allocUnsafe(FRAME_HEADER);
  writeHead(bytes, head);
  return bytes;
}

function writeHead(bytes: Buffer, { length, type, flags, stream }: FrameHead): void {
  bytes.writeUIntBE(length, 0, 3);
  bytes[3] = type;
  bytes[4] = flags;
  bytes.writeUInt32BE(stream, 5);
}

/** Encodes RST_STREAM or WINDOW_UPDATE, with a payload of four bytes. */
export function numberFrame(type: number, stream: number, value: number): Buffer {
  const bytes = Buffer.allocUnsafe(FRAME_HEADER + 4);
  writeHead(bytes, { length: 4, type, flags: 0, stream });
  bytes.writeUInt32BE(value, FRAME_HEADER);
  return bytes;
}

export function goAwayFrame(lastStream: number, code: number, reason: string): Buffer {
  const payload = Buffer.alloc(8 + reason.length);
  payload.writeUInt32BE(lastStream, 0);
  payload.writeUInt32BE(code, 4);
  payload.write(reason, 8, 'latin1');
  return frame(FrameType.goAway, 0, 0, payload);
}

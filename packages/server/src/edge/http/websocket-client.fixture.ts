/** The frames of a WebSocket client, right and wrong ones, for tests. */

export const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';
/** The response in RFC 6455, section 1.3. */
export const ACCEPT = 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=';

export const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
export const HANDSHAKE = `${UPGRADE}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${KEY}\r\n`;

const MASK = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);

/** `first` is the first byte: flags and opcode. */
export function clientFrame(first: number, payload: Buffer | string = '', mask = MASK): Buffer {
  const bytes = Buffer.from(payload);
  const size = bytes.length < 126 ? 2 : bytes.length < 65536 ? 4 : 10;
  const head = Buffer.alloc(size);
  head[0] = first;
  head[1] = 0x80 | (size === 2 ? bytes.length : size === 4 ? 126 : 127);
  if (size === 4) head.writeUInt16BE(bytes.length, 2);
  if (size === 10) head.writeBigUInt64BE(BigInt(bytes.length), 2);
  const masked = bytes.map((byte, i) => byte ^ mask[i % 4]!);
  return Buffer.concat([head, mask, masked]);
}

export function closePayload(code: number, reason = ''): Buffer {
  return Buffer.concat([Buffer.from([code >> 8, code & 0xff]), Buffer.from(reason, 'latin1')]);
}

/** Description, bytes, and the expected close code. */
export const attacks: readonly (readonly [what: string, bytes: Buffer, code: number])[] = [
  ['unmasked', Buffer.from([0x82, 2, 0x61, 0x62]), 1002],
  ['a reserved bit', clientFrame(0xc2, 'a'), 1002],
  ['a reserved opcode', clientFrame(0x83, 'a'), 1002],
  ['a reserved control opcode', clientFrame(0x8b), 1002],
  ['a continuation of nothing', clientFrame(0x80, 'a'), 1002],
  ['a message inside a message', Buffer.concat([clientFrame(0x02), clientFrame(0x82)]), 1002],
  ['a text inside a message', Buffer.concat([clientFrame(0x02), clientFrame(0x81)]), 1002],
  ['a large control frame', clientFrame(0x89, 'a'.repeat(126)), 1002],
  ['a control frame in parts', clientFrame(0x09, 'a'), 1002],
  ['a length that is not the shortest', Buffer.from([0x82, 0xfe, 0, 5, 0, 0, 0, 0]), 1002],
  [
    'a long length that is not the shortest',
    Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0]),
    1002,
  ],
  ['a length with 64 bits', Buffer.from([0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 1002],
  ['a length beyond all', Buffer.from([0x82, 0xff, 0x7f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 1009],
  ['half a close code', clientFrame(0x88, 'a'), 1002],
  ['a close code for its absence', clientFrame(0x88, closePayload(1005)), 1002],
  ['a close reason that is no text', clientFrame(0x88, closePayload(1000, '\xff')), 1007],
];

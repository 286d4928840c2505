/** Encodes ASN.1 values as DER (X.690) and reads their outermost parts. */

/** Tags of the values that certificates have. */
export const Tag = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8: 0x0c,
  printable: 0x13,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
} as const;

/** A value; `parts` are joined. */
export function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag), lengthOf(content.length), content]);
}

export function sequence(...parts: readonly Buffer[]): Buffer {
  return der(Tag.sequence, ...parts);
}

/** A positive number, given as hexadecimal digits. */
export function integer(hex: string): Buffer {
  const digits = hex.length % 2 === 0 ? hex : `0${hex}`;
  return der(
    Tag.integer,
    Buffer.from(Number.parseInt(digits.slice(0, 2), 16) > 127 ? `00${digits}` : digits, 'hex'),
  );
}

/** `1.2.840.…` */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(Tag.oid, Buffer.from([first * 40 + second, ...rest].flatMap(base128)));
}

/** A bit string that fills its last byte but for `unused` bits. */
export function bits(content: Buffer, unused = 0): Buffer {
  return der(Tag.bits, Buffer.of(unused), content);
}

export function text(tag: number, content: string): Buffer {
  return der(tag, Buffer.from(content));
}

/** The values in a value, each with its tag and length. */
export function partsOf(value: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  let rest = value.subarray(headerBytes(value));
  while (rest.length > 0) {
    const bytes = headerBytes(rest) + contentBytes(rest);
    parts.push(rest.subarray(0, bytes));
    rest = rest.subarray(bytes);
  }
  return parts;
}

function lengthOf(bytes: number): Buffer {
  if (bytes < 0x80) return Buffer.of(bytes);
  return bytes < 0x100 ? Buffer.of(0x81, bytes) : Buffer.of(0x82, bytes >> 8, bytes & 0xff);
}

function headerBytes(value: Buffer): number {
  const first = value[1] ?? 0;
  return first < 0x80 ? 2 : 2 + (first & 0x7f);
}

function contentBytes(value: Buffer): number {
  const header = headerBytes(value);
  return header === 2 ? (value[1] ?? 0) : value.readUIntBE(2, header - 2);
}

function base128(number: number): readonly number[] {
  const digits = [number & 0x7f];
  for (let rest = number >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}

/** Writes DER (ITU-T X.690), as much of it as certificates need. Never that it reads any. */

const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  /** Of this place in its sequence, by its number. */
  implicit: 0x80,
  explicit: 0xa0,
} as const;

export const sequence = (...parts: readonly Buffer[]): Buffer => value(TAG.sequence, ...parts);
export const set = (...parts: readonly Buffer[]): Buffer => value(TAG.set, ...parts);
export const octetString = (...parts: readonly Buffer[]): Buffer => value(TAG.octetString, ...parts);
export const utf8 = (text: string): Buffer => value(TAG.utf8, Buffer.from(text));
export const implicit = (number: number, content: Buffer): Buffer => value(TAG.implicit + number, content);
export const explicit = (number: number, content: Buffer): Buffer => value(TAG.explicit + number, content);
export const nothing = value(TAG.null);
export const yes = value(TAG.boolean, Buffer.of(0xff));

/** Positive, of these bytes, the highest first, which is not 0 unless it is the only one. */
export function integer(bytes: Buffer): Buffer {
  return value(TAG.integer, bytes[0]! < 0x80 ? bytes : Buffer.concat([Buffer.of(0), bytes]));
}

/** `unused`: so many bits at its end are none of it. */
export function bitString(bytes: Buffer, unused = 0): Buffer {
  return value(TAG.bitString, Buffer.of(unused), bytes);
}

/** `2.5.29.15` */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return value(TAG.oid, Buffer.of(first * 40 + second), ...rest.map(base128));
}

/** As RFC 5280, section 4.1.2.5, wants it: with two digits of the year until 2049. */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().slice(0, 19).replace(/\D/g, '')}Z`;
  return date.getUTCFullYear() < 2050
    ? value(TAG.utcTime, Buffer.from(digits.slice(2)))
    : value(TAG.generalizedTime, Buffer.from(digits));
}

function value(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag), length(content.length), content]);
}

function length(bytes: number): Buffer {
  if (bytes < 0x80) return Buffer.of(bytes);
  const hex = bytes.toString(16);
  const digits = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([Buffer.of(0x80 + digits.length), digits]);
}

/** Seven bits a byte, the highest first; all but the last have the eighth set. */
function base128(number: number): Buffer {
  const bytes = [number & 0x7f];
  for (let left = number >> 7; left > 0; left >>= 7) bytes.unshift((left & 0x7f) | 0x80);
  return Buffer.from(bytes);
}

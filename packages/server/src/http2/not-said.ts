/**
 * Fields of HTTP/1.1 about the connection and the ends of messages. HTTP/2 expresses them in frames (RFC 9113,
 * section 8.2.2).
 */
import { Field } from '../http-syntax/fields.ts';

/** Returns one bit for each of the fields. */
export function bitsOf(...fields: readonly Field[]): number {
  return fields.reduce<number>((bits, field) => bits | (1 << field), 0);
}

export const NOT_SAID = bitsOf(
  Field.connection,
  Field.keepAlive,
  Field.proxyConnection,
  Field.transferEncoding,
  Field.upgrade,
  Field.http2Settings,
);

/** The same by their names, where they come over HTTP/2 all the same. */
export const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Reads a query from a packet, before the library reads it, because the library guesses.
 * Invariant: foreign bytes never throw, and a name is never confused with one of other bytes.
 */
import packet, { type Question } from 'dns-packet';

const headerBytes = 12;
const responseBit = 0x80;
/** RFC 6891, section 6.2.5: the size that a UDP client accepts by default. */
const leastPayload = 512;

export interface Query {
  readonly id: number;
  readonly isRecursionDesired: boolean;
  readonly question: Question;
  /** Null: the client does not know of extensions, and gets none. */
  readonly extensions: { readonly version: number } | null;
  /** The largest answer that the client takes over UDP, in bytes. */
  readonly payload: number;
}

export type ReadQuery =
  | { readonly kind: 'query'; readonly query: Query }
  /** No response: the packet is too short, or is a response, which two servers would send each other for ever. */
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed'; readonly id: number; readonly opcode: number }
  | { readonly kind: 'not-implemented'; readonly id: number; readonly opcode: number };

export function readQuery(bytes: Buffer): ReadQuery {
  if (bytes.length < headerBytes) return { kind: 'none' };
  const flags = bytes.readUInt8(2);
  if ((flags & responseBit) !== 0) return { kind: 'none' };
  const of = { id: bytes.readUInt16BE(0), opcode: (flags >> 3) & 0xf };
  if (of.opcode !== 0) return { kind: 'not-implemented', ...of };
  // One question and nothing else, except extensions and an unchecked signature at the end.
  const counts = [4, 6, 8, 10].map((at) => bytes.readUInt16BE(at));
  const [questions = 0, answers = 0, authorities = 0, additionals = 0] = counts;
  if (questions !== 1 || answers !== 0 || authorities !== 0 || additionals > 2) {
    return { kind: 'malformed', ...of };
  }
  const query = decode(bytes, of.id);
  return query === null ? { kind: 'malformed', ...of } : { kind: 'query', query };
}

function decode(bytes: Buffer, id: number): Query | null {
  try {
    const { questions = [], additionals = [], flag_rd } = packet.decode(bytes);
    const [question] = questions;
    const [extensions, ...surplus] = additionals.filter(({ type }) => type === 'OPT');
    if (question === undefined || surplus.length > 0 || !isSpelledSo(bytes, question)) return null;
    const of = { id, isRecursionDesired: flag_rd, question };
    if (extensions?.type !== 'OPT') return { ...of, extensions: null, payload: leastPayload };
    const { ednsVersion: version, udpPayloadSize } = extensions;
    return { ...of, extensions: { version }, payload: Math.max(udpPayloadSize, leastPayload) };
  } catch {
    return null;
  }
}

/** Returns true if the library's question has the same bytes as the query: a label may contain dots, or no text. */
function isSpelledSo(bytes: Buffer, question: Question): boolean {
  const written = packet.encode({ questions: [question] }).subarray(headerBytes);
  return written.equals(bytes.subarray(headerBytes, headerBytes + written.length));
}

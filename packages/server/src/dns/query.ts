/**
 * A question as it stands in a packet, read before the library looks at it where that would guess. Never that bytes of a stranger throw, or
 * that a name is taken for another one that is spelled with other bytes.
 */
import packet, { type Question } from 'dns-packet';

const headerBytes = 12;
const responseBit = 0x80;
/** RFC 6891, section 6.2.5: what a client takes over UDP that says nothing about it. */
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
  /** Nobody is to be answered: too short to be asked, or an answer, which two servers would send each other for ever. */
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed'; readonly id: number; readonly opcode: number }
  | { readonly kind: 'not-implemented'; readonly id: number; readonly opcode: number };

export function readQuery(bytes: Buffer): ReadQuery {
  if (bytes.length < headerBytes) return { kind: 'none' };
  const flags = bytes.readUInt8(2);
  if ((flags & responseBit) !== 0) return { kind: 'none' };
  const of = { id: bytes.readUInt16BE(0), opcode: (flags >> 3) & 0xf };
  if (of.opcode !== 0) return { kind: 'not-implemented', ...of };
  // One question and nothing else, but for what the end of a query may have: extensions, a signature that is not looked at.
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

/** Whether the question that the library read is, written again, the one that was asked: a label may have dots in it, or no text. */
function isSpelledSo(bytes: Buffer, question: Question): boolean {
  const written = packet.encode({ questions: [question] }).subarray(headerBytes);
  return written.equals(bytes.subarray(headerBytes, headerBytes + written.length));
}

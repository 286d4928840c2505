/**
 * Packets in, packets out. Pure.
 * Invariant: a response over UDP is not larger than its query, so that forged senders gain nothing. For larger ones
 * the client returns over TCP.
 */
import packet, { type Answer, type Packet } from 'dns-packet';
import { type Query, readQuery } from './query.ts';
import { answerQuestion, type Zone, type ZoneAnswer } from './zone.ts';

export type Transport = 'udp' | 'tcp';

export const dnsOutcomes = ['answered', 'truncated', 'refused', 'malformed', 'dropped'] as const;
export type DnsOutcome = (typeof dnsOutcomes)[number];

export interface DnsResponse {
  /** Null: none is sent. */
  readonly bytes: Buffer | null;
  readonly outcome: DnsOutcome;
}

const noError = 0;
const formatError = 1;
const nameError = 3;
const notImplemented = 4;
const refused = 5;
/** RFC 6891, section 6.1.3: 16, of which the header has no bit. */
const badVersionExtension = 1;

/** Bytes of a UDP response; the number is from RFC 9715. */
const ownPayload = 1232;

export function respond(zone: Zone, bytes: Buffer, transport: Transport): DnsResponse {
  const read = readQuery(bytes);
  switch (read.kind) {
    case 'none':
      return { bytes: null, outcome: 'malformed' };
    case 'malformed':
      return { bytes: bareError(read, formatError), outcome: 'malformed' };
    case 'not-implemented':
      return { bytes: bareError(read, notImplemented), outcome: 'refused' };
    case 'query': {
      const limit = transport === 'udp' ? Math.min(bytes.length, read.query.payload) : Infinity;
      return respondTo(zone, read.query, limit);
    }
    default:
      return read satisfies never;
  }
}

function respondTo(zone: Zone, query: Query, limit: number): DnsResponse {
  if (query.extensions !== null && query.extensions.version !== 0) {
    return { bytes: encode(query, { extendedRcode: badVersionExtension }), outcome: 'refused' };
  }
  const answer = answerQuestion(zone, query.question);
  if (answer.outcome === 'refused') return { bytes: encode(query, { flags: refused }), outcome: 'refused' };
  const whole = encode(query, sectionsOf(answer));
  if (whole.length <= limit) return { bytes: whole, outcome: 'answered' };
  // An empty response would mean that there are no records.
  const flags = packet.TRUNCATED_RESPONSE | packet.AUTHORITATIVE_ANSWER | noError;
  return { bytes: encode(query, { flags }), outcome: 'truncated' };
}

interface Sections {
  readonly flags?: number;
  readonly answers?: readonly Answer[];
  readonly authorities?: readonly Answer[];
  readonly extendedRcode?: number;
}

function sectionsOf(answer: Exclude<ZoneAnswer, { outcome: 'refused' }>): Sections {
  const { authorities } = answer;
  if (answer.outcome === 'no-such-name') {
    return { flags: packet.AUTHORITATIVE_ANSWER | nameError, authorities };
  }
  return { flags: packet.AUTHORITATIVE_ANSWER, answers: answer.answers, authorities };
}

function encode(
  query: Query,
  { flags = 0, answers = [], authorities = [], extendedRcode = 0 }: Sections,
): Buffer {
  const { id, question, extensions, isRecursionDesired } = query;
  const response: Packet = {
    id,
    type: 'response',
    flags: flags | (isRecursionDesired ? packet.RECURSION_DESIRED : 0),
    questions: [question],
    answers: [...answers],
    authorities: [...authorities],
    additionals: extensions === null ? [] : [extensionsOf(extendedRcode)],
  };
  return packet.encode(response);
}

function extensionsOf(extendedRcode: number): Answer {
  const own = { udpPayloadSize: ownPayload, extendedRcode, ednsVersion: 0, flags: 0, flag_do: false };
  return { type: 'OPT', name: '.', ...own, options: [] };
}

/** A header alone. */
function bareError({ id, opcode }: { readonly id: number; readonly opcode: number }, code: number): Buffer {
  return packet.encode({ id, type: 'response', flags: (opcode << 11) | code });
}

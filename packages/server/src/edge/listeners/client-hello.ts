/**
 * Reads the server name, ALPN and a session ticket's key from the first bytes of a TLS connection, before any response
 * (RFC 8446, 4.1.2 and 5.1; RFC 6066, 3).
 * Invariant: a hello that TLS libraries could read in another way has no name.
 */
import { type HelloOffer, listsTooMuch } from './ja4.ts';

export type ClientHello =
  | { readonly status: 'need-more' }
  | {
      readonly status: 'ok';
      /** The name as it was sent, printable ASCII; null if the hello has no server_name extension. */
      readonly serverName: string | null;
      readonly alpn: readonly string[];
      /** The name of the key of the session ticket that it brings, as latin1; '' without one. */
      readonly ticketKey: string;
      /** Null: more than any honest client lists. */
      readonly offer: HelloOffer | null;
    }
  | { readonly status: 'invalid'; readonly alert: number };

/** Alert descriptions, RFC 8446, section 6. */
export const Alert = {
  unexpectedMessage: 10,
  recordOverflow: 22,
  illegalParameter: 47,
  decodeError: 50,
  protocolVersion: 70,
  internalError: 80,
  missingExtension: 109,
  unrecognizedName: 112,
} as const;

/** Post-quantum key shares make hellos of 1 to 6 KiB; several times that is still a hello, 64 KiB is not. */
export const maxHelloBytes = 32 * 1024;
/** Bounds what many tiny records cost; a hello that honest stacks split has a handful. */
const maxRecords = 128;

const recordHeader = 5;
const handshakeHeader = 4;
/** Offset after the header and the version. */
const randomStart = handshakeHeader + 2;
const randomEnd = randomStart + 32;
const handshakeRecord = 22;
const clientHelloMessage = 1;
const maxRecordBytes = 16_384;
const extensionServerName = 0;
const extensionSignatureAlgorithms = 13;
const extensionAlpn = 16;
const extensionSessionTicket = 35;
const extensionPreSharedKey = 41;
const extensionSupportedVersions = 43;
/** RFC 5077, 4: tickets begin with it. */
const ticketKeyBytes = 16;
const printable = /^[\x21-\x7e]+$/;
const needMore: ClientHello = { status: 'need-more' };

function invalid(alert: number): ClientHello {
  return { status: 'invalid', alert };
}

/**
 * Inspects all bytes received so far. Pure. Until the hello is complete, a call costs one step for each record, not for
 * each byte.
 */
export function inspectClientHello(bytes: Buffer): ClientHello {
  /** The first four bytes of the message, type and length, as they are gathered over records. */
  let header = 0;
  let received = 0;
  let announced = 0;
  let at = 0;
  for (let records = 1; records <= maxRecords; records += 1) {
    const wrong = checkRecordHeader(bytes, at);
    if (wrong !== null) return invalid(wrong);
    if (bytes.length < at + recordHeader) return needMore;
    const start = at + recordHeader;
    at = start + bytes.readUInt16BE(at + 3);
    const available = Math.min(at, bytes.length) - start;
    for (let i = received; i < handshakeHeader && i - received < available; i += 1) {
      header = header * 256 + bytes[start + i - received]!;
    }
    received += available;
    announced += at - start;
    if (received > 0 && firstByte(header, received) !== clientHelloMessage)
      return invalid(Alert.unexpectedMessage);
    if (received >= handshakeHeader) {
      const length = header & 0xff_ff_ff;
      if (length > maxHelloBytes) return invalid(Alert.decodeError);
      const need = handshakeHeader + length;
      // Something behind the hello in its own record: nothing may follow it before the server answers.
      if (announced > need) return invalid(Alert.unexpectedMessage);
      if (announced === need) return received === need ? readHello(joinRecords(bytes, at)) : needMore;
    }
    if (bytes.length < at) return needMore;
  }
  return invalid(Alert.decodeError);
}

/** Checks as much of a record header as is there, so that what is no TLS is refused at its first byte. */
function checkRecordHeader(bytes: Buffer, at: number): number | null {
  if (bytes.length > at && bytes[at] !== handshakeRecord) return Alert.unexpectedMessage;
  if (bytes.length > at + 1 && bytes[at + 1] !== 3) return Alert.protocolVersion;
  if (bytes.length < at + recordHeader) return null;
  const length = bytes.readUInt16BE(at + 3);
  // RFC 8446, 5.1: empty handshake fragments must not be sent; without them every record brings the hello forward.
  if (length === 0) return Alert.decodeError;
  return length > maxRecordBytes ? Alert.recordOverflow : null;
}

function firstByte(header: number, received: number): number {
  return received >= handshakeHeader
    ? Math.floor(header / 0x1_00_00_00)
    : Math.floor(header / 256 ** (received - 1));
}

/** The handshake message in the records before `end`, without its header. */
function joinRecords(bytes: Buffer, end: number): Buffer {
  const fragments: Buffer[] = [];
  for (let at = 0; at < end; ) {
    const next = at + recordHeader + bytes.readUInt16BE(at + 3);
    fragments.push(bytes.subarray(at + recordHeader, next));
    at = next;
  }
  return (fragments.length === 1 ? fragments[0]! : Buffer.concat(fragments)).subarray(handshakeHeader);
}

/** The 32 bytes that no other hello has, as latin1, out of one that `inspectClientHello` found whole. */
export function helloRandom(bytes: Buffer): string {
  const fragments: Buffer[] = [];
  let length = 0;
  for (let at = 0; length < randomEnd; ) {
    const next = at + recordHeader + bytes.readUInt16BE(at + 3);
    fragments.push(bytes.subarray(at + recordHeader, next));
    length += next - at - recordHeader;
    at = next;
  }
  return Buffer.concat(fragments).toString('latin1', randomStart, randomEnd);
}

/** Reads length-prefixed vectors, without copying; running past the end is remembered, so that it is checked once. */
class Reader {
  readonly #bytes: Buffer;
  #at: number;
  readonly #end: number;
  overrun = false;

  constructor(bytes: Buffer, at = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = at;
    this.#end = end;
  }

  get left(): number {
    return this.#end - this.#at;
  }

  number(size: 1 | 2): number {
    const at = this.#pass(size);
    if (this.#at - at < size) return 0;
    return size === 1 ? this.#bytes[at]! : this.#bytes.readUInt16BE(at);
  }

  /** Returns a reader for the content of a vector. */
  vector(lengthSize: 1 | 2): Reader {
    return this.take(this.number(lengthSize));
  }

  take(length: number): Reader {
    const at = this.#pass(length);
    return new Reader(this.#bytes, at, this.#at);
  }

  /** So many bytes of what is left, as latin1. */
  text(length = this.left): string {
    return this.#bytes.toString('latin1', this.#at, this.#at + length);
  }

  /** Returns where it was. */
  #pass(length: number): number {
    const at = this.#at;
    if (length > this.left) this.overrun = true;
    this.#at = Math.min(at + length, this.#end);
    return at;
  }
}

function readHello(body: Buffer): ClientHello {
  const reader = new Reader(body);
  const version = reader.number(2);
  reader.take(32);
  const sessionId = reader.vector(1);
  const ciphers = reader.vector(2);
  const compressions = reader.vector(1);
  if (
    reader.overrun ||
    sessionId.left > 32 ||
    ciphers.left === 0 ||
    ciphers.left % 2 !== 0 ||
    compressions.left === 0
  ) {
    return invalid(Alert.decodeError);
  }
  if (version >> 8 !== 3) return invalid(Alert.protocolVersion);
  const outside = { version, ciphers: ciphers.text() };
  if (reader.left === 0) return readExtensions(reader, outside);
  const extensions = reader.vector(2);
  if (reader.overrun || reader.left !== 0) return invalid(Alert.decodeError);
  return readExtensions(extensions, outside);
}

function readExtensions(reader: Reader, outside: Pick<HelloOffer, 'version' | 'ciphers'>): ClientHello {
  const seen = new Set<number>();
  let serverName: string | null = null;
  let alpn: readonly string[] = [];
  let ticketKey = '';
  let versions = '';
  let signatureAlgorithms = '';
  while (reader.left > 0) {
    const type = reader.number(2);
    const data = reader.vector(2);
    if (reader.overrun) return invalid(Alert.decodeError);
    if (seen.has(type)) return invalid(Alert.illegalParameter);
    seen.add(type);
    if (type === extensionServerName) {
      const name = readServerName(data);
      if (typeof name === 'number') return invalid(name);
      serverName = name;
    } else if (type === extensionAlpn) {
      const protocols = readAlpn(data);
      if (protocols === null) return invalid(Alert.decodeError);
      alpn = protocols;
    } else if (type === extensionSessionTicket) {
      ticketKey = keyOfTicket(data) || ticketKey;
    } else if (type === extensionPreSharedKey) {
      ticketKey = keyOfTicket(firstIdentity(data)) || ticketKey;
    } else if (type === extensionSupportedVersions) {
      versions = data.vector(1).text();
    } else if (type === extensionSignatureAlgorithms) {
      signatureAlgorithms = data.vector(2).text();
    }
  }
  const offer = {
    ...outside,
    extensions: [...seen],
    firstAlpn: alpn[0] ?? '',
    versions,
    signatureAlgorithms,
  };
  return { status: 'ok', serverName, alpn, ticketKey, offer: listsTooMuch(offer) ? null : offer };
}

/**
 * Returns the only host_name, or the number of an alert. If there are two names, or an undefined type, another reader
 * could use the other one.
 */
function readServerName(list: Reader): string | number {
  const entries = list.vector(2);
  const type = entries.number(1);
  const name = entries.vector(2);
  if (list.overrun || list.left !== 0 || entries.overrun || name.left === 0) return Alert.decodeError;
  if (type !== 0 || entries.left !== 0) return Alert.illegalParameter;
  const text = name.text();
  return printable.test(text) ? text : Alert.illegalParameter;
}

/** TLS 1.3 calls tickets identities of pre-shared keys (RFC 8446, 4.2.11). What is malformed is OpenSSL's to refuse. */
function firstIdentity(data: Reader): Reader {
  return data.vector(2).vector(2);
}

function keyOfTicket(ticket: Reader): string {
  return ticket.left < ticketKeyBytes ? '' : ticket.text(ticketKeyBytes);
}

function readAlpn(list: Reader): readonly string[] | null {
  const entries = list.vector(2);
  if (list.overrun || list.left !== 0 || entries.left === 0) return null;
  const protocols: string[] = [];
  while (entries.left > 0) {
    const protocol = entries.vector(1);
    if (entries.overrun || protocol.left === 0) return null;
    protocols.push(protocol.text());
  }
  return protocols;
}

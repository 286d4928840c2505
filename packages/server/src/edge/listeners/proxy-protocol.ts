/**
 * Parses the PROXY protocol, versions 1 (text) and 2 (binary), by which a load balancer names the client. Pure.
 * Invariant: bytes that two parsers could read differently are no address.
 */
import { addressText, type ConnectionAddresses } from '../../core/ip/client-address.ts';
import { formatIpAddress, isMapped, parseBytes, parseIpAddress } from '../../core/ip/ip-address.ts';

export type ProxyHeader =
  | { readonly status: 'need-more' }
  | { readonly status: 'invalid' }
  | {
      readonly status: 'complete';
      /** Offset of the visitor's bytes. */
      readonly length: number;
      /** Null if there is no visitor, as in health checks of load balancers. */
      readonly addresses: ConnectionAddresses | null;
    };

const NEED_MORE: ProxyHeader = { status: 'need-more' };
const INVALID: ProxyHeader = { status: 'invalid' };

const TEXT_BEGIN = Buffer.from('PROXY ');
/** Bytes with CRLF. */
const LONGEST_TEXT = 107;
const TEXT = /^PROXY (?:UNKNOWN(?: .*)?|TCP([46]) (\S+) (\S+) (0|[1-9]\d{0,4}) (0|[1-9]\d{0,4}))$/;

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n');
const FIXED_BYTES = 16;
/** Bytes of addresses and extensions. Usual ones have some hundred. */
const LONGEST_REST = 4096;
const LOCAL = 0x20;
const PROXY = 0x21;
/** Family and transport; what else there is carries no address of the internet. */
const families: ReadonlyMap<number, { readonly addressBytes: number; readonly rest: number }> = new Map([
  [0x00, { addressBytes: 0, rest: 0 }],
  [0x11, { addressBytes: 4, rest: 12 }],
  [0x21, { addressBytes: 16, rest: 36 }],
  [0x31, { addressBytes: 0, rest: 216 }],
]);

/** `bytes`: all that has come. */
export function inspectProxyHeader(bytes: Buffer): ProxyHeader {
  if (bytes.length === 0) return NEED_MORE;
  if (beginsLike(bytes, TEXT_BEGIN)) return inspectText(bytes);
  return beginsLike(bytes, SIGNATURE) ? inspectBinary(bytes) : INVALID;
}

/** Compares as many bytes as have arrived. */
function beginsLike(bytes: Buffer, expected: Buffer): boolean {
  const length = Math.min(bytes.length, expected.length);
  return bytes.compare(expected, 0, length, 0, length) === 0;
}

function inspectText(bytes: Buffer): ProxyHeader {
  const end = bytes.subarray(0, LONGEST_TEXT).indexOf('\r\n');
  if (end === -1) return bytes.length < LONGEST_TEXT ? NEED_MORE : INVALID;
  const match = TEXT.exec(bytes.toString('latin1', 0, end));
  if (match === null) return INVALID;
  const length = end + 2;
  const [, family, client = '', server = '', clientPort, serverPort] = match;
  if (family === undefined) return { status: 'complete', length, addresses: null };
  const addressBytes = family === '4' ? 4 : 16;
  const clientAddr = written(client, addressBytes, Number(clientPort));
  const serverAddr = written(server, addressBytes, Number(serverPort));
  if (clientAddr === null || serverAddr === null) return INVALID;
  return { status: 'complete', length, addresses: { clientAddr, serverAddr } };
}

/** Null: not an address of that family. */
function written(text: string, addressBytes: number, port: number): string | null {
  if (parseBytes(text)?.length !== addressBytes || port > 65535) return null;
  const address = parseIpAddress(text);
  return address === null ? null : addressText(formatIpAddress(address), port);
}

function inspectBinary(bytes: Buffer): ProxyHeader {
  if (bytes.length < FIXED_BYTES) return NEED_MORE;
  const command = bytes[12];
  const rest = bytes.readUInt16BE(14);
  if ((command !== LOCAL && command !== PROXY) || rest > LONGEST_REST) return INVALID;
  const length = FIXED_BYTES + rest;
  const family = families.get(bytes[13]!);
  if (command === PROXY && (family === undefined || rest < family.rest)) return INVALID;
  if (bytes.length < length) return NEED_MORE;
  const addressBytes = command === PROXY ? (family?.addressBytes ?? 0) : 0;
  if (addressBytes === 0) return { status: 'complete', length, addresses: null };
  const ports = FIXED_BYTES + 2 * addressBytes;
  const clientAddr = packed(bytes, FIXED_BYTES, addressBytes, ports);
  const serverAddr = packed(bytes, FIXED_BYTES + addressBytes, addressBytes, ports + 2);
  return { status: 'complete', length, addresses: { clientAddr, serverAddr } };
}

function packed(bytes: Buffer, at: number, addressBytes: number, portAt: number): string {
  const address = [...bytes.subarray(at, at + addressBytes)];
  return addressText(
    formatIpAddress(isMapped(address) ? address.slice(12) : address),
    bytes.readUInt16BE(portAt),
  );
}

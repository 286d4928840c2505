/**
 * The PROXY protocol header, versions 1 (text) and 2 (binary), with the visitor's address for the service behind an
 * agent. Pure.
 * Invariant: it contains addresses and ports only.
 */
import { ipOf } from '../core/ip/client-address.ts';
import { formatIpAddress, type IpAddress, parseIpAddress } from '../core/ip/ip-address.ts';
import type { ProxyProtocolVersion } from '../online/tunnel-facts.ts';

const signature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');
/** Version 2, and the command PROXY. */
const proxied = 0x21;
const tcpOver4 = 0x11;
const tcpOver6 = 0x21;
const mappedPrefix: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

interface Endpoint {
  readonly bytes: readonly number[];
  readonly port: number;
}

/** `clientAddr` and `serverAddr` as `addressText` writes them. */
export function encodeProxyProtocol(
  version: ProxyProtocolVersion,
  { clientAddr, serverAddr }: { readonly clientAddr: string; readonly serverAddr: string },
): Buffer {
  const source = endpointOf(clientAddr);
  const destination = endpointOf(serverAddr);
  if (source === null || destination === null) return withoutAddresses(version);
  const is4 = source.bytes.length === 4 && destination.bytes.length === 4;
  const both = is4 ? [source, destination] : [asIPv6(source), asIPv6(destination)];
  if (version === 1) {
    const hosts = both.map(({ bytes }) => formatIpAddress(bytes)).join(' ');
    return Buffer.from(`PROXY ${is4 ? 'TCP4' : 'TCP6'} ${hosts} ${source.port} ${destination.port}\r\n`);
  }
  const addresses = both.flatMap(({ bytes }) => bytes);
  const ports = both.flatMap(({ port }) => [port >> 8, port & 0xff]);
  const length = addresses.length + ports.length;
  const head = [proxied, is4 ? tcpOver4 : tcpOver6, 0, length];
  return Buffer.concat([signature, Buffer.from([...head, ...addresses, ...ports])]);
}

/** Returns a header without addresses: a receiver uses those of the connection. */
function withoutAddresses(version: ProxyProtocolVersion): Buffer {
  if (version === 1) return Buffer.from('PROXY UNKNOWN\r\n');
  return Buffer.concat([signature, Buffer.from([proxied, 0, 0, 0])]);
}

function endpointOf(text: string): Endpoint | null {
  const bytes: IpAddress | null = parseIpAddress(ipOf(text));
  return bytes === null ? null : { bytes, port: Number(text.slice(text.lastIndexOf(':') + 1)) };
}

/** Both addresses of a header are of one family. */
function asIPv6({ bytes, port }: Endpoint): Endpoint {
  return { bytes: bytes.length === 4 ? [...mappedPrefix, ...bytes] : bytes, port };
}

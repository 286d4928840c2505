/** Tunnels by their public URLs, and what a visitor hears at those that carry bytes. */
import { connect } from 'node:net';

/** Returns the visitors' address of a tunnel: a host name, or `host:port` for TCP. */
export function visitedAt(url: string): string {
  const { protocol, host, hostname } = new URL(url);
  return protocol === 'tcp:' ? host : hostname;
}

/** Returns the response of the service at a TCP address; '' without a service. */
export async function saidAt(address: string): Promise<string> {
  const socket = connect(Number(address.split(':')[1]), '127.0.0.1').setEncoding('latin1');
  socket.end('GET / HTTP/1.1\r\n\r\n');
  let heard = '';
  try {
    for await (const chunk of socket) heard += chunk;
  } catch {
    // Refused, or reset.
  }
  return heard.split('\r\n\r\n')[1] ?? '';
}

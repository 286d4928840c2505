/** A visitor of TLS and TCP edges, with one connection for one request. */
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { until } from '../harness/until.ts';

export interface BareVisit {
  readonly port: number;
  /** Absent: TCP without TLS. */
  readonly servername?: string;
  readonly ca?: string;
}

/** Returns true if anything comes back to a request of HTTP, and false if the connection ends before. */
export async function isServed({ port, servername, ca = '' }: BareVisit): Promise<boolean> {
  const host = '127.0.0.1';
  const socket =
    servername === undefined ? connectTcp({ host, port }) : connectTls({ host, port, servername, ca });
  let bytes = 0;
  socket
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
  socket.write(`GET / HTTP/1.1\r\nhost: ${servername ?? host}\r\n\r\n`);
  try {
    await until(() => bytes > 0 || socket.closed);
    return bytes > 0;
  } finally {
    socket.destroy();
  }
}

/**
 * Services behind agents with visitors' addresses in the PROXY protocol.
 * Invariant: addresses of visitors are not confused.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { Platform, until } from '../harness/index.ts';

let platform: Platform;
/** Answers each request, of HTTP or of one line, with the header that its connection began with, and keeps the connection. */
let upstream: Server;
let upstreamPort: string;
let connections = 0;

before(async () => {
  upstream = createServer((socket) => {
    connections += 1;
    let header: string | null = null;
    let text = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (header === null && text.includes('\r\n')) {
        header = text.slice(0, text.indexOf('\r\n'));
        text = text.slice(header.length + 2);
      }
      if (header === null || !/\r\n\r\n$|^line\n$/.test(text)) return;
      const isHttp = text.startsWith('GET');
      text = '';
      socket.write(isHttp ? `HTTP/1.1 200 OK\r\nContent-Length: ${header.length}\r\n\r\n${header}` : header);
    });
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  upstreamPort = String((upstream.address() as { port: number }).port);
  platform = await Platform.start({ host: '0.0.0.0' });
});
after(async () => {
  await platform.stop();
  upstream.close();
});

test('a TCP service reads the address of each visitor', async () => {
  const { url } = await platform.agent(['tcp', upstreamPort, '--proxy-proto', '1']);
  const port = Number(url.slice(url.lastIndexOf(':') + 1));
  for (const localAddress of ['127.0.0.1', '127.0.0.2']) {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.write('line\n');
    await once(socket, 'connect');
    await hears(socket, `PROXY TCP4 ${localAddress} 127.0.0.1 ${socket.localPort} ${port}`);
    socket.destroy();
  }
});

test('an HTTP service reads the address of the visitor of each request: none comes on the connection of another', async () => {
  const { url, process: agent } = await platform.agent(['http', upstreamPort, '--proxy-proto', '1']);
  const { hostname } = new URL(url);
  const before = connections;
  const visitors = await Promise.all(['127.0.0.1', '127.0.0.2'].map((from) => visitor(hostname, from)));
  for (const one of [...visitors, ...visitors]) {
    one.write(`GET /whoami HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    await hears(one, `\r\n\r\nPROXY TCP4 ${one.localAddress} 127.0.0.1 ${one.localPort} ${platform.port}`);
  }
  assert.equal(connections - before, 4);
  await agent.line(/"event":"request".*"path":"\/whoami"/);
  for (const one of visitors) one.destroy();
});

async function visitor(servername: string, localAddress: string): Promise<TLSSocket> {
  const target = { port: platform.port, host: '127.0.0.1', localAddress };
  const socket = connectTls({ socket: connect(target), servername, ca: platform.ca });
  await once(socket, 'secureConnect');
  return socket;
}

/** Waits until what comes ends so. */
async function hears(socket: Socket, words: string): Promise<void> {
  let text = '';
  const listener = (chunk: Buffer): void => {
    text += chunk.toString('latin1');
  };
  socket.on('data', listener);
  await until(() => text.endsWith(words), words);
  socket.off('data', listener);
}

/**
 * Sends requests as messages of WebSockets, one after another on each, as a process of its own. Argument: JSON of a `MessageLoad`. Prints
 * a `MessageOutcome`; a WebSocket that breaks, or is refused, is an error.
 */
import { randomBytes } from 'node:crypto';
import { connect } from 'node:tls';
import type { Target } from './peers/peer.ts';

export interface MessageLoad {
  readonly target: Target;
  readonly connections: number;
  readonly seconds: number;
}

export interface MessageOutcome {
  /** Number of answered messages. */
  readonly messages: number;
  readonly errors: number;
}

const { target, connections, seconds } = JSON.parse(process.argv[2] ?? '') as MessageLoad;
const handshake = [
  'GET / HTTP/1.1',
  `host: ${target.host}:${target.port}`,
  'connection: upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  `sec-websocket-key: ${randomBytes(16).toString('base64')}`,
  '\r\n',
].join('\r\n');
const request = Buffer.from('GET / HTTP/1.1\r\nhost: upstream\r\n\r\n');
/** A whole binary message; zeros as a mask change nothing. */
const message = Buffer.concat([Buffer.from([0x82, 0x80 | request.length, 0, 0, 0, 0]), request]);
const ANSWER_END = 'Hello, world\n';
const endsAt = performance.now() + seconds * 1000;
let messages = 0;
let errors = 0;
await Promise.all(Array.from({ length: connections }, talk));
console.log(JSON.stringify({ messages, errors } satisfies MessageOutcome));

function talk(): Promise<void> {
  return new Promise((done) => {
    const { host, port } = target;
    const socket = connect({ host: '127.0.0.1', port, servername: host, rejectUnauthorized: false });
    let isOpen = false;
    let isOver = false;
    let text = '';
    socket.on('secureConnect', () => socket.write(handshake));
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (!text.endsWith(isOpen ? ANSWER_END : '\r\n\r\n')) return;
      if (isOpen) messages += 1;
      else if (text.startsWith('HTTP/1.1 101 ')) isOpen = true;
      else socket.destroy();
      text = '';
      isOver = performance.now() >= endsAt;
      if (isOver) socket.destroy();
      else socket.write(message);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      if (!isOver) errors += 1;
      done();
    });
  });
}

/**
 * Sends a request again and again until it was answered `count` times, as a process of its own. Argument: JSON of a `Fill`.
 * Prints a `Filled`; an answer that is no success ends it.
 */
import { connect } from 'node:tls';
import type { Target } from './peers/peer.ts';

export interface Fill {
  readonly target: Target;
  readonly path: string;
  /** `{n}` in it becomes a number, and `{address}` an address of 10.0.0.0/8, that no other request has. */
  readonly body: string;
  readonly connections: number;
  readonly count: number;
}

export interface Filled {
  readonly perSecond: number;
  /** A thousand of the ids that were made, or all of them, spread over the whole. */
  readonly ids: readonly string[];
}

const { target, path, body, connections, count } = JSON.parse(process.argv[2] ?? '') as Fill;
const head = [
  `POST ${path} HTTP/1.1`,
  `host: ${target.host}:${target.port}`,
  ...Object.entries(target.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
  'content-type: application/json',
];
const stride = Math.max(1, Math.floor(count / 1000));
const ids: string[] = [];
let sent = 0;
let answered = 0;
const started = performance.now();
for (let index = 0; index < Math.min(connections, count); index++) open();

function request(n: number): string {
  const address = `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
  const sentBody = body.replaceAll('{n}', String(n)).replaceAll('{address}', address);
  return [...head, `content-length: ${Buffer.byteLength(sentBody)}`, '', sentBody].join('\r\n');
}

function open(): void {
  const socket = connect({
    host: '127.0.0.1',
    port: target.port,
    servername: target.host,
    rejectUnauthorized: false,
  });
  const send = (): void => {
    if (sent === count) {
      socket.end();
      return;
    }
    socket.write(request(sent));
    sent += 1;
  };
  let pending = '';
  socket.on('secureConnect', send);
  socket.on('data', (chunk: Buffer) => {
    pending += chunk.toString('latin1');
    const headEnd = pending.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(pending.slice(0, headEnd))?.[1] ?? 0);
    if (pending.length < headEnd + 4 + length) return;
    if (!pending.startsWith('HTTP/1.1 201')) throw new Error(pending);
    const id = /"id":"(\w+)"/.exec(pending)?.[1] ?? '';
    if (answered % stride === 0) ids.push(id);
    pending = '';
    answered += 1;
    if (answered === count) {
      const filled: Filled = { perSecond: count / ((performance.now() - started) / 1000), ids };
      console.log(JSON.stringify(filled));
    }
    send();
  });
}

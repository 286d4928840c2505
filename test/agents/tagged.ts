/** A service at home whose every answer says whose home it is, and to what. */
import { createServer } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import type { Home } from './join.ts';

const tags = new WeakMap<Duplex, string>();
const server = createServer({ keepAliveTimeout: 0 }, ({ socket, url }, response) => {
  response.end(`${tags.get(socket)} ${url}`);
});

export function tagged(tag: string): Home {
  return () => {
    const [near, far] = duplexPair();
    tags.set(far, tag);
    server.emit('connection', far);
    return near;
  };
}

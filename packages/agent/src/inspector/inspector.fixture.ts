/** An inspector with one tunnel to a local server, without a service: what it would send is sent by `visit`. */

import { createServer, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { ProxyHeader } from '@underpass/wire';
import { parseUpstream } from '../address.ts';
import { forwardTo, type ServeConnection } from '../forward.ts';
import { serve as listen, type TestUpstream } from '../testing/upstream.fixture.ts';
import { Inspector } from './inspector.ts';
import { send } from './replay.ts';
import { type InspectorServer, serveInspector } from './server.ts';
import { Store, type StoreOptions } from './store.ts';

export const HEADER: ProxyHeader = {
  ...{ Id: 'tunnel', ClientAddr: '192.0.2.1:1234', Proto: 'https', EdgeType: '0' },
  PassthroughTLS: false,
};

export interface Inspected {
  readonly inspector: Inspector;
  readonly server: InspectorServer;
  readonly upstream: TestUpstream;
  readonly serve: ServeConnection;
  /** Resolves when the connection has ended. */
  readonly visit: (request: string | Buffer) => Promise<void>;
  /** A call of the inspector's API with its token. */
  readonly api: (
    method: string,
    path: string,
    body?: string,
    headers?: Record<string, string>,
  ) => Promise<Response>;
  readonly json: (path: string) => Promise<unknown>;
}

export async function inspect(
  t: TestContext,
  onRequest: RequestListener,
  options: StoreOptions = {},
): Promise<Inspected> {
  const upstream = await listen(createServer(onRequest));
  const to = parseUpstream(String(upstream.port));
  const inspector = new Inspector({ server: 'connect.underpass.localhost:443' }, new Store(options));
  const inspection = inspector.add({ name: 'web', upstream: to, request: { proto: 'http' } });
  const serve: ServeConnection = (stream, header) => forwardTo(to, stream, header, { inspection });
  inspection.serving(serve);
  const server = await serveInspector(inspector, { host: '127.0.0.1', port: 0 });
  t.after(async () => {
    server.close();
    await upstream.stop();
  });
  const api: Inspected['api'] = (method, path, body, headers) =>
    fetch(server.url + path, {
      method,
      headers: { 'X-Inspector-Token': server.token, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  return {
    ...{ inspector, server, upstream, serve, api },
    visit: (request) => send(serve, HEADER, Buffer.from(request)),
    json: async (path) => await (await api('GET', path)).json(),
  };
}

/** Responds with the request that it received. */
export const echo: RequestListener = async (incoming, response) => {
  const body = await text(incoming);
  response.setHeader('Content-Type', 'application/json');
  response.end(
    JSON.stringify({ method: incoming.method, url: incoming.url, headers: incoming.headers, body }),
  );
};

/** A single request, as a visitor's client sends it. */
export function request(head: string, body = ''): string {
  const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${head.replaceAll('\n', '\r\n')}\r\nHost: demo.test\r\nConnection: close\r\n${length}\r\n${body}`;
}

/** Passes bytes in a buffer that is reused, like that of a connection: later bytes overwrite them after `look`. */
export function passBy(bytes: Buffer, look: (bytes: Buffer) => void): void {
  const buffer = Buffer.from(bytes);
  look(buffer);
  buffer.fill('!');
}

/** Links of two daemons in one process, and ends of links that are not a daemon's. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { answer, MuxSession, type MuxStream, type StreamHandler } from '@underpass/wire';
import pino from 'pino';
import { eventually } from '../../../../test/harness/index.ts';
import { documentsIn } from '../documents/store.ts';
import { LocalAuthority } from '../pki/local-authority.ts';
import { Sealer } from '../pki/seal.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import { Links, type LinksOptions } from './links.ts';
import type { LinkNode } from './node-facts.ts';
import { LinkStream } from './peers.ts';
import { linkTimes } from './silence.ts';
import { makeSocketFolder } from './socket-folder.ts';

export const times = { ...linkTimes, retryMs: 10, longestRetryMs: 50 };
export const log = pino({ level: 'silent' });

/** A local CA in a store of its own. */
export async function openAuthority(context: Pick<TestContext, 'after'>): Promise<LocalAuthority> {
  const folder = await mkdtemp(join(tmpdir(), 'links-'));
  const store = documentsIn(await openSqliteStore({ path: join(folder, 'test.db') }));
  context.after(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  const sealer = new Sealer(randomBytes(32));
  return await LocalAuthority.load({ store, sealer, now: Date.now, name: 'Test CA' });
}

/** A daemon of the test that has joined. */
export async function startLinks(
  context: TestContext,
  incarnation: number,
  options: Partial<LinksOptions> = {},
): Promise<{ readonly links: Links; readonly node: LinkNode }> {
  const noAuthority = () => Promise.reject(new Error('no certificate is needed'));
  const links = new Links({ authority: noAuthority, listen: null, address: null, log, times, ...options });
  await links.start();
  context.after(() => links.stop());
  links.joined(incarnation);
  return { links, node: nodeOf(incarnation, links.facts) };
}

export function nodeOf(incarnation: number, link: Partial<LinkNode['link']>): LinkNode {
  return {
    incarnation,
    name: 'n',
    machine: 'm',
    region: 'eu',
    link: { socket: null, address: null, versions: null, ...link },
  };
}

export const overTls = (authority: LocalAuthority): Partial<LinksOptions> => ({
  authority: () => Promise.resolve(authority),
  listen: { host: '127.0.0.1', port: 0 },
});

/** Facts as another machine reads them. */
export const onOtherMachine = ({ incarnation, link }: LinkNode): LinkNode =>
  nodeOf(incarnation, { address: link.address });

export async function up(links: Links, incarnation: number): Promise<void> {
  await eventually(() => assert.equal(links.get(incarnation)?.isUp, true));
}

export async function down(links: Links, incarnation: number): Promise<void> {
  await eventually(() => assert.notEqual(links.get(incarnation)?.isUp, true));
}

/** Echoes hops. */
export const echo = (stream: MuxStream): void => {
  stream.handler = {
    data: (chunk) => void stream.write(Buffer.from(chunk)),
    end: () => stream.end(),
    drain: () => {},
    close: () => {},
  };
};

/** Sends a text over a hop, and resolves with what returns. */
export function overHop(links: Links, incarnation: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const handler: StreamHandler = {
      data: (chunk) => {
        received += chunk.toString();
      },
      end: () => resolve(received),
      drain: () => {},
      close: (code) => reject(new Error(`closed with ${code}`)),
    };
    const stream = links.get(incarnation)?.open(LinkStream.hop, handler, Buffer.from(text));
    if (stream == null) reject(new Error('no stream'));
    else stream.end();
  });
}

/** A client of a listener that is no daemon, or one that does as it likes. Its session has no greeting. */
export function clientOver(context: TestContext, socket: Socket) {
  const codes: string[] = [];
  socket.on('error', () => {});
  context.after(() => socket.destroy());
  const session = new MuxSession(socket, {
    role: 'client',
    accept: () => {},
    closed: ({ debug }) => codes.push(debug),
  });
  return { session, codes };
}

export const toSocket = ({ link }: LinkNode): Socket => connect(link.socket ?? '');

/** Connects over TLS, and accepts any certificate. */
export function toAddress({ link }: LinkNode, options: ConnectionOptions): TLSSocket {
  const port = Number(link.address?.split(':').at(-1));
  return connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options });
}

/** The accepting end of a link that answers the hello as the test likes, and nothing else. */
export async function startAcceptor(
  context: TestContext,
  hello: object,
): Promise<{ readonly path: string; readonly connections: () => number }> {
  const folder = await makeSocketFolder();
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    sockets.add(socket);
    new MuxSession(socket, {
      role: 'server',
      accept: (type, stream) => {
        if (type === LinkStream.hello) answer(stream, () => hello);
      },
      closed: () => {},
    });
  });
  server.listen(folder.path);
  await once(server, 'listening');
  context.after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
    await folder.remove();
  });
  return { path: folder.path, connections: () => count };
}

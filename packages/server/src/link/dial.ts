/** Connects to another daemon: to its Unix socket, if this machine has it, or else over TLS. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { checkServer, contextOf, type LinkIdentity } from './identity.ts';
import type { LinkNode } from './node-facts.ts';
import { isPrivate } from './socket-folder.ts';

export interface Dialled {
  readonly socket: Socket;
  /** It is a Unix socket. */
  readonly isLocal: boolean;
}

export interface DialOptions {
  readonly identity: LinkIdentity;
  /** This daemon. */
  readonly incarnation: number;
  /** Milliseconds for the connect and the handshake. */
  readonly timeoutMs: number;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
}

/** Rejects with the error of the last attempt. The hello still has to prove the daemon behind a Unix socket. */
export async function dial(node: LinkNode, options: DialOptions): Promise<Dialled> {
  const { socket: path, address } = node.link;
  const signal = AbortSignal.any([AbortSignal.timeout(options.timeoutMs), options.signal]);
  try {
    if (path === null || !isPrivate(path))
      throw new Error('it has no socket that this user of this machine can use');
    return { socket: await connected(connect(path), 'connect', signal), isLocal: true };
  } catch (error) {
    if (address === null) throw error;
  }
  return { socket: await dialTls(node, address, options, signal), isLocal: false };
}

async function dialTls(
  { incarnation }: LinkNode,
  address: string,
  { identity, incarnation: own }: DialOptions,
  signal: AbortSignal,
): Promise<Socket> {
  const [, six, host, port] = /^(?:\[(.+)\]|(.+)):(\d+)$/.exec(address) ?? [];
  const credentials = await identity.credentials(own);
  const secured = connectTls({
    host: six ?? host ?? address,
    port: Number(port),
    secureContext: contextOf(credentials),
    minVersion: credentials.minVersion,
    // The address proves nothing: the certificate names the daemon.
    servername: '',
    checkServerIdentity: (_host, certificate) => checkServer(incarnation, certificate),
  });
  return await connected(secured, 'secureConnect', signal);
}

async function connected(socket: Socket, event: string, signal: AbortSignal): Promise<Socket> {
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.on('error', () => {}).destroy();
    throw signal.aborted ? new Error('no connection in time', { cause: error }) : error;
  }
}

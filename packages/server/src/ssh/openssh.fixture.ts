/** A server of this layer on loopback, and the real `ssh` against it, which reads no configuration and knows no keys but those given. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { generateSigningKey, openSigningKey } from '../pki/ssh/index.ts';
import type { Authenticator } from './authentication.ts';
import type { ConnectionHandler } from './connection.ts';
import { type HostKey, plainHostKey } from './host-key.ts';
import { ServerConnection, type ServerHandler, type ServerOptions } from './server-connection.ts';
import type { SessionChannel } from './session-channel.ts';

type TestHandler = Authenticator & ConnectionHandler;

/** Lets anybody in, opens sessions, and forwards nothing; a test changes what it is about. */
export function permissive(changes: Partial<TestHandler> = {}): ServerHandler {
  const handler: TestHandler = {
    offer: async () => null,
    prove: async () => null,
    tooMany: (count) => `${count} keys were refused`,
    session: () => null,
    forward: (_request, answer) => answer(null),
    cancel: () => false,
    leadsBack: () => null,
    welcome: 'Welcome.',
    refusal: (type) => `no ${type} here`,
    failed: (error) => process.emitWarning(String(error)),
    ...changes,
  };
  return { authenticator: handler, channels: handler, closed: () => {} };
}

/** Runs each command with `run`, which returns the output. */
export function running(
  run: (command: string, channel: SessionChannel) => string | null,
): Partial<TestHandler> {
  return {
    session(channel) {
      channel.onRequest = (request) => {
        if (request.kind !== 'command') return false;
        const text = run(request.command, channel);
        if (text === null) return true;
        channel.print(text);
        channel.exit(0);
        return true;
      };
      return null;
    },
  };
}

export interface TestServer {
  readonly port: number;
  /** Sockets of all connections, oldest first. */
  readonly sockets: readonly Socket[];
  stop(): Promise<void>;
}

export async function makeHostKey(): Promise<HostKey> {
  return plainHostKey(openSigningKey(await generateSigningKey({ type: 'ed25519' })));
}

export async function serve(
  handler: () => ServerHandler,
  options: Partial<ServerOptions> = {},
): Promise<TestServer> {
  const hostKeys = options.hostKeys ?? [await makeHostKey()];
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    const defaults = { software: 'Test', channels: 16, keepaliveMs: 60_000 };
    new ServerConnection(socket, { ...defaults, ...options, hostKeys }, handler());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const stop = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  };
  return { port, sockets, stop };
}

export interface SshResult {
  readonly code: number | null;
  readonly out: Buffer;
  readonly err: string;
}

/** `args` end with the target and the command. Of options that are given twice the first one holds: those of `args` do. */
export async function openSsh(port: number, args: readonly string[], input?: Buffer): Promise<SshResult> {
  const fixed = [
    'BatchMode=yes',
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'GlobalKnownHostsFile=/dev/null',
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
  ].flatMap((option) => ['-o', option]);
  const target = args.findIndex((arg) => /127\.0\.0\.1$/.test(arg));
  const [options, rest] = [args.slice(0, target), args.slice(target)];
  const child = spawn('ssh', ['-F', 'none', ...options, ...fixed, '-p', String(port), ...rest]);
  const out: Buffer[] = [];
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code: code as number | null, out: Buffer.concat(out), err };
}

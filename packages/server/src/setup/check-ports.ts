/** Binds the ports of a setup for a moment. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenAddress } from '../command/listen-address.ts';
import type { ListenAddress } from '../core/settings.ts';
import { EVERY_ADDRESS, ListenError, listen } from '../system/listen.ts';
import { type Answers, LISTENERS, type Listener } from './answers.ts';
import { SetupError } from './setup-error.ts';

/** Listeners that another setup had are not tried, because its daemon may have them. Rejects with SetupError. */
export async function checkPorts(
  wanted: Answers['listeners'],
  former: Answers['listeners'] | null,
): Promise<void> {
  for (const flag of LISTENERS) {
    const text = wanted[flag];
    if (text === null || text === former?.[flag]) continue;
    const address = listenAddress(flag, text);
    try {
      await tryPort(address);
      if (flag === 'dns-listen') await tryDatagrams(address);
    } catch (error) {
      if (error instanceof ListenError) throw new SetupError(`--${flag} ${text}: ${sentenceOf(error, flag)}`);
      throw error;
    }
  }
}

async function tryPort(address: ListenAddress): Promise<void> {
  const server = createServer();
  await listen(server, address);
  server.close();
  await once(server, 'close');
}

/** Resolvers use UDP, too. */
async function tryDatagrams(address: ListenAddress): Promise<void> {
  const isEvery = address.host === EVERY_ADDRESS;
  const socket = createSocket(address.host.includes(':') ? 'udp6' : 'udp4');
  try {
    const bound = once(socket, 'listening');
    socket.bind({ port: address.port, ...(isEvery ? {} : { address: address.host }) });
    await bound;
  } catch (error) {
    throw new ListenError(address, error as NodeJS.ErrnoException);
  } finally {
    socket.close();
  }
}

function sentenceOf(error: ListenError, flag: Listener): string {
  const { code, port, message } = error;
  const remedy = REMEDIES[code]?.(flag, port) ?? 'give another address';
  return `${message} (${code}); ${remedy}`;
}

const REMEDIES: Readonly<Record<string, (flag: Listener, port: number) => string>> = {
  EADDRINUSE: (flag, port) =>
    `stop that process ("ss -lntup" lists port ${port}), or give another port with --${flag}`,
  EACCES: (flag) => `run the setup as root, or give a port from 1024 on with --${flag}`,
  EADDRNOTAVAIL: (flag) => `give an address of this machine ("ip address" lists them) with --${flag}`,
  ENOTFOUND: (flag) => `give an address with --${flag}`,
};

/** Opens a listening port, with errors for an operator. */
import { BoundSocket, isIP, type Server } from 'node:net';
import type { ListenAddress } from '../core/settings.ts';

/** The host that stands for every address of the machine. */
export const EVERY_ADDRESS = '::';

export class ListenError extends Error {
  override readonly name = 'ListenError';
  /** Error code of the system: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, `ENOTFOUND` … */
  readonly code: string;
  readonly address: string;
  readonly port: number;

  constructor({ host, port, descriptor }: ListenAddress, cause: NodeJS.ErrnoException) {
    const code = cause.code ?? 'UNKNOWN';
    const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    super(
      descriptor === undefined
        ? `cannot listen on ${address}: ${reasons[code] ?? cause.message}`
        : `cannot listen on the inherited socket ${descriptor}: it is not a TCP socket that can be listened on`,
      { cause },
    );
    this.code = code;
    this.address = host;
    this.port = port;
  }
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process already listens there',
  EACCES: 'this user may not use the port; ports below 1024 need a privilege',
  EADDRNOTAVAIL: 'this machine does not have the address',
  ENOTFOUND: 'the host name is unknown',
};

const BACKLOG = 4096;

/** Answers the port that is listened on; unless the host is a name, it is by the time of the return. Rejects with `ListenError`. */
export function listen(server: Server, address: ListenAddress): Promise<number> {
  // Without a host Node listens on `::`, and on a machine without IPv6 on 0.0.0.0: every address, either way.
  const host = address.host === EVERY_ADDRESS ? {} : { host: address.host };
  const isNumeric = address.host !== EVERY_ADDRESS && isIP(address.host) !== 0;
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => reject(new ListenError(address, error));
    const listening = (): void => {
      server.off('error', failed);
      const bound = server.address();
      if (bound !== null && typeof bound === 'object') {
        resolve(bound.port);
        return;
      }
      // A socket of the file system: its connections come from nowhere.
      server.close();
      failed(new Error('not an internet socket'));
    };
    server.once('error', failed);
    if (address.descriptor !== undefined) server.listen({ fd: address.descriptor }, BACKLOG, listening);
    else if (isNumeric) listenNow(server, address, listening, failed);
    else {
      const reusePort = address.isShared === true;
      server.listen({ ...host, port: address.port, reusePort, backlog: BACKLOG }, listening);
    }
  });
}

/** False where another process listens, or where this user may not. */
export function isFree({ host, port, isShared = false }: ListenAddress): boolean {
  try {
    new BoundSocket({ host, port, reusePort: isShared }).close();
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== 'EADDRINUSE' && code !== 'EACCES';
  }
}

/** Node resolves even an address, so a port would open a moment after the caller was notified. */
function listenNow(
  server: Server,
  { host, port, isShared = false }: ListenAddress,
  listening: () => void,
  failed: (error: NodeJS.ErrnoException) => void,
): void {
  try {
    server.listen(new BoundSocket({ host, port, reusePort: isShared }), BACKLOG, listening);
  } catch (error) {
    failed(error as NodeJS.ErrnoException);
  }
}

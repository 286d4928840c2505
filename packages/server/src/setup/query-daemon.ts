/** Queries the daemon that a setup has started: readiness, the facts by which machines join, and the issuer of its certificate. */
import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { type Joining, parseJoining } from '../core/joining.ts';
import { apiNames, connectAddress } from '../core/service-names.ts';
import type { Settings } from '../core/settings.ts';
import { EVERY_ADDRESS } from '../system/listen.ts';

export interface DaemonFacts {
  readonly joining: Joining;
  /** True if its certificate is of the authority in its data dir. */
  readonly signsItself: boolean;
}

const WAIT_MS = 5000;
/** Bytes of a response that are read: it has two short fields. */
const MOST_BYTES = 64 * 1024;

/** Returns null while it does not serve. */
export function queryDaemon(settings: Settings): Promise<DaemonFacts | null> {
  const { listen, dataDir } = settings;
  const [servername = ''] = apiNames(settings);
  const host = [EVERY_ADDRESS, '0.0.0.0'].includes(listen.host) ? 'localhost' : listen.host;
  return new Promise((resolve) => {
    // The answer has no secret, and is about this machine.
    const socket = connect({ host, port: listen.port, servername, rejectUnauthorized: false });
    let text = '';
    socket.setTimeout(WAIT_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.once('secureConnect', () => {
      socket.write(
        `GET /join.json HTTP/1.1\r\nHost: ${new URL(settings.baseUrl).host}\r\nConnection: close\r\n\r\n`,
      );
    });
    let signsItself = false;
    socket.setEncoding('utf8').on('data', (piece: string) => {
      signsItself = isOfOwnAuthority(socket, dataDir);
      text += piece;
      if (text.length > MOST_BYTES) socket.destroy();
    });
    socket.once('close', () => {
      if (!text.startsWith('HTTP/1.1 200 ')) return resolve(null);
      const body = text.slice(text.indexOf('\r\n\r\n') + 4);
      const joining = parseJoining(body) ?? { server: connectAddress(settings), ca_fingerprint: null };
      resolve({ joining, signsItself });
    });
  });
}

function isOfOwnAuthority(socket: TLSSocket, dataDir: string): boolean {
  const file = join(dataDir, 'ca.pem');
  const leaf = socket.getPeerX509Certificate();
  if (leaf === undefined || !existsSync(file)) return false;
  return leaf.verify(new X509Certificate(readFileSync(file)).publicKey);
}

/** The real openssl as a TLS client, which reports the negotiated values. */
import { type ChildProcess, execFile } from 'node:child_process';
import { missingPrograms } from './missing.ts';
import type { Platform } from './platform.ts';

/** The reason to skip tests that need it; false if there is none. */
export const opensslMissing = missingPrograms('openssl');

/** The name of the cipher suite, or null when there was no handshake. The certificate is not judged. */
export async function negotiatedSuite(
  platform: Platform,
  servername: string,
  options: readonly string[],
): Promise<string | null> {
  const target = ['-connect', `127.0.0.1:${platform.port}`, '-servername', servername];
  return await new Promise((resolve) => {
    const client = execFile('openssl', ['s_client', ...target, ...options], (_error, stdout) => {
      const [, suite] = /^New, .*, Cipher is (\S+)$/m.exec(stdout) ?? [];
      resolve(suite === undefined || suite === '(NONE)' ? null : suite);
    });
    typed(client, '');
  });
}

/** Every suite of TLS 1.2 and older that this openssl can offer, at whatever security level. */
export async function offeredSuites(): Promise<readonly string[]> {
  return await new Promise((resolve, reject) => {
    execFile('openssl', ['ciphers', '-s', '-tls1_2', 'ALL:COMPLEMENTOFALL:@SECLEVEL=0'], (error, stdout) => {
      if (error === null) resolve(stdout.trim().split(':'));
      else reject(error);
    });
  });
}

/** Requests `/` and returns true if the handshake resumed an earlier session; null without a handshake. */
export async function sessionWith(
  platform: Platform,
  servername: string,
  options: readonly string[],
): Promise<'new' | 'reused' | null> {
  const target = ['-connect', `127.0.0.1:${platform.port}`, '-servername', servername, '-ign_eof'];
  return await new Promise((resolve) => {
    const client = execFile('openssl', ['s_client', ...target, ...options], (_error, stdout) => {
      const [, how, suite] = /^(New|Reused), .*, Cipher is (\S+)$/m.exec(stdout) ?? [];
      if (suite === undefined || suite === '(NONE)') resolve(null);
      else resolve(how === 'New' ? 'new' : 'reused');
    });
    // A process that ends without reading makes the result `null`.
    client.stdin?.on('error', () => {});
    // TLS 1.3 brings tickets behind the handshake: with the answer they are there.
    typed(client, `GET / HTTP/1.1\r\nHost: ${servername}\r\nConnection: close\r\n\r\n`);
  });
}

/** All that it reads from its input. It may have ended before, as it does without a handshake. */
function typed({ stdin }: ChildProcess, text: string): void {
  stdin?.on('error', () => {}).end(text);
}

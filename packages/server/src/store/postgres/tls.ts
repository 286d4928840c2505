/** The ways to connect to a server: in clear text, or over TLS with the verification that `sslmode` selects. */
import tls, { type ConnectionOptions } from 'node:tls';
import { readNamedFile } from '../../system/named-file.ts';
import { type Host, SettingsError, type Tls } from './settings.ts';

export type Way = ConnectionOptions | false;

/** Returns the ways to connect, in the order of the attempts. Throws SettingsError for an unreadable file. */
export function waysTo({ host, name }: Host, settings: Tls): readonly Way[] {
  // A socket has no TLS in any mode, as in libpq.
  if (settings.mode === 'disable' || host.startsWith('/')) return [false];
  const encrypted = optionsOf(name, settings);
  if (settings.mode === 'allow') return [false, encrypted];
  return settings.mode === 'prefer' ? [encrypted, false] : [encrypted];
}

function optionsOf(servername: string, { mode, root, certificate, key, passphrase }: Tls): ConnectionOptions {
  const authority =
    root === undefined
      ? undefined
      : root === 'system'
        ? tls.getCACertificates('system')
        : read('sslrootcert', root);
  // A configured authority is always verified, even in a mode that accepts any certificate.
  const verifies =
    mode === 'verify-ca' || mode === 'verify-full' || (mode === 'require' && root !== undefined);
  return {
    rejectUnauthorized: verifies,
    ...(authority === undefined ? {} : { ca: authority }),
    ...(certificate === undefined ? {} : { cert: read('sslcert', certificate) }),
    ...(key === undefined ? {} : { key: read('sslkey', key) }),
    ...(passphrase === undefined ? {} : { passphrase }),
    // The driver sets the name for SNI itself. This name is compared with the certificate.
    checkServerIdentity: (_, presented) =>
      mode === 'verify-full' ? tls.checkServerIdentity(servername, presented) : undefined,
  };
}

function read(parameter: string, path: string): string {
  try {
    return readNamedFile(path);
  } catch (error) {
    throw new SettingsError(`${parameter}: the file ${path} ${(error as Error).message}`);
  }
}

/** The ways in which a connection to a server may be made: in clear text, or over TLS that verifies as much as `sslmode` says. */
import tls, { type ConnectionOptions } from 'node:tls';
import { readNamedFile } from '../../system/named-file.ts';
import { type Host, SettingsError, type Tls } from './settings.ts';

export type Way = ConnectionOptions | false;

/** Returns the ways to connect, in the order of the attempts. Throws SettingsError for a file that cannot be read. */
export function waysTo({ host, name }: Host, settings: Tls): readonly Way[] {
  // A socket has no TLS, whatever the mode says: so it is with libpq.
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
  // An authority that is named is asked, even where the mode alone would take any certificate.
  const verifies =
    mode === 'verify-ca' || mode === 'verify-full' || (mode === 'require' && root !== undefined);
  return {
    rejectUnauthorized: verifies,
    ...(authority === undefined ? {} : { ca: authority }),
    ...(certificate === undefined ? {} : { cert: read('sslcert', certificate) }),
    ...(key === undefined ? {} : { key: read('sslkey', key) }),
    ...(passphrase === undefined ? {} : { passphrase }),
    // The driver sets the name for SNI itself; this one is what the certificate is compared with.
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

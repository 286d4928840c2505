/** Facts by which a machine joins this service: the address for agents, and the authority of its certificate. Pure. */
import { join } from 'node:path';

export interface Joining {
  /** Address for agents, as `host:port`. */
  readonly server: string;
  /** Fingerprint of the authority, `sha256:<64 digits>`; null if agents need none. */
  readonly ca_fingerprint: string | null;
}

/** The authority of the service itself, which browsers do not know. */
export interface OwnAuthority {
  /** Path of its certificate at the API. */
  readonly certificate_path: string;
  /** Fingerprint as `sha256:<64 digits>`. */
  readonly fingerprint: string;
}

/** Content of `/join.json`. */
export interface PublishedJoining extends Joining {
  /** Null if the API has a certificate of another authority. */
  readonly own_authority: OwnAuthority | null;
}

/** Path of the certificate of the service's own authority. */
export const AUTHORITY_PATH = '/ca.pem';

/** Content of the file for commands beside the daemon. */
export interface LocalFacts extends Joining {
  /** URL below which the pages of the console are, without a slash at its end. */
  readonly console_url: string;
}

/** Returns the path of the file that every start writes, for commands beside the daemon. */
export function joiningFile(dataDir: string): string {
  return join(dataDir, 'join.json');
}

/** Returns the command for a machine that joins. It reads the token from a prompt, or from stdin. */
export function joinCommand({ server, ca_fingerprint }: Joining): string {
  const pin = ca_fingerprint === null ? '' : ` --ca-fingerprint ${ca_fingerprint}`;
  return `underpass login --server ${server}${pin} --authtoken -`;
}

/** Returns the URL of the console in the file; null if an older daemon wrote it. */
export function parseConsoleUrl(text: string): string | null {
  try {
    const { console_url: url } = JSON.parse(text) as Partial<LocalFacts>;
    return typeof url === 'string' && url.startsWith('https://') ? url : null;
  } catch {
    return null;
  }
}

/** Returns null for a text that the daemon did not write. */
export function parseJoining(text: string): Joining | null {
  try {
    const { server, ca_fingerprint } = JSON.parse(text) as Partial<Joining>;
    const isPin = ca_fingerprint === null || /^sha256:[0-9a-f]{64}$/.test(ca_fingerprint ?? '');
    return typeof server === 'string' && isPin ? { server, ca_fingerprint: ca_fingerprint ?? null } : null;
  } catch {
    return null;
  }
}

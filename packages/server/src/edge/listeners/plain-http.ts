/** Recognises plain HTTP on a port for TLS, and requests with a key for a service that is never redirected. */
import { type Hostname, isFault, parseHostname } from '../../core/names/hostname.ts';
import type { ErrorName } from '../../errors/catalogue.ts';

/** A service that gets secrets, so that its names are refused over plain HTTP and not redirected. */
export interface PlainGuard {
  refuse(request: {
    readonly method: string;
    readonly target: string;
    /** Header values by names in lower case. */
    readonly headers: ReadonlyMap<string, string>;
    /** The client's address, without its port. */
    readonly source: string;
  }): {
    readonly error: ErrorName;
    readonly status: number;
    readonly headers: readonly (readonly [string, string])[];
    readonly body: Buffer;
  };
  /** A key for the service was readable on the way. */
  keySent(source: string): void;
}

/** A method, a space and the begin of a target (RFC 9112, section 3). No method that is registered is longer. */
const requestLine = /^([A-Z-]{3,17}) [!-~]/;

/** The method of what begins like an HTTP request; null for anything else, and for the header of a load balancer that is not known. */
export function plainHttpMethod(bytes: Buffer): string | null {
  const method = requestLine.exec(bytes.toString('latin1', 0, 19))?.[1] ?? null;
  return method === 'PROXY' ? null : method;
}

/** Bytes of a head that are read. */
const LONGEST_HEAD = 16 * 1024;

/** The name that a request with an Authorization field is for, as far as its head came at once; null for anything else. */
export function nameOfKey(bytes: Buffer): Hostname | null {
  const text = bytes.toString('latin1', 0, LONGEST_HEAD);
  const end = text.indexOf('\r\n\r\n');
  const head = end === -1 ? text : text.slice(0, end);
  if (!/\r\nauthorization:/i.test(head)) return null;
  const host = /\r\nhost:[ \t]*([^\s:]+)/i.exec(head)?.[1];
  if (host === undefined) return null;
  const name = parseHostname(host);
  return isFault(name) ? null : name;
}

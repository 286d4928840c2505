/**
 * Facts about connections and requests, for guards, edits and records. Facts of a request are copies, because the
 * connection's buffers change during a wait.
 */
import type { ConnectionAddresses } from '../../core/ip/client-address.ts';
import type { Hostname } from '../../core/names/hostname.ts';

/** Fields of a visitor's verified certificate. */
export interface ClientCertificate {
  readonly commonName: string;
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  /** Lower-case hex. */
  readonly serialNumber: string;
}

/** TLS facts of a connection. */
export interface TlsFacts {
  /** `TLSv1.3` */
  readonly version: string;
  /** The name that OpenSSL gives it. */
  readonly cipher: string;
  readonly clientCertificate: ClientCertificate | null;
}

export interface ConnectionFacts extends ConnectionAddresses {
  /** The server name of TLS; null for none. */
  readonly serverName: Hostname | null;
  /** The time at which it was accepted. */
  readonly startedAt: Date;
  /** The fingerprint of the visitor's ClientHello; '' for none, or for one that no usual client sends. */
  readonly ja4: string;
  /** Null: TLS passed through, or there was none. */
  readonly tls: TlsFacts | null;
}

/** Returns the scheme of HTTP on the connection. */
export function schemeOf({ tls }: Pick<ConnectionFacts, 'tls'>): 'http' | 'https' {
  return tls === null ? 'http' : 'https';
}

/** A visitor that has logged in with a module, or that it refused. */
export interface Visitor {
  /** The user's name at the provider, or the visitor's user name with a password; '' if unknown. */
  readonly id: string;
  readonly name: string;
  /** The id of the application at the provider; '' for none. */
  readonly clientId: string;
}

export interface RequestFacts {
  readonly connection: ConnectionFacts;
  readonly method: string;
  /** The target as it came, with the query. */
  readonly target: string;
  /** All values of a field, by its name in lower case. */
  values(name: string): readonly string[];
  /** Decisions of modules so far, by name. */
  readonly decisions: ReadonlyMap<string, string>;
  /** Returns the visitor that a login module admitted; null if none did, or no login was needed. */
  admittedBy(module: string): Visitor | null;
}

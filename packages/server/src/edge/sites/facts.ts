/**
 * What guards, edits and records may know. Facts of a request are copies: they stay true while something is waited for, when
 * the connection's buffers hold other bytes already.
 */
import type { ConnectionAddresses } from '../../core/client-address.ts';
import type { Hostname } from '../../core/hostname.ts';

/** What a visitor's certificate says, once it was verified. */
export interface ClientCertificate {
  readonly commonName: string;
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  /** Lower-case hex. */
  readonly serialNumber: string;
}

/** How a connection is secured. */
export interface TlsFacts {
  /** `TLSv1.3` */
  readonly version: string;
  /** The name that OpenSSL gives it. */
  readonly cipher: string;
  readonly clientCertificate: ClientCertificate | null;
}

export interface ConnectionFacts extends ConnectionAddresses {
  /** Null where no TLS said it. */
  readonly serverName: Hostname | null;
  /** When it was accepted. */
  readonly startedAt: Date;
  /** The fingerprint of the visitor's ClientHello; '' where there was none, or one that nobody honest sends. */
  readonly ja4: string;
  /** Null: TLS passed through, or there was none. */
  readonly tls: TlsFacts | null;
}

/** Where HTTP is spoken. */
export function schemeOf({ tls }: Pick<ConnectionFacts, 'tls'>): 'http' | 'https' {
  return tls === null ? 'http' : 'https';
}

/** Who has logged in with a module, or was not let in by it. */
export interface Visitor {
  /** As the provider calls the user, or as the visitor does where there is only a password; '' where nobody is known. */
  readonly id: string;
  readonly name: string;
  /** Of the application at the provider; '' where there is none. */
  readonly clientId: string;
}

export interface RequestFacts {
  readonly connection: ConnectionFacts;
  readonly method: string;
  /** The target as it came, with the query. */
  readonly target: string;
  /** All values of a field, by its name in lower case. */
  values(name: string): readonly string[];
  /** What each module decided so far, by its name. */
  readonly decisions: ReadonlyMap<string, string>;
  /** Whom a module that has visitors log in has let in; null: nobody, or nobody had to say who it is. */
  admittedBy(module: string): Visitor | null;
}

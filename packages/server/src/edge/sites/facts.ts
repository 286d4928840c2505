/**
 * What guards, edits and records may know. Facts of a request are copies: they stay true while something is waited for, when
 * the connection's buffers hold other bytes already.
 */
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

export interface ConnectionAddresses {
  /** `ip:port` of the visitor. */
  readonly clientAddr: string;
  /** `ip:port` that it connected to. */
  readonly serverAddr: string;
}

export interface ConnectionFacts extends ConnectionAddresses {
  /** Null where no TLS said it. */
  readonly serverName: Hostname | null;
  /** When it was accepted. */
  readonly startedAt: Date;
  /** Null: TLS passed through, or there was none. */
  readonly tls: TlsFacts | null;
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
}

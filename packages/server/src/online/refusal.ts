/** A request or connection of a visitor that the service refused, as its owner may read it. */

/** Invariant: no text in it is longer than a few hundred characters, and none is a query, a header or a body. */
export interface Refusal {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `ip:port` of the visitor. */
  readonly clientAddr: string;
  /** Name, with the port of the public address unless it is the standard one; '' if the visitor named none. */
  readonly host: string;
  /** '' for connections without HTTP, and for requests that cannot be read. */
  readonly method: string;
  /** Path without the query, printable. */
  readonly path: string;
  /** 0: the connection was closed without a response. */
  readonly status: number;
  /** Such as `ERR_SERVICE_3205`; '' for none. */
  readonly code: string;
  readonly reason: string;
  /** Module that refused it; '' for none. */
  readonly module: string;
}

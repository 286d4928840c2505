/** Tells plain HTTP on the TLS port from what is broken: its sender can be told in its own words. */

/** A method, a space and the begin of a target (RFC 9112, section 3). No method that is registered is longer. */
const requestLine = /^([A-Z-]{3,17}) [!-~]/;

/** The method of what begins like an HTTP request; null for anything else, and for the header of a load balancer that is not known. */
export function plainHttpMethod(bytes: Buffer): string | null {
  const method = requestLine.exec(bytes.toString('latin1', 0, 19))?.[1] ?? null;
  return method === 'PROXY' ? null : method;
}

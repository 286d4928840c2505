/**
 * The protocols that a handshake offers, in TLS's format (RFC 7301, section 3.1). Node would copy a list of names into
 * a shared buffer, and each connection would keep all of that buffer.
 */

export function alpnList(protocols: readonly string[]): DataView {
  const bytes = protocols.flatMap((name) => [name.length, ...Buffer.from(name, 'latin1')]);
  return new DataView(Uint8Array.from(bytes).buffer);
}

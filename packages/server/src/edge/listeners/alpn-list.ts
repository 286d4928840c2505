/**
 * The protocols that a handshake offers, as TLS has them (RFC 7301, section 3.1). Never that Node copies them into a buffer that it shares
 * with others, as it does with a list of names: each connection would keep all of that buffer for as long as it lasts.
 */

export function alpnList(protocols: readonly string[]): DataView {
  const bytes = protocols.flatMap((name) => [name.length, ...Buffer.from(name, 'latin1')]);
  return new DataView(Uint8Array.from(bytes).buffer);
}

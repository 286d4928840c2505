/** Spellings of the names in the document, which are snake case. */

/** `tls_edge` as `tlsEdge`. */
export function camel(name: string): string {
  return name.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** `tls_edge` as `TlsEdge`. */
export function pascal(name: string): string {
  const spelt = camel(name);
  return spelt.charAt(0).toUpperCase() + spelt.slice(1);
}

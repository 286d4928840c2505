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

/** `ip_policy` as `ip_policies`: the English rule, which is all that the names of resources need. */
export function plural(name: string): string {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return /(s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}
